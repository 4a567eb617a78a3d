"""What a parameter's text may be: a rule reads it and describes itself in the OpenAPI document, one source for both."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Protocol, TypeVar

from rhumbline.catalog.tools import KNOWN_ADAPTERS
from rhumbline.domain.adapter import Capability
from rhumbline.domain.amount import MAX_EVM, parse_amount
from rhumbline.domain.chain import ChainType

T_co = TypeVar("T_co", covariant=True)
LARGEST_CHAIN_ID = 2**53 - 1
_WHOLE = re.compile(r"(0|[1-9][0-9]{0,19})\Z", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE](?P<exponent>[+-]?[0-9]{1,3}))?\Z", re.ASCII)
_LEAST_EXPONENT = -30
_LONGEST_SHARE = 64
_SHOWN = 60


class Unreadable(Exception):
    """A text that breaks its rule; the message goes on after the parameter's name and names the remedy."""


class Rule(Protocol[T_co]):
    """Reads a text that is not empty, and tells what it accepts."""

    @property
    def schema(self) -> Mapping[str, object]:
        """The JSON Schema of what is accepted."""
        ...

    def read(self, text: str, /) -> T_co:
        """Return the value, or raise Unreadable."""
        ...


def shown(text: str) -> str:
    """Quote what was given for a message: bounded, and without raw control characters."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


@dataclass(frozen=True, slots=True)
class Text:
    """Any text up to ``longest`` characters; ``pattern`` as both Python and JSON Schema read it."""

    longest: int = 1000
    pattern: str | None = None
    form: str = ""

    @property
    def schema(self) -> Mapping[str, object]:
        pattern = {} if self.pattern is None else {"pattern": self.pattern}
        return {"type": "string", "minLength": 1, "maxLength": self.longest, **pattern}

    def read(self, text: str, /) -> str:
        """Return the text as it is."""
        if len(text) > self.longest:
            raise Unreadable(f"must have at most {self.longest} characters; got {len(text)}")
        if self.pattern is not None and not re.fullmatch(self.pattern.removesuffix("$"), text, re.ASCII):
            raise Unreadable(f"must be {self.form}; got {shown(text)}")
        return text


@dataclass(frozen=True, slots=True)
class Amount:
    """A positive integer in smallest units."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "pattern": "^[1-9][0-9]{0,77}$"}

    def read(self, text: str, /) -> int:
        """Return the integer."""
        amount = parse_amount(text, MAX_EVM)
        if amount is None:
            raise Unreadable(
                "must be a positive integer in the token's smallest units, at most 2^256-1, digits only: no sign, "
                "leading zero, separator, point, exponent or blank (1500000 for 1.5 of a token with 6 decimals); "
                f"got {shown(text)}"
            )
        return amount


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer between two bounds, both included."""

    least: int
    most: int
    meaning: str = "a whole number"
    default: int | None = None

    @property
    def schema(self) -> Mapping[str, object]:
        default = {} if self.default is None else {"default": self.default}
        return {"type": "integer", "minimum": self.least, "maximum": self.most, **default}

    def read(self, text: str, /) -> int:
        """Return the integer."""
        number = int(text) if _WHOLE.match(text) else None
        if number is None or not self.least <= number <= self.most:
            raise Unreadable(f"must be {self.meaning} from {self.least} to {self.most}, digits only; got {shown(text)}")
        return number


CHAIN_ID = Whole(1, LARGEST_CHAIN_ID, "a chain's numeric ID (GET /v1/chains lists them),")


@dataclass(frozen=True, slots=True)
class Share:
    """A fraction between zero and ``most``, read exactly from its text, whatever a JavaScript number prints."""

    most: Fraction
    meaning: str

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "number", "minimum": 0, "maximum": float(self.most)}

    def read(self, text: str, /) -> Fraction:
        """Return the exact fraction."""
        limit = format(Decimal(self.most.numerator) / self.most.denominator, "f")
        if len(text) > _LONGEST_SHARE:
            raise Unreadable(f"must have at most {_LONGEST_SHARE} characters; got {len(text)}")
        found = _NUMBER.match(text)
        if found is None:
            raise Unreadable(f"must be a decimal number from 0 to {limit} ({self.meaning}); got {shown(text)}")
        if int(found["exponent"] or 0) < _LEAST_EXPONENT:
            raise Unreadable(f"must have an exponent of at least {_LEAST_EXPONENT}; got {shown(text)}")
        # A Decimal would do as well until something is computed with it, which rounds.
        number = Fraction(text)
        if not 0 <= number <= self.most:
            raise Unreadable(f"must be from 0 to {limit} ({self.meaning}); got {shown(text)}")
        return number


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words, exactly as they are spelt."""

    words: tuple[str, ...]

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "enum": [str(word) for word in self.words]}

    def read(self, text: str, /) -> str:
        """Return the word."""
        if text not in self.words:
            raise Unreadable(f"must be {' or '.join(self.words)}; got {shown(text)}")
        return text


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
    """Comma-separated names, none empty: of ``words`` (upper case) in any case, or without ``words`` as they are."""

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
