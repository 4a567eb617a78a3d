"""Which modules read foreign bytes, and which of them a fuzzing run enters."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

import rhumbline

_SOURCES = Path(rhumbline.__path__[0])
_NAMES = frozenset({"wire.py", "checking.py", "calldata.py", "protocol_calls.py", "strict_json.py"})
_READS = re.compile(
    r"\b(read_json|raw_decode|json\.loads|msgspec\.convert|model_validate|read_answer|decode_first|decode_loosely"
    r"|decode_args|read_canonical|b64decode|unhexlify|fromhex|from_bytes|unpack|unpack_from|decompile\w*|parsedate\w*"
    r"|urlsplit|parse_qsl|fromisoformat|strptime|Http\w+Parser)\(|\bjson\.Decoder\(|\.decode\((data|call|raw|body)"
    r"|\((Camel)?Answer\):|\(Shape[,)]",
    re.ASCII,
)
_OWN: Mapping[str, str] = {}


def reading() -> set[str]:
    """Return the modules below ``src/rhumbline`` that read bytes of somebody else, but for the sandbox's."""
    found = set()
    for file in _SOURCES.rglob("*.py"):
        path = file.relative_to(_SOURCES).as_posix()
        if path.startswith(("devnet/", "gateways/postgres/migrations/")):
            continue
        if file.name in _NAMES or _READS.search(file.read_text("utf-8")):
            found.add(path)
    return found


def left_out(entered: Collection[str]) -> list[str]:
    """Return the modules that read foreign bytes, are entered by nobody, and have no reason for it."""
    return sorted(reading() - set(entered) - set(_OWN))
