"""Parameters: a rule parses a text and describes itself for OpenAPI; a reader collects every fault at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.amount import MAX_EVM, parse_amount
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import InvalidRequest, NotFound, WrongAddress

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Source = Mapping[str, Sequence[str]]
"""Where parameters come from: every text that was given under a name."""
LARGEST_CHAIN_ID = 2**53 - 1
_WHOLE = re.compile(r"(0|[1-9][0-9]{0,19})\Z", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE](?P<exponent>[+-]?[0-9]{1,3}))?\Z", re.ASCII)
_LEAST_EXPONENT = -30
_LONGEST_SHARE = 64
_SHOWN = 60


class Unreadable(Exception):
    """A text that breaks its rule; the message continues after the parameter's name and names the remedy."""


class Rule(Protocol[T_co]):
    """Parses a text that is not empty, and describes the accepted form."""

    @property
    def schema(self) -> Mapping[str, object]:
        """The JSON Schema of the accepted form."""
        ...

    def read(self, text: str, /) -> T_co:
        """Return the value, or raise Unreadable."""
        ...


def shown(text: str) -> str:
    """Quote a value for a message: bounded, and without raw control characters."""
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
    """A fraction between zero and ``most``, parsed exactly from its text, including exponents."""

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
    """One of a few words, spelled exactly."""

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
class Parameter(Generic[T_co]):
    """One scalar parameter with its rule; a required one needs a ``remedy``: what to give."""

    name: str
    rule: Rule[T_co]
    description: str
    example: str
    required: bool = False
    remedy: str = ""
    place: str = "query"

    def described(self) -> dict[str, object]:
        return {
            "name": self.name,
            "in": self.place,
            "required": self.required,
            "description": self.description,
            "schema": {**self.rule.schema, "examples": [self._typed_example()]},
        }

    def _typed_example(self) -> object:
        kind = self.rule.schema["type"]
        return int(self.example) if kind == "integer" else float(self.example) if kind == "number" else self.example


def required(value: T | None) -> T:
    """Return a value that ``finish`` has checked; raise AssertionError for a fault that was not kept."""
    if value is None:
        raise AssertionError("a required parameter is absent, and no fault says so")
    return value


class Reading:
    """Collects parameters and faults in order; only ``wallets`` mean WRONG_ADDRESS, only ``unknown`` NOT_FOUND."""

    def __init__(self, source: Source, faults: Sequence[str] = (), names: Mapping[str, str] | None = None) -> None:
        """Begin with existing faults; ``names`` are the client's names of parameters, if they differ."""
        self._source = source
        self._names = names or {}
        self._invalid: list[str] = list(faults)
        self._wallets: list[str] = []
        self._unknown: list[str] = []
        self._all: list[str] = list(faults)

    def take(self, parameter: Parameter[T]) -> T | None:
        """Return the value, None when it is absent or at fault."""
        texts = self._source.get(parameter.name, ())
        if not texts:
            # A value of the wrong type is reported already, and not missing.
            called = self._names.get(parameter.name, parameter.name)
            if parameter.required and not any(fault.startswith(f"{called} ") for fault in self._all):
                self.fault(parameter.name, f"is missing: give {parameter.remedy}")
            return None
        if len(texts) > 1:
            self.fault(parameter.name, f"is given {len(texts)} times: give it once")
            return None
        if not texts[0]:
            otherwise = "" if parameter.required else ", or leave it out"
            self.fault(parameter.name, f"is empty: give {parameter.remedy or 'a value'}{otherwise}")
            return None
        try:
            return parameter.rule.read(texts[0])
        except Unreadable as fault:
            self.fault(parameter.name, str(fault))
            return None

    def chain(self, parameter: Parameter[int], chains: ChainCatalog) -> Chain | None:
        """Take a chain's ID; return the chain, None when it is absent, at fault or not served."""
        number = self.take(parameter)
        chain = None if number is None else chains.by_id.get(number)
        if number is not None and chain is None:
            self.unknown_chain(parameter.name, number)
        return chain

    def has(self, parameter: Parameter[object]) -> bool:
        return bool(self._source.get(parameter.name))

    def fault(self, name: str, what: str) -> None:
        """Note a fault of the parameter ``name``; ``what`` continues after the name and names the remedy."""
        self._keep(self._invalid, name, what)

    def wrong_wallet(self, name: str, what: str) -> None:
        self._keep(self._wallets, name, what)

    def unknown_chain(self, name: str, value: object) -> None:
        self._keep(self._unknown, name, f"names the chain {shown(str(value))}, which is not served: see GET /v1/chains")

    def finish(self) -> None:
        """Raise what the faults amount to: InvalidRequest with all of them, WrongAddress, or NotFound."""
        if self._invalid:
            raise InvalidRequest(self._all)
        if self._wallets:
            raise WrongAddress([*self._wallets, *self._unknown])
        if self._unknown:
            raise NotFound(self._unknown[0], {"message": list(self._unknown)})

    def _keep(self, kind: list[str], name: str, what: str) -> None:
        fault = f"{self._names.get(name, name)} {what}"
        kind.append(fault)
        self._all.append(fault)
