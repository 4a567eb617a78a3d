"""What never changes on a chain, as router and factory say themselves."""

from collections.abc import Mapping
from dataclasses import dataclass

from rhumbline.adapters.uniswap.block_reads import Head, read_at
from rhumbline.adapters.uniswap.deployments import Deployment
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.multicall import Read
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

_ROUTER_SAYS = ("WETH9()", "factoryV2()", "factory()")


@dataclass(frozen=True, slots=True)
class Facts:
    """The factories that the router can use, None for one it cannot; V3's tick spacings by fee in millionths."""

    v2_factory: str | None
    v3_factory: str | None
    spacings: Mapping[int, int]


async def read_facts(rpc: EvmRpc, deployment: Deployment, head: Head) -> Facts:
    """Ask the router for its factories: pools of any other could be quoted, but not swapped with.

    On several chains SwapRouter02 is older than the V2 factory and does not know it. Raise NodeUnavailable when there
    is no such router, HeadGone or RpcError.
    """
    reads = [Read(deployment.router, selector(name)) for name in _ROUTER_SAYS]
    if deployment.v3_factory is not None:
        reads += [
            Read(deployment.v3_factory, encode_call("feeAmountTickSpacing(uint24)", ["uint24"], [tier]))
            for tier in deployment.tiers
        ]
    answers = await read_at(rpc, deployment.multicall, head, reads)
    wrapped, v2_factory, v3_factory = (address_in(answer) for answer in answers[:3])
    if wrapped != deployment.wrapped_native.address:
        raise NodeUnavailable(f"{rpc.name}: there is no SwapRouter02 with this wrapped native at {deployment.router}")
    spacings = {
        tier: int.from_bytes(answer, signed=True)
        for tier, answer in zip(deployment.tiers, answers[3:], strict=False)
        if answer is not None and len(answer) == 32 and any(answer)
    }
    return Facts(
        v2_factory if v2_factory == deployment.v2_factory else None,
        v3_factory if v3_factory == deployment.v3_factory else None,
        spacings,
    )


def address_in(answer: bytes | None) -> str | None:
    """Read an address; None for a revert, the zero address, or an account without code (which answers nothing)."""
    if answer is None or len(answer) != 32 or not any(answer):
        return None
    return checksummed(answer[12:])
