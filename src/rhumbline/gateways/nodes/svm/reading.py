"""Reading what a node answered: each field in its form, and what is not in it refused by its name."""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solders.signature import Signature

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.address import is_address

U64 = 2**64 - 1
_LARGEST_INDEX = 255
_LONGEST_LINE = 10_000


class NotUnderstood(NodeUnavailable):
    """A node answered, and not what it was asked for: asked again it may say the same."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one thing, and calls it ``what`` when it is something else; every method raises NotUnderstood then."""

    what: str

    def refuse(self) -> NotUnderstood:
        """Return the error to raise."""
        return NotUnderstood(f"the node answered something that is not {self.what}")

    def fields(self, value: object) -> Mapping[str, object]:
        """Read an object."""
        if not isinstance(value, dict):
            raise self.refuse()
        return value

    def items(self, value: object) -> Sequence[object]:
        """Read an array."""
        if not isinstance(value, list):
            raise self.refuse()
        return value

    def integer(self, value: object, largest: int = U64) -> int:
        """Read a whole number from 0 to ``largest``; true and false are none."""
        if type(value) is not int or not 0 <= value <= largest:
            raise self.refuse()
        return value

    def index(self, value: object) -> int:
        """Read a place in a message, 0 to 255."""
        return self.integer(value, _LARGEST_INDEX)

    def amount(self, value: object) -> int:
        """Read a token amount, which is written as a text of digits."""
        if not isinstance(value, str) or not value.isascii() or not value.isdigit() or len(value) > 20:
            raise self.refuse()
        return self.integer(int(value))

    def truth(self, value: object) -> bool:
        """Read true or false."""
        if not isinstance(value, bool):
            raise self.refuse()
        return value

    def text(self, value: object) -> str:
        """Read a text."""
        if not isinstance(value, str):
            raise self.refuse()
        return value

    def address(self, value: object) -> str:
        """Read an address, or a blockhash, which has the same form."""
        if not isinstance(value, str) or not is_address(value):
            raise self.refuse()
        return value

    def signature(self, value: object) -> str:
        """Read a signature: base58 of 64 bytes."""
        try:
            return str(Signature.from_string(self.text(value)))
        except ValueError:
            raise self.refuse() from None

    def base58(self, value: object) -> str:
        """Read a text of bytes in base58, as instructions inside others have them; decoding it is not done here."""
        if not base58.is_base58(self.text(value)):
            raise self.refuse()
        return self.text(value)

    def base64(self, value: object) -> bytes:
        """Read bytes, told as a pair of the text and the word base64."""
        if not isinstance(value, list) or len(value) != 2 or value[1] != "base64" or not isinstance(value[0], str):
            raise self.refuse()
        try:
            return b64decode(value[0], validate=True)
        except ValueError:
            raise self.refuse() from None

    def logs(self, value: object) -> tuple[str, ...]:
        """Read lines of a log; what a program logs is its own, so a line is cut, not refused, when it is long."""
        return tuple(self.text(line)[:_LONGEST_LINE] for line in self.items([] if value is None else value))
