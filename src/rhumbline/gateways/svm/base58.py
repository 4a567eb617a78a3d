"""Base58 (Bitcoin's alphabet) of any number of bytes; addresses and signatures have their own readers.

The alphabet and the leading ones: tools.ietf.org/html/draft-msporny-base58-03, read 2026-11-22.
"""

_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS = {letter: value for value, letter in enumerate(_ALPHABET)}.get
_LONGEST = 16 * 1024


def decode(text: str) -> bytes:
    """Return the bytes of a base58 text; ValueError for another letter, and for more than 16,384 of them.

    Time grows with the square of the length.
    """
    if len(text) > _LONGEST:
        raise ValueError("a base58 text is too long")
    number = 0
    for letter in text:
        digit = _DIGITS(letter)
        if digit is None:
            raise ValueError("not base58")
        number = number * 58 + digit
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8)


def encode(data: bytes) -> str:
    """Write bytes in base58; time grows with the square of their number."""
    number = int.from_bytes(data)
    letters: list[str] = []
    while number:
        number, digit = divmod(number, 58)
        letters.append(_ALPHABET[digit])
    zeros = len(data) - len(data.lstrip(b"\x00"))
    return "1" * zeros + "".join(reversed(letters))
