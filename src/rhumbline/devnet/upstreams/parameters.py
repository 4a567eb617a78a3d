"""What an endpoint's parameters have to be: required and known ones, each in its form. All emulators check by it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rhumbline.devnet.upstreams.behaviour import Fails, Received
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.svm.address import is_address as is_svm_address

Form = Callable[[Any], object]
"""Is true of a value that has the form: a text of a query, any JSON of a body."""
Refusal = Callable[[str], Fails]
"""Makes the failure for a parameter of that name."""


def pattern(words: str) -> Form:
    """Return the form of texts that match a regular expression from end to end."""
    compiled = re.compile(words, re.ASCII)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value)


def one_of(*words: object) -> Form:
    """Return the form of these values alone."""
    return lambda value: any(value is word or (type(value) is type(word) and value == word) for word in words)


AMOUNT = pattern("[1-9][0-9]{0,77}")
BOOLEAN = one_of("true", "false")


def text(value: object) -> bool:
    """Is true of texts."""
    return isinstance(value, str)


def flag(value: object) -> bool:
    """Is true of JSON's true and false."""
    return isinstance(value, bool)


def integer(value: object) -> bool:
    """Is true of JSON's integers."""
    return isinstance(value, int) and not isinstance(value, bool)


def anything(_: object) -> bool:
    """Is true of whatever is there."""
    return True


def evm_address(value: object) -> bool:
    """Is true of 0x-hex of 20 bytes, in letters of either case."""
    return isinstance(value, str) and is_address(value)


def svm_address(value: object) -> bool:
    """Is true of base58 of 32 bytes."""
    return isinstance(value, str) and is_svm_address(value)


def refusal(usual: str, **by_parameter: str) -> Refusal:
    """Return what refuses by an emulator's failure of this name, or by that of a parameter."""
    return lambda parameter: Fails(by_parameter.get(parameter, usual))


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters that an endpoint takes, and how it refuses others.

    What is documented and has no effect in the sandbox is not among them: it would be ignored without a word.
    ``unknown`` refuses one that is not among them, or is there twice; with None such are let pass. ``wrong`` refuses
    one of another form, and one that is missing, unless ``missing`` does; with ``empty_is_missing`` an empty one too.
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
        """Return the fields of a JSON object; raise Fails, for anything else as for a field "body"."""
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
