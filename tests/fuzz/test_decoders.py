"""A sample of `make fuzz` without chains, and that it sees what it is to see."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from fuzz.decoder import Bench, Decoder
from fuzz.evm_codecs import evm_codecs
from fuzz.inbound import inbound
from fuzz.mutations import altered_body, altered_bytes, altered_text
from fuzz.reach import left_out, reading
from fuzz.streams import streams
from fuzz.svm_codecs import svm_codecs
from fuzz.texts import texts

CASES = 25


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with asyncio.Runner() as runner:
        yield Bench(runner, 7)


@pytest.mark.parametrize("made", [evm_codecs, svm_codecs, texts, inbound, streams])
def test_nothing_but_the_documented_errors(bench: Bench, made: Any) -> None:
    for decoder in made():
        for case in range(len(decoder.samples) + CASES):
            assert bench.fault(decoder, case) is None


def decoder_of(read: Any, errors: tuple[type[Exception], ...] = ()) -> Decoder:
    return Decoder("toy", (b"sound",), altered_bytes, read, errors)


def fails(data: bytes) -> None:
    if data != b"sound":
        raise KeyError(data)


def never(data: bytes) -> None:
    raise ValueError("never")


def test_an_error_that_is_not_documented_is_a_fault(bench: Bench) -> None:
    found = [bench.fault(decoder_of(fails), case) for case in range(30)]
    assert found[0] is None
    assert any(fault is not None and fault.what.startswith("KeyError") for fault in found)
    assert not any(bench.fault(decoder_of(fails, (KeyError,)), case) for case in range(30))


def test_a_genuine_sample_that_is_refused_is_a_fault(bench: Bench) -> None:
    assert bench.fault(decoder_of(never, (ValueError,)), 0) is not None
    assert bench.fault(decoder_of(never, (ValueError,)), 1) is None


def test_too_long_and_too_much_are_faults(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.decoder.LONGEST_S", 0.005)
    slow = bench.fault(decoder_of(lambda data: sum(range(2_000_000))), 0)
    assert slow is not None
    assert slow.place == "time"
    monkeypatch.setattr("fuzz.decoder.LONGEST_S", 60.0)
    monkeypatch.setattr("fuzz.decoder.LARGEST_KB", 1024)
    large = bench.fault(decoder_of(lambda data: len(b"x" * 400_000_000)), 0)
    assert large is not None
    assert large.place == "memory"


def test_the_same_case_is_the_same_input() -> None:
    with asyncio.Runner() as runner:
        one, other = Bench(runner, 3), Bench(runner, 3)
        for decoder in (decoder_of(fails), *texts()[:3]):
            assert [one.input_of(decoder, case) for case in range(20)] == [
                other.input_of(decoder, case) for case in range(20)
            ]


def test_alterations_alter(bench: Bench) -> None:
    made = [
        Decoder("bytes", (b"0123456789",), altered_bytes, len, ()),
        Decoder("text", ("0123456789",), altered_text, len, ()),
        Decoder("body", (b'{"a": [1, "0x1234"]}',), altered_body, len, ()),
    ]
    for decoder in made:
        inputs = {repr(bench.input_of(decoder, case)) for case in range(200)}
        assert len(inputs) > 100, decoder.name


def test_a_module_that_reads_foreign_bytes_is_asked_for() -> None:
    every = reading()
    assert {"adapters/relay/wire.py", "gateways/svm/decompiler.py", "tracking/evm/logs.py"} <= every
    assert left_out(every) == []
    assert left_out(every - {"adapters/relay/wire.py"}) == ["adapters/relay/wire.py"]
