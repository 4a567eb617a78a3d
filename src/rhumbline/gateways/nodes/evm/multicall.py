"""Many reads in one call: Multicall3's ``tryBlockAndAggregate`` (https://github.com/mds1/multicall3, read 2026-11)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_call
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11"
_ANSWER = ("uint256", "bytes32", "(bool,bytes)[]")
_BLOCK = "tryBlockAndAggregate(bool,(address,bytes)[])"


@dataclass(frozen=True, slots=True)
class Read:
    """One read-only call."""

    to: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Reads:
    """The answers from one block, in order; None if a call reverted."""

    block: int
    block_hash: bytes
    answers: tuple[bytes | None, ...]


async def read_many(rpc: EvmRpc, reads: Sequence[Read], multicall: str = MULTICALL3, chunk: int = 500) -> Reads:
    """Make all reads at one and the same block.

    One chunk is made at the latest block; several at the number that the node names first, because what Multicall3
    itself reports is another chain's block on some rollups. Raise NodeUnavailable without such an answer.
    """
    block_tag = "latest" if len(reads) <= chunk else hex(await rpc.block_number())
    number, block_hash = 0, b""
    answers: list[bytes | None] = []
    for start in range(0, max(len(reads), 1), chunk):
        part = [(read.to, read.data) for read in reads[start : start + chunk]]
        raw = await rpc.eth_call(
            multicall, encode_call(_BLOCK, ["bool", "(address,bytes)[]"], [False, part]), block_tag
        )
        try:
            number, block_hash, results = _answer(raw)
        except MalformedAnswer as error:
            raise NodeUnavailable(f"{rpc.name}: Multicall3 does not answer at {multicall}") from error
        answers += results
    return Reads(number, block_hash, tuple(answers))


def _answer(raw: bytes) -> tuple[int, bytes, list[bytes | None]]:
    number, block_hash, results = decode_args(_ANSWER, raw)
    if not isinstance(number, int) or not isinstance(block_hash, bytes) or not isinstance(results, tuple | list):
        raise MalformedAnswer("Multicall3 answered other types")
    return number, block_hash, [data if ok else None for ok, data in results]
