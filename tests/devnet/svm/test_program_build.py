"""The committed programs are what their sources give, and the linker makes nothing of what it does not know."""

import json
import struct
from pathlib import Path

import pytest

from rhumbline.devnet.svm.program_build import DIGESTS, BuildError, build, digests, names, program
from rhumbline.devnet.svm.sbf_linker import read_sections


def test_nobody_changed_a_source_or_a_program_alone() -> None:
    kept = json.loads(DIGESTS.read_text("utf-8"))
    assert digests() == kept, "run `make program`"


@pytest.mark.parametrize("name", names())
def test_a_program_has_code_and_calls_of_the_runtime(name: str) -> None:
    sections = {each.name: each for each in read_sections(program(name))}
    assert all(called.startswith(b"sol_") for called in sections[".dynstr"].data.split(b"\x00")[1:-1])
    assert {kind & 0xFFFFFFFF for _, kind in struct.iter_unpack("<QQ", sections[".rel.dyn"].data)} == {10}
    assert ".rodata" not in sections


async def test_without_the_compiler_nothing_is_built() -> None:
    with pytest.raises(BuildError, match="does not run"):
        await build(Path("/nowhere/python"), "pool")
