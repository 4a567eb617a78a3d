"""A sample of `make fuzz`: altered answers of every upstream, and of the nodes that its adapter asks."""

import asyncio
from collections.abc import Mapping

from fuzz.adapters import of_adapters
from fuzz.decoder import Bench, Decoder
from fuzz.reach import left_out
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator

CASES = 2
ALREADY = ("wire.py", "checking.py", "calldata.py", "protocol_calls.py")


def test_altered_answers_are_refused_or_sound(sandbox: Sandbox, emulators: Mapping[str, Emulator]) -> None:
    with asyncio.Runner() as runner:
        decoders: list[Decoder] = runner.run(of_adapters(sandbox, emulators, whole=False))
        bench = Bench(runner, 11)
        entered = {file for decoder in decoders for file in bench.entered(decoder)}
        faults = [bench.fault(decoder, case) for decoder in decoders for case in range(1 + CASES)]
    assert [fault for fault in faults if fault is not None] == []
    missing = [each for each in left_out(entered) if each.startswith("adapters/") and each.endswith(ALREADY)]
    assert missing == [], "an adapter's reader of answers that no conversation of its case enters"
