"""Parameters, and the reader that takes them from a request and collects every fault at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar
from urllib.parse import parse_qsl

from rhumbline.api.parameters.rules import Rule, Unreadable, shown
from rhumbline.domain.errors import InvalidRequest, NotFound, WrongAddress
from rhumbline.gateways.http.strict_json import Json

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Source = Mapping[str, Sequence[str]]
"""Where parameters come from: every text that was given under a name."""


@dataclass(frozen=True, slots=True)
class Parameter(Generic[T_co]):
    """One scalar parameter, read and described by its rule; a required one needs a ``remedy``: what to give."""

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
    """Return what is there once ``finish`` has raised nothing; raise AssertionError for a fault that was not kept."""
    if value is None:
        raise AssertionError("a required parameter is absent, and no fault says so")
    return value


def query_source(query: bytes) -> dict[str, list[str]]:
    """Read a query string; unknown names are ignored later, values may be empty."""
    source: dict[str, list[str]] = {}
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        source.setdefault(name, []).append(value)
    return source


class Reading:
    """Takes parameters and keeps faults in order; ``wallets`` alone mean WRONG_ADDRESS, ``unknown`` alone NOT_FOUND."""

    def __init__(self, source: Source, faults: Sequence[str] = (), names: Mapping[str, str] | None = None) -> None:
        """Begin with what is wrong already; ``names`` are what the caller calls parameters, where that differs."""
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
            # What is there in another type than it must have is told already, and not missing.
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

    def given(self, parameter: Parameter[object]) -> bool:
        return bool(self._source.get(parameter.name))

    def fault(self, name: str, what: str) -> None:
        """Keep a fault of the parameter ``name``; ``what`` goes on after the name and names the remedy."""
        self._keep(self._invalid, name, what)

    def wrong_wallet(self, name: str, what: str) -> None:
        self._keep(self._wallets, name, what)

    def unknown_chain(self, name: str, given: object) -> None:
        self._keep(self._unknown, name, f"names the chain {shown(str(given))}, which is not served: see GET /v1/chains")

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


_NUMERIC = frozenset({"integer", "number"})


def text_of(value: Json, *, numeric: bool) -> str | None:
    """Return a member as a query would have it; None for one of another type than it must have."""
    if isinstance(value, str):
        return value
    if numeric and isinstance(value, int | Decimal) and not isinstance(value, bool):
        return str(value)
    return None


def body_source(
    body: Mapping[str, Json], parameters: Iterable[Parameter[object]]
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the parameters' texts, and a fault for each that has another type; null counts as absent."""
    source: dict[str, list[str]] = {}
    faults = []
    for parameter in parameters:
        value = body.get(parameter.name)
        if value is None:
            continue
        numeric = parameter.rule.schema["type"] in _NUMERIC
        text = text_of(value, numeric=numeric)
        if text is None:
            faults.append(f"{parameter.name} must be a JSON {'number' if numeric else 'string'}")
        else:
            source[parameter.name] = [text]
    return source, faults
