"""A node's blocks: whether one of them contains a transaction.

Methods and error codes: solana.com/docs/rpc/http/getblock, .../getblockswithlimit and github.com/anza-xyz/agave,
rpc-client-api/src/custom_error.rs, read 2026-11-23.
"""

import msgspec
from msgspec.json import Decoder

from rhumbline.gateways.nodes.json_rpc import Answer
from rhumbline.gateways.nodes.svm.calls import SvmRpcError, as_it_is
from rhumbline.gateways.nodes.svm.fields import Count, Shape
from rhumbline.gateways.nodes.svm.rpc import SvmRpc

_SKIPPED = frozenset({-32007, -32009})
"""The slot was skipped, or is missing: nodes do not tell these apart."""


class Block(Shape, frozen=True):
    """A final block: the previous block's slot, and the signatures of its transactions."""

    parent: Count = msgspec.field(name="parentSlot")
    signatures: frozenset[str]


_BLOCK: Decoder[Answer[Block | None]] = Decoder(Answer[Block | None])
_SLOTS = Decoder(Answer[list[Count]])


async def is_absent(rpc: SvmRpc, signature: str, slot: int) -> bool | None:
    """Return whether a transaction is not in a slot's final block; None if the node cannot say.

    A slot that was skipped has no block: the next block's parent lies before it then. Raise NodeUnavailable.
    """
    try:
        block = await _block(rpc, slot)
        if block is None:
            following = await _next(rpc, slot)
            after = None if following is None else await _block(rpc, following)
            return True if after is not None and after.parent < slot else None
    except SvmRpcError:
        return None
    return signature not in block.signatures


async def _block(rpc: SvmRpc, slot: int) -> Block | None:
    """Return the final block of a slot, None where there is none; raise SvmRpcError or NodeUnavailable."""
    options = {"commitment": "finalized", "transactionDetails": "signatures", "rewards": False}
    options |= {"maxSupportedTransactionVersion": 1}

    def read(block: Block | None) -> Block | None:
        if block is not None and block.parent >= slot:
            raise ValueError("not before the block")
        return block

    try:
        return await rpc.ask(_BLOCK, read, "getBlock", [slot, options])
    except SvmRpcError as error:
        if error.code in _SKIPPED:
            return None
        raise


async def _next(rpc: SvmRpc, slot: int) -> int | None:
    """Return the slot of the first final block after a slot, None where there is none yet."""
    params = [slot + 1, 1, {"commitment": "finalized"}]
    found = await rpc.ask(_SLOTS, as_it_is, "getBlocksWithLimit", params)
    return found[0] if found else None
