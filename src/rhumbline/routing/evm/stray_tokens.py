"""Tokens that a call leaves with its caller, by the events of a run. Pure."""

from collections import Counter
from collections.abc import Iterable

from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import Log

_TRANSFER = topic("Transfer(address,address,uint256)")
_WRAPPED, _UNWRAPPED = (topic("Deposit(address,uint256)"),), (topic("Withdrawal(address,uint256)"),)
_ONE, _MANY = (
    topic("TransferSingle(address,address,address,uint256,uint256)"),
    topic("TransferBatch(address,address,address,uint256[],uint256[])"),
)


def strays(logs: Iterable[Log], account: str) -> tuple[str, ...]:
    """Return the tokens of which ``account`` got more than it gave: ERC-20, ERC-721 and ERC-1155.

    An ERC-1155 token counts whenever it comes to the account at all. Wrapped native tells of wrapping by events of its
    own (WETH9).
    """
    word = bytes(12) + bytes.fromhex(account.removeprefix("0x"))
    gained: Counter[str] = Counter()
    for log in logs:
        kind, parties = log.topics[:1], log.topics[1:]
        if kind == (_TRANSFER,) and len(parties) >= 2:
            # An ERC-721 token has its number in a topic, and moves as one.
            amount = 1 if len(parties) > 2 else int.from_bytes(log.data[:32])
            gained[log.address] += amount * ((parties[1] == word) - (parties[0] == word))
        elif kind in (_WRAPPED, _UNWRAPPED) and parties == (word,):
            gained[log.address] += int.from_bytes(log.data[:32]) * (1 if kind == _WRAPPED else -1)
        elif kind in ((_ONE,), (_MANY,)) and len(parties) == 3:
            gained[log.address] += parties[2] == word
    return tuple(checksummed(token) for token, amount in gained.items() if amount > 0)
