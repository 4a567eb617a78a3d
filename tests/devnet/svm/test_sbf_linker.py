"""The linker: calls become ones that the loader resolves, and what is no object is refused."""

import struct

import pytest

from rhumbline.devnet.svm.program_build import program
from rhumbline.devnet.svm.sbf_linker import LinkError, link, read_sections
from tests.devnet.svm.objects import CALL, EXIT, object_file


def test_the_pool_calls_as_often_as_it_says() -> None:
    sections = {each.name: each for each in read_sections(program("pool"))}
    called = sections[".dynstr"].data.split(b"\x00")[1:-1]
    assert called == [b"sol_create_program_address", b"sol_invoke_signed_c", b"sol_set_return_data"]
    # One address made, one transfer in, one out, one answer.
    assert len(list(struct.iter_unpack("<QQ", sections[".rel.dyn"].data))) == 4


def test_a_call_becomes_one_that_the_loader_resolves() -> None:
    linked = link(object_file(CALL + EXIT, calls=[(0, "sol_log_")]))
    assert link(object_file(CALL + EXIT, calls=[(0, "sol_log_")])) == linked
    sections = {each.name: each for each in read_sections(linked)}
    assert sections[".text"].data == b"\x85\x10\x00\x00\xff\xff\xff\xff" + EXIT
    assert sections[".dynstr"].data == b"\x00sol_log_\x00"


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "whole ELF"),
        (bytes(64), "not an object file"),
        (object_file(EXIT)[:100], "whole ELF"),
        (object_file(EXIT, machine=62), "not an object file"),
        (object_file(EXIT, entry="main"), "first instruction"),
        (object_file(EXIT + EXIT, entry_at=8), "first instruction"),
        (object_file(EXIT, data=b"\x07"), "no data"),
        (object_file(CALL + EXIT, calls=[(0, "sol_log_")], kind=1), "only calls"),
        (object_file(CALL + EXIT, calls=[(8, "sol_log_")]), "not at a call"),
        (object_file(CALL + EXIT, calls=[(0, "entrypoint")]), "only calls"),
    ],
)
def test_what_is_no_such_object_is_refused(file: bytes, why: str) -> None:
    with pytest.raises(LinkError, match=why):
        link(file)
