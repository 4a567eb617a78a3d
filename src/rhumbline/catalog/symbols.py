"""When two symbols look the same to a person: case, invisible characters and look-alike letters do not count.

A selection from the confusables of Unicode Technical Standard 39 (https://www.unicode.org/reports/tr39/, read 2026-11):
letters that look like Latin ones. ASCII characters are never folded into each other but for case: ``USD0`` and ``USDO``
are two real tokens.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

_LOOK_ALIKES = (
    # Cyrillic, capitals and small letters
    ("АВСЕНІЈКМОРԚЅТѴԜХУҮЗЬ", "ABCEHIJKMOPQSTVWXYY3b"),
    ("авсԁеһіјкмопрԛѕтѵԝхуү", "abcdehijkmonpqstvwxyy"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC"),
    ("αγικνορτυχϲ", "ayikvoptuxc"),
    # Armenian, Cherokee, Lisu
    ("ՍՕԼոսօհցզ", "UOLnuohgq"),
    ("ᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏙᏚᏞᏟᏢᏦᏴ", "DRTAJEWMHGZVSLCPKB"),
    ("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFMNLSRVHWXYAEIOU"),
    # Latin letters with strokes and without dots, small capitals, currency signs used as letters
    ("ØøĐđÐðŁłŦŧĦħƒıȷɑɡɩʋʏʜʟɴʀɪᴀʙᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢ", "OoDdDdLlTtHhfijagivyhlnriabcdejkmoptuvwz"),
    ("₿₮₳₵₦₱₴₭", "BTACNPSK"),
)
_FOLDED: Mapping[int, str] = MappingProxyType(
    {ord(foreign): latin for pair in _LOOK_ALIKES for foreign, latin in zip(*pair, strict=True)}
)
# Controls, invisible formatting, private use, unassigned, enclosing marks, separators.
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Me", "Zl", "Zp", "Zs"})
# Letters that are drawn as nothing: the Hangul fillers and the blank Braille pattern.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_PLAIN = re.compile(r"[!-~]*\Z")


def skeleton(symbol: str) -> str:
    """Return what a person sees of a symbol; two symbols with the same skeleton look the same."""
    if _PLAIN.match(symbol):
        return symbol.lower()
    seen = "".join(
        character
        for character in unicodedata.normalize("NFKD", symbol.translate(_FOLDED))
        if unicodedata.category(character) not in (_UNSEEN | {"Mn"}) and character not in _BLANK
    )
    folded = seen.translate(_FOLDED).casefold().translate(_FOLDED).lower()
    # What one pass uncovers another one may fold: it ends, for a pass never makes anything that a pass has removed.
    return folded if folded == symbol else skeleton(folded)


def hides_something(text: str) -> bool:
    """Return whether a symbol or name has invisible characters, or ones that change the direction of writing."""
    return not (text.isascii() and text.isprintable()) and any(
        character in _BLANK or (unicodedata.category(character) in _UNSEEN and character != " ") for character in text
    )


def is_plain(symbol: str) -> bool:
    """Return whether a symbol is written in visible ASCII characters alone."""
    return bool(symbol) and _PLAIN.match(symbol) is not None
