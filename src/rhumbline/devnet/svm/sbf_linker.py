"""Links an object file, compiled for BPF by a common compiler, into a program that Solana's runtime loads.

Only the file format differs: a call of the runtime is a relocation by name, which the runtime's loader resolves itself.
An object is accepted if its code is one section, it has no data, and all its relocations are such calls; the compiler
resolves calls of its own functions. Formats: the ELF-64 specification, and github.com/anza-xyz/sbpf, src/elf.rs
(version 0 of the instruction set), read 2026-11-22.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_PAIR = struct.Struct("<QQ")
_IDENTITY = b"\x7fELF\x02\x01\x01".ljust(16, b"\x00")
_SHARED_OBJECT, _BPF, _CALL = 3, 247, 10
_PROGBITS, _STRTAB, _DYNAMIC, _REL, _DYNSYM = 1, 3, 6, 9, 11
_ALLOCATED, _EXECUTABLE = 2, 4
_GLOBAL = 0x10
_CALL_OPCODE, _TO_RUNTIME = 0x85, 0x10
_IGNORED = (".eh_frame",)


class LinkError(Exception):
    """The object file cannot become a program; the message says why."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of an ELF file."""

    name: str
    kind: int
    flags: int
    data: bytes
    info: int = 0
    link: int = 0
    entry_size: int = 0


def read_sections(file: bytes) -> list[Section]:
    """Return the sections of an ELF-64 file, in order; raise LinkError for any other file."""
    try:
        header = _HEADER.unpack_from(file)
        if header[0][:7] != _IDENTITY[:7] or header[2] != _BPF:
            raise LinkError("not an object file for BPF")
        table, count, names_at = header[6], header[12], header[13]
        rows = [_SECTION.unpack_from(file, table + _SECTION.size * index) for index in range(count)]
    except struct.error:
        raise LinkError("not a whole ELF file") from None
    names = file[rows[names_at][4] :]
    return [
        Section(_text(names, row[0]), row[1], row[2], file[row[4] : row[4] + row[5]], row[7], row[6], row[9])
        for row in rows
    ]


def link(file: bytes) -> bytes:
    """Return the program of an object file, deterministically; its entry is the first instruction.

    Raise LinkError for data sections, other relocations than calls, and an entry elsewhere.
    """
    sections = read_sections(file)
    code = next((each for each in sections if each.name == ".text"), None)
    if code is None:
        raise LinkError("no code")
    for each in sections:
        if each.flags & _ALLOCATED and each.data and each is not code and each.name not in _IGNORED:
            raise LinkError(f"{each.name}: a program has code only, no data")
    symbols = next(each for each in sections if each.kind == 2)
    names = sections[symbols.link].data
    table = [(_text(names, row[0]), row[3], row[4]) for row in _SYMBOL.iter_unpack(symbols.data)]
    if ("entrypoint", sections.index(code), 0) not in table:
        raise LinkError("the first instruction is not that of `entrypoint`")
    calls: list[tuple[int, str]] = []
    for each in sections:
        if each.kind != _REL or each.info != sections.index(code):
            continue
        for offset, kind in _PAIR.iter_unpack(each.data):
            name, place, _ = table[kind >> 32]
            if kind & 0xFFFFFFFF != _CALL or place != 0:
                raise LinkError(f"{name or 'a section'}: only calls of the runtime can be resolved")
            calls.append((offset, name))
    return _program(code.data, calls)


def _program(code: bytes, calls: Sequence[tuple[int, str]]) -> bytes:
    text = bytearray(code)
    called = sorted({name for _, name in calls})
    for offset, _ in calls:
        if text[offset] != _CALL_OPCODE:
            raise LinkError("a relocation that is not at a call")
        text[offset + 1] = _TO_RUNTIME
        text[offset + 4 : offset + 8] = b"\xff\xff\xff\xff"
    strings, starts = _strings(called)
    dynsym = bytes(_SYMBOL.size) + b"".join(_SYMBOL.pack(starts[name], _GLOBAL, 0, 0, 0, 0) for name in called)
    start = _HEADER.size + 3 * _SEGMENT.size
    # Addresses are offsets in the file.
    dynsym_at = _aligned(start + len(text))
    strings_at = dynsym_at + len(dynsym)
    calls_at = _aligned(strings_at + len(strings))
    relocations = b"".join(_PAIR.pack(start + offset, (called.index(name) + 1) << 32 | _CALL) for offset, name in calls)
    dynamic_at = calls_at + len(relocations)
    dynamic = b"".join(
        _PAIR.pack(tag, value)
        for tag, value in ((17, calls_at), (18, len(relocations)), (19, _PAIR.size), (5, strings_at), (6, dynsym_at))
    ) + bytes(_PAIR.size)
    placed = [
        (Section(".text", _PROGBITS, _ALLOCATED | _EXECUTABLE, bytes(text)), start),
        (Section(".dynsym", _DYNSYM, _ALLOCATED, dynsym, 1, 3, _SYMBOL.size), dynsym_at),
        (Section(".dynstr", _STRTAB, _ALLOCATED, strings), strings_at),
        (Section(".rel.dyn", _REL, _ALLOCATED, relocations, 0, 2, _PAIR.size), calls_at),
        (Section(".dynamic", _DYNAMIC, _ALLOCATED, dynamic, 0, 3, _PAIR.size), dynamic_at),
    ]
    end = dynamic_at + len(dynamic)
    segments = [
        _segment(1, 5, start, len(text)), _segment(1, 4, dynsym_at, end - dynsym_at),
        _segment(2, 4, dynamic_at, len(dynamic)),
    ]  # fmt: skip
    return _written(placed, segments, start)


def _written(placed: list[tuple[Section, int]], segments: list[bytes], entry: int) -> bytes:
    names, starts = _strings([".shstrtab", *(section.name for section, _ in placed)])
    last, last_at = placed[-1]
    names_at = last_at + len(last.data)
    table_at = _aligned(names_at + len(names))
    everything = [*placed, (Section(".shstrtab", _STRTAB, 0, names), names_at)]
    header = _HEADER.pack(
        _IDENTITY, _SHARED_OBJECT, _BPF, 1, entry, _HEADER.size, table_at, 0, _HEADER.size, _SEGMENT.size,
        len(segments), _SECTION.size, len(everything) + 1, len(everything),
    )  # fmt: skip
    out = bytearray(header + b"".join(segments))
    for section, at in everything:
        out = out.ljust(at, b"\x00") + section.data
    out = out.ljust(table_at + _SECTION.size, b"\x00")
    for section, at in everything:
        address = at if section.flags else 0
        out += _SECTION.pack(
            starts[section.name], section.kind, section.flags, address, at, len(section.data), section.link,
            section.info, 8 if section.flags else 1, section.entry_size,
        )  # fmt: skip
    return bytes(out)


def _segment(kind: int, flags: int, at: int, size: int) -> bytes:
    return _SEGMENT.pack(kind, flags, at, at, at, size, size, 8)


def _strings(names: Iterable[str]) -> tuple[bytes, dict[str, int]]:
    """Return a string table, and the offset of each name in it."""
    table, starts = b"\x00", {}
    for name in names:
        starts[name] = len(table)
        table += name.encode() + b"\x00"
    return table, starts


def _text(strings: bytes, start: int) -> str:
    return strings[start : strings.index(b"\x00", start)].decode()


def _aligned(place: int) -> int:
    return (place + 7) // 8 * 8
