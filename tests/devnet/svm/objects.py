"""Object files for BPF, as small as they can be."""

import struct
from collections.abc import Sequence

CALL = b"\x85\x10\x00\x00\xff\xff\xff\xff"
EXIT = b"\x95" + bytes(7)


def object_file(
    code: bytes,
    *,
    calls: Sequence[tuple[int, str]] = (),
    kind: int = 10,
    data: bytes = b"",
    machine: int = 247,
    entry: str = "entrypoint",
    entry_at: int = 0,
) -> bytes:
    """Make one: its code, calls by place and name, data, and where its entry is."""
    strings, symbols = b"\x00", bytes(24)
    names = [entry, *(name for _, name in calls if name != entry)]
    for name in names:
        here = name == entry
        symbols += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1 if here else 0, entry_at if here else 0, 0)
        strings += name.encode() + b"\x00"
    relocations = b"".join(struct.pack("<QQ", at, (names.index(name) + 1) << 32 | kind) for at, name in calls)
    titles = b"\x00.text\x00.symtab\x00.strtab\x00.rel.text\x00.data\x00"
    rows = [(0, 0, 0, b"", 0, 0)]
    for title, sort, flags, content, link, info in (
        (b".text", 1, 6, code, 0, 0), (b".symtab", 2, 0, symbols, 3, 0), (b".strtab", 3, 0, strings, 0, 0),
        (b".rel.text", 9, 0, relocations, 2, 1), (b".data", 1, 3, data, 0, 0), (b"", 3, 0, titles, 0, 0),
    ):  # fmt: skip
        rows.append((titles.index(title + b"\x00") if title else 0, sort, flags, content, link, info))
    out, table = bytearray(64), b""
    for title_at, sort, flags, content, link, info in rows:
        table += struct.pack("<IIQQQQIIQQ", title_at, sort, flags, 0, len(out), len(content), link, info, 1, 0)
        out += content
    out[:64] = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 1, machine, 1, 0, 0, len(out), 0, 64, 0, 0, 64, len(rows), 6
    )
    return bytes(out) + table
