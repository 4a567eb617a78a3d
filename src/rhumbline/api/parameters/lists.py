"""Rules of parameters that list several words, separated by commas."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rhumbline.api.parameters.parameter import Unreadable, shown
from rhumbline.catalog.tools import KNOWN_ADAPTERS
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType


@dataclass(frozen=True, slots=True)
class AdapterKeys:
    """Comma-separated keys of ``known`` adapters of one kind, in any case; ``instead`` takes those of the other."""

    kind: Capability
    instead: str
    known: Mapping[str, Capability] = field(default_factory=lambda: KNOWN_ADAPTERS, hash=False)

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "minLength": 1}

    def read(self, text: str, /) -> frozenset[str]:
        """Return the keys in upper case."""
        keys = [part.strip().upper() for part in text.split(",")]
        valid = [key for key, kind in self.known.items() if kind in (self.kind, Capability.MULTI)]
        faults = []
        for key in dict.fromkeys(keys):
            kind = self.known.get(key)
            if not key:
                faults.append("has an empty entry: separate keys by single commas")
            elif kind is None:
                faults.append(f"names {shown(key)}, which is no adapter: use {', '.join(valid)}")
            elif key not in valid:
                faults.append(f"names {key}, which is of the kind {kind}: name it in {self.instead}")
        if faults:
            raise Unreadable("; it ".join(faults))
        return frozenset(keys)


@dataclass(frozen=True, slots=True)
class Names:
    """Comma-separated names, none empty: of ``words`` (upper case) in any case; without ``words`` as they are."""

    words: tuple[str, ...] | None = None
    what: str = field(default="names")

    @property
    def schema(self) -> Mapping[str, object]:
        if self.words is None:
            return {"type": "string", "minLength": 1}
        word = f"({'|'.join(map(_any_case, self.words))})"
        return {"type": "string", "pattern": f"^ *{word} *(, *{word} *)*$"}

    def read(self, text: str, /) -> tuple[str, ...]:
        """Return the names in their order, without repetitions."""
        parts = [part.strip(" ") for part in text.split(",")]
        known = () if self.words is None else self.words
        names = tuple(dict.fromkeys(part.upper() if part.upper() in known else part for part in parts))
        if "" in names:
            raise Unreadable(f"has an empty entry: give {self.what} separated by single commas; got {shown(text)}")
        wrong = [] if self.words is None else [name for name in names if name not in self.words]
        if self.words is not None and wrong:
            raise Unreadable(
                f"must be {self.what}, separated by commas: allowed are {' and '.join(self.words)}; "
                f"got {shown(wrong[0])}"
            )
        return names


def _any_case(word: str) -> str:
    return "".join(f"[{letter}{letter.lower()}]" for letter in word)


CHAIN_TYPES = Names(tuple(ChainType), "chain types")
CHAINS = Names(None, "chain IDs or keys")
