"""Whether a contract is one of OKX's routers, by what is approved: the chain's own list, read through a node.

Source: TokenApprove and TokenApproveProxy as they are verified on chains (DEX-Router-EVM-V1 has the same), read
2026-11-22. TokenApprove pays out to nobody but its ``tokenApproveProxy``, and that to nobody but the contracts that its
``isAllowedProxy`` names, which its owner adds before they are used. So whoever is on that list may move what a wallet
has approved already, and a router that OKX puts in the place of another is known without a release of ours.
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
"""For how long an answer is believed: a router that OKX takes off its list is refused after this."""
_MOST = 256


@dataclass(slots=True)
class RouterProof:
    """Asks chains about routers, and remembers what they said for ``KEPT_S`` seconds."""

    clock: Clock
    kept: dict[tuple[int, str, str], tuple[float, bool]] = field(default_factory=dict)

    async def is_listed(self, chain_id: int, rpc: EvmRpc, approve: str, router: str) -> bool:
        """Tell whether what is approved on a chain lets a router claim; raise UpstreamFailed if no node tells."""
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
