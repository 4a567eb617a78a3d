"""A wallet that nobody has is stood in for."""

from dataclasses import replace

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.simulation.evm.bundle import bundle_of
from tests.routing.venues import WALLET
from tests.simulation.evm.test_verdict import TASK


def test_placeholders_are_exchanged() -> None:
    task = replace(TASK, sender=NATIVE_EVM, receiver=NATIVE_EVM)
    bundle = bundle_of(task, None)
    assert (bundle.actor, bundle.receiver, bundle.data) == (STAND_IN, STAND_IN, b"\x02")
    sender_only = bundle_of(replace(TASK, sender=NATIVE_EVM), None)
    assert (sender_only.actor, sender_only.receiver, sender_only.data) == (STAND_IN, WALLET, b"\x01")
    fixed = bundle_of(replace(task, stand_in_data=None), None)
    assert (fixed.actor, fixed.receiver, fixed.data) == (STAND_IN, NATIVE_EVM, b"\x01")
