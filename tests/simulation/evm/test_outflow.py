"""What may leave the sender: the input alone, and an allowance of it to its spender."""

from dataclasses import replace

import pytest

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.nodes.evm.rpc import Log
from rhumbline.simulation.evm.bundle import NATIVE_LOG
from rhumbline.simulation.evm.outflow import TRANSFER, native_gain, objection
from tests.routing.venues import DIAMOND, OTHER, USDC, WALLET, WETH
from tests.simulation.evm.test_verdict import BUNDLE, TASK, moved, word


def approved(token: str, owner: str, spender: str, amount: int) -> Log:
    return Log(
        token.lower(), (topic("Approval(address,address,uint256)"), word(owner), word(spender)), amount.to_bytes(32)
    )


FOR_ALL = Log(USDC.lower(), (topic("ApprovalForAll(address,address,bool)"), word(WALLET), word(OTHER)), bytes(32))
PERMIT2 = Log(
    OTHER.lower(),
    (topic("Approval(address,address,address,uint160,uint48)"), word(WALLET), word(USDC), word(OTHER)),
    bytes(64),
)
NFT = Log(OTHER.lower(), (TRANSFER, word(WALLET), word(OTHER), bytes(32)), b"")
MULTI = Log(
    OTHER.lower(),
    (topic("TransferSingle(address,address,address,uint256,uint256)"), word(OTHER), word(WALLET), word(OTHER)),
    bytes(64),
)


@pytest.mark.parametrize(
    ("logs", "objects"),
    [
        ([], False),
        ([moved(USDC, WALLET, OTHER, 400), moved(USDC, WALLET, DIAMOND, 600)], False),
        ([moved(USDC, WALLET, OTHER, 401), moved(USDC, WALLET, DIAMOND, 600)], True),
        ([moved(WETH, OTHER, WALLET, 10**30)], False),
        ([moved(WETH, WALLET, OTHER, 1)], True),
        ([approved(USDC, WALLET, DIAMOND, 600)], False),
        ([approved(USDC, WALLET, DIAMOND, 1001)], True),
        ([approved(USDC, WALLET, OTHER, 1)], True),
        ([approved(WETH, WALLET, DIAMOND, 1)], True),
        ([approved(WETH, OTHER, DIAMOND, 1)], False),
        ([FOR_ALL], True),
        ([PERMIT2], True),
        ([NFT], True),
        ([MULTI], True),
        ([moved(NATIVE_LOG, WALLET, OTHER, 1)], True),
        ([Log(OTHER.lower(), (), b"")], False),
    ],
)
def test_what_may_leave_the_sender(logs: list[Log], objects: bool) -> None:
    assert (objection(BUNDLE, logs) is not None) is objects


def test_native_input_may_leave_as_value_only() -> None:
    bundle = replace(BUNDLE, task=replace(TASK, input_token=NATIVE_EVM, spender=None, value=1000))
    assert objection(bundle, [moved(NATIVE_LOG, WALLET, DIAMOND, 1000)]) is None
    assert objection(bundle, [moved(NATIVE_LOG, WALLET, DIAMOND, 1001)]) is not None
    assert objection(bundle, [moved(USDC, WALLET, DIAMOND, 1)]) is not None
    assert objection(bundle, [approved(NATIVE_LOG, WALLET, DIAMOND, 1)]) is not None


def test_native_gain_counts_both_ways() -> None:
    logs = [moved(NATIVE_LOG, OTHER, WALLET, 10), moved(NATIVE_LOG, WALLET, OTHER, 3), moved(USDC, OTHER, WALLET, 99)]
    assert native_gain(logs, WALLET) == 7
