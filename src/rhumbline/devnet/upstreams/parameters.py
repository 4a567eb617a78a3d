"""Checks an endpoint's parameters: required and known ones, each in its form."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rhumbline.devnet.upstreams.behaviour import Fails, Received
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.svm.address import is_address as is_svm_address

Form = Callable[[Any], object]
"""Returns something true for a value of the form: a text of a query, or any JSON of a body."""
Refusal = Callable[[str], Fails]
"""Makes the failure for a parameter of that name."""


def pattern(words: str) -> Form:
    """Return the form of texts that a regular expression matches in full."""
    compiled = re.compile(words, re.ASCII)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value)


def one_of(*words: object) -> Form:
    """Return the form of exactly these values."""
    return lambda value: any(value is word or (type(value) is type(word) and value == word) for word in words)


AMOUNT = pattern("[1-9][0-9]{0,77}")
BOOLEAN = one_of("true", "false")


def text(value: object) -> bool:
    return isinstance(value, str)


def flag(value: object) -> bool:
    return isinstance(value, bool)


def integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def anything(_: object) -> bool:
    return True


def evm_address(value: object) -> bool:
    """Accept 0x-hex of 20 bytes, in upper or lower case."""
    return isinstance(value, str) and is_address(value)


def svm_address(value: object) -> bool:
    """Accept base58 of 32 bytes."""
    return isinstance(value, str) and is_svm_address(value)


def refusal(usual: str, **by_parameter: str) -> Refusal:
    """Return a function that makes an emulator's failure of this name, or the one for a parameter."""
    return lambda parameter: Fails(by_parameter.get(parameter, usual))


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of an endpoint, and the failures for others.

    A documented parameter without effect in the sandbox is left out, because it would be ignored silently. ``unknown``
    refuses a parameter that is not among them, or occurs twice; with None such are accepted. ``wrong`` refuses a wrong
    form, and a missing parameter unless ``missing`` does; with ``empty_is_missing`` an empty one counts as missing.
    """

    needed: Mapping[str, Form]
    optional: Mapping[str, Form]
    wrong: Refusal
    unknown: Refusal | None
    missing: Refusal | None = None
    empty_is_missing: bool = False

    def query(self, asked: Received) -> dict[str, str]:
        """Return a query's parameters; raise Fails."""
        given = dict(asked.query)
        if self.unknown is not None and len(given) != len(asked.query):
            raise self.unknown("query")
        return self.values(given)

    def values(self, given: object) -> dict[str, Any]:
        """Return a JSON object's fields; raise Fails; a body that is no object fails as the field "body"."""
        if not isinstance(given, dict):
            raise (self.unknown or self.wrong)("body")
        forms = {**self.needed, **self.optional}
        if self.unknown is not None and (others := sorted(given.keys() - forms.keys())):
            raise self.unknown(others[0])
        for name in self.needed:
            if name not in given or (self.empty_is_missing and not given[name]):
                raise (self.missing or self.wrong)(name)
        for name, form in forms.items():
            if name in given and not form(given[name]):
                raise self.wrong(name)
        return given
