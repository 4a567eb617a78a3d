"""Which refunds count for a deposit."""

from dataclasses import replace

import pytest

from rhumbline.adapters.across import logs
from rhumbline.adapters.across.deployments import DEPLOYMENTS
from rhumbline.adapters.across.logs import Deposited, Log, Relay
from rhumbline.adapters.across.proof import Ends, own_refund
from rhumbline.gateways.evm.abi import encode_args
from tests.adapters.across.bridge_fixture import word
from tests.adapters.across.stub_upstream import BASE, ETHEREUM, POOL, RECEIVER, USDC, USDC_BASE, WALLET, WETH

ENDS = Ends(ETHEREUM, BASE, DEPLOYMENTS[1], DEPLOYMENTS[8453])
OTHER = "0x9999999999999999999999999999999999999999"
DEPOSITED = Deposited(
    Relay(
        word(WALLET), word(RECEIVER), bytes(32), word(USDC.address), word(USDC_BASE.address), 1_000, 990, 1, 7,
        1_800_000_000, 0, bytes(32),
    ),
    8453,
    b"",
)  # fmt: skip


def executed(
    amounts: list[int], addresses: list[str], *, token: str = USDC.address, deferred: bool = False, chain: int = 1
) -> Log:
    data = encode_args(logs._REFUND_DATA, [0, amounts, token, addresses, deferred, OTHER])
    topics = [logs.EXECUTED_REFUNDS, chain.to_bytes(32), bytes(32), bytes(32)]
    return Log.model_validate(
        {
            "address": POOL,
            "topics": ["0x" + each.hex() for each in topics],
            "data": "0x" + data.hex(),
            "logIndex": "0x0",
            "blockNumber": "0x1",
            "transactionHash": "0x" + "ab" * 32,
        }
    )


@pytest.mark.parametrize(
    "log",
    [
        executed([1_000], [WALLET]),
        executed([5, 1_000], [OTHER, WALLET]),
        executed([5_000], [WALLET]),
        executed([400, 600], [WALLET, WALLET]),
    ],
)
def test_the_depositor_got_at_least_the_deposit(log: Log) -> None:
    found = own_refund(log, ENDS, DEPOSITED)
    assert found is not None
    assert found.tx_hash == "0x" + "ab" * 32


@pytest.mark.parametrize(
    "log",
    [
        executed([999], [WALLET]),
        executed([1_000], [OTHER]),
        executed([1_000, 5], [OTHER, WALLET]),
        executed([1_000], [WALLET], token=WETH.address),
        executed([1_000], [WALLET], chain=10),
        # Some of it could not be paid, and nothing says whose.
        executed([1_000], [WALLET], deferred=True),
        executed([1_000], [WALLET]).model_copy(update={"address": OTHER}),
    ],
)
def test_what_is_no_refund_of_it(log: Log) -> None:
    assert own_refund(log, ENDS, DEPOSITED) is None


def test_a_refund_of_another_sum() -> None:
    more = replace(DEPOSITED, relay=replace(DEPOSITED.relay, input_amount=1_001))
    assert own_refund(executed([1_000], [WALLET]), ENDS, more) is None
