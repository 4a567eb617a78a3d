"""Tokens that a call leaves with its caller, by the events of its run."""

import pytest

from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.nodes.evm.rpc import Log
from rhumbline.routing.evm.stray_tokens import strays

EXECUTOR, OTHER = "0x" + "11" * 20, "0x" + "22" * 20
TOKEN, SHARES = "0x" + "aa" * 20, "0x" + "bb" * 20


def word(address: str) -> bytes:
    return bytes(12) + bytes.fromhex(address[2:])


def moved(token: str, sender: str, to: str, amount: int) -> Log:
    return Log(token, (topic("Transfer(address,address,uint256)"), word(sender), word(to)), amount.to_bytes(32))


def wrapped(word_: str, who: str, amount: int) -> Log:
    return Log(TOKEN, (topic(f"{word_}(address,uint256)"), word(who)), amount.to_bytes(32))


NUMBERED = Log(SHARES, (topic("Transfer(address,address,uint256)"), word(OTHER), word(EXECUTOR), bytes(32)), b"")
SINGLE = topic("TransferSingle(address,address,address,uint256,uint256)")
MANY_KINDS = Log(SHARES, (SINGLE, word(OTHER), bytes(32), word(EXECUTOR)), bytes(64))


@pytest.mark.parametrize(
    ("logs", "found"),
    [
        ([moved(TOKEN, OTHER, EXECUTOR, 9), moved(TOKEN, EXECUTOR, OTHER, 5), moved(TOKEN, EXECUTOR, OTHER, 4)], []),
        ([moved(TOKEN, OTHER, EXECUTOR, 9), moved(TOKEN, EXECUTOR, OTHER, 8)], [TOKEN]),
        ([moved(TOKEN, OTHER, EXECUTOR, 9), moved(TOKEN, EXECUTOR, OTHER, 9), moved(SHARES, OTHER, EXECUTOR, 1)],
         [SHARES]),
        ([moved(TOKEN, OTHER, EXECUTOR, 9), wrapped("Withdrawal", EXECUTOR, 9)], []),
        ([wrapped("Deposit", EXECUTOR, 9)], [TOKEN]),
        ([moved(TOKEN, EXECUTOR, EXECUTOR, 9)], []),
        ([NUMBERED], [SHARES]),
        ([MANY_KINDS], [SHARES]),
        ([moved(TOKEN, EXECUTOR, OTHER, 9), Log(TOKEN, (), b"")], []),
    ],
)  # fmt: skip
def test_what_stays_is_found(logs: list[Log], found: list[str]) -> None:
    assert [token.lower() for token in strays(logs, EXECUTOR)] == found
