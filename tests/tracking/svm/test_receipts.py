"""What transactions on Solana cost."""

import pytest

from rhumbline.domain.errors import NodeRefused
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.tracking.chain_types import NetworkFee
from rhumbline.tracking.svm.receipts import SvmFees
from tests.tracking.svm.solana_orders import (
    SENDER,
    USER,
    SolanaOrders,
    budget,
)


async def test_fees_are_those_of_the_transaction(solana: SolanaOrders) -> None:
    sent = [await solana.send(*budget(), SystemTransfer(SENDER, SENDER, number).encode()) for number in range(10)]
    executed = await solana.rpc.transaction(sent[0])
    assert executed is not None
    unknown = str(USER.sign_message(b"never sent"))
    paid = await SvmFees(solana.rpc).paid({*sent, unknown, "not a signature"})
    assert set(paid) == set(sent)
    # A signature, and 400,000 units at 7 millionths of a lamport, rounded up.
    assert paid[sent[0]] == NetworkFee(str(executed.slot), 5003)
    with pytest.raises(NodeRefused):
        await solana.rpc.transaction("not a signature")
