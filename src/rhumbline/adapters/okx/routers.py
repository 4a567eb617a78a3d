"""Whether a contract is one of OKX's routers: by the approved contract's list, read through a node.

Source: TokenApprove and TokenApproveProxy as verified on chains (the same in DEX-Router-EVM-V1), read 2026-11-22.
TokenApprove pays out only to its ``tokenApproveProxy``, and that only to the contracts that its ``isAllowedProxy``
lists, which its owner adds before they are used. So a listed contract can already move what a wallet has approved, and
a router with which OKX replaces another is recognised without a release of ours.
"""

from dataclasses import dataclass, field

from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeUnavailable, UpstreamFailed
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError

PROXY = Function("tokenApproveProxy()")
ALLOWED = Function("isAllowedProxy(address)")
APPROVED = Function("tokenApprove()")
KEPT_S = 300
"""How long an answer is trusted: a router that OKX removes from its list is refused after this."""
_MOST = 256


@dataclass(slots=True)
class RouterProof:
    """Asks chains about routers, and caches the answers for ``KEPT_S`` seconds."""

    clock: Clock
    kept: dict[tuple[int, str, str], tuple[float, bool]] = field(default_factory=dict)

    async def is_listed(self, chain_id: int, rpc: EvmRpc, approve: str, router: str) -> bool:
        """Return whether a chain's approval contract allows a router; raise UpstreamFailed if no node answers."""
        key, now = (chain_id, approve.lower(), router.lower()), self.clock().timestamp()
        known = self.kept.get(key)
        if known is not None and 0 <= now - known[0] < KEPT_S:
            return known[1]
        try:
            listed = await _ask(rpc, approve, router)
        except (NodeUnavailable, RpcError) as error:
            reason = f"cannot tell whether a router is OKX's: {rpc.name}'s node does not answer"
            raise UpstreamFailed(reason) from error
        if len(self.kept) >= _MOST:
            self.kept.clear()
        self.kept[key] = now, listed
        return listed


async def _ask(rpc: EvmRpc, approve: str, router: str) -> bool:
    """Ask both contracts; what reverts or answers anything else knows no routers. Raise NodeUnavailable, RpcError."""
    try:
        proxy = _address(await rpc.eth_call(approve, PROXY.encode()))
        if int(proxy, 16) == 0 or _address(await rpc.eth_call(proxy, APPROVED.encode())).lower() != approve.lower():
            return False
        return await rpc.eth_call(proxy, ALLOWED.encode(router)) == (1).to_bytes(32)
    except MalformedAnswer:
        return False
    except RpcError as error:
        if not error.is_revert:
            raise
        return False


def _address(answer: bytes) -> str:
    (found,) = decode_args(("address",), answer)
    return str(found)
