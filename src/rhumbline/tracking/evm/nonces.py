"""The blocks in which wallets sent something, found by their nonces, to read fewer blocks."""

from collections.abc import Iterable, Sequence

from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity
from rhumbline.tracking.evm.blocks import batch_below
from rhumbline.tracking.evm.positions import Checkpoint

_BATCH = 40
"""Public nodes refuse larger batches."""


async def blocks_with(rpc: EvmRpc, senders: Iterable[str], first: int, last: int, top: Checkpoint) -> frozenset[int]:
    """Return the blocks from ``first`` (at least 1) to ``last`` in which any of the senders sent a transaction.

    None of them is above ``top``. Raise RpcError when the node does not tell the state of old blocks, NodeUnavailable
    when it does not answer.
    """
    wanted = sorted(set(senders))
    both = [(each, first - 1) for each in wanted] + [(each, last) for each in wanted]
    nonces = await _nonces(rpc, both, top)
    found: set[int] = set()
    spans = [
        (sender, first - 1, last, low, high)
        for sender, low, high in zip(wanted, nonces, nonces[len(wanted) :], strict=False)
        if low != high
    ]
    while spans:
        found |= {end for _, start, end, _, _ in spans if end == start + 1}
        wide = [span for span in spans if span[2] > span[1] + 1]
        middles = await _nonces(rpc, [(sender, (start + end) // 2) for sender, start, end, _, _ in wide], top)
        spans = []
        for (sender, start, end, low, high), middle in zip(wide, middles, strict=True):
            half = (start + end) // 2
            spans += [(sender, start, half, low, middle)] if low != middle else []
            spans += [(sender, half, end, middle, high)] if middle != high else []
    return frozenset(found)


async def _nonces(rpc: EvmRpc, places: Sequence[tuple[str, int]], top: Checkpoint) -> list[int]:
    """Read each wallet's nonce after a block."""
    found: list[int] = []
    for start in range(0, len(places), _BATCH):
        part = places[start : start + _BATCH]
        calls = [("eth_getTransactionCount", [sender, hex(block)]) for sender, block in part]
        for answer in await batch_below(rpc, top, calls):
            if isinstance(answer, RpcError):
                raise answer
            found.append(quantity(answer))
    return found
