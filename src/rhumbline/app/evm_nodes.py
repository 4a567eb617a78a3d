"""The doctor's findings about an EVM chain's endpoints, and about disagreements of any chain's endpoints."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType

from rhumbline.app.chains import ServedChain
from rhumbline.app.checkups import Finding, State
from rhumbline.app.solana_nodes import CLOCK_TOLERANCE_S
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.connection_errors import host_of
from rhumbline.gateways.nodes.comparison import Comparison
from rhumbline.gateways.nodes.evm.deployment import verify
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from rhumbline.simulation.evm.means import Means, means_of

_SEEN: Mapping[Means, str] = MappingProxyType(
    {
        Means.BUNDLES: "available",
        Means.OVERRIDES: "the node does not have it: outputs are measured by eth_call, but what else a transaction "
        "takes from its sender, and whether a bridge noted the order, is not seen",
        Means.NOTHING: "the node has neither it nor state overrides for eth_call: nothing is simulated, so that quotes "
        "count with their minimum, and routes that only a simulation could hold are not offered",
    }
)
_QUIET = "0x000000000000000000000000000000000000dEaD"
_OLD_BLOCKS = 100_000
_LEAST_RANGE = 10


async def compared(served: ServedChain) -> Finding:
    """Compare a chain's endpoints, and say which are set aside and why."""
    what, endpoints = f"{served.chain.key} endpoints", served.rpc.endpoints
    if endpoints is None or not isinstance(endpoints.comparison, Comparison):
        return Finding(what, State.OK, "one")
    await endpoints.comparison.compare()
    aside = [f"{each.name} {each.set_aside}" for each in endpoints.every if each.set_aside is not None]
    names = ", ".join(each.name for each in endpoints.every)
    if not aside:
        return Finding(what, State.OK, f"{names} see the same chain")
    state = State.WARNS if len(aside) < len(endpoints.every) else State.FAILS
    return Finding(what, state, f"{'; '.join(aside)}: not used until that ends")


async def evm_findings(chain: Chain, rpc: EvmRpc, label: str, block_range: int) -> list[Finding]:
    """Ask an endpoint for its chain, its head, how it simulates, how many blocks it searches, and for old state."""
    try:
        started = time.monotonic()
        number = await rpc.chain_id()
        latency = round(1000 * (time.monotonic() - started))
        if number != chain.id:
            return [_misled(label, f"chain {number}", chain)]
        head = quantity(await rpc.call("eth_blockNumber"))
        return [
            Finding(label, State.OK, f"chain {number}, {latency} ms"),
            await _clock(rpc, label),
            await _simulation(rpc, label),
            await _ranges(rpc, label, head, block_range),
            await _old_state(rpc, label, head),
        ]
    except NodeOnOtherChain as error:
        return [_misled(label, error.found, chain)]
    except NodeUnavailable as error:
        return [Finding(label, State.FAILS, f"{error}; it was asked at {host_of(rpc.url)}")]
    except RpcError as error:
        return [Finding(label, State.FAILS, str(error))]


async def contract_findings(chain: Chain, rpc: EvmRpc) -> list[Finding]:
    """Compare our contracts' code; the Receiver's address implies its code, and only swaps on arrival need it."""
    if chain.diamond is None:
        return []
    try:
        report = await verify(rpc)
        there = chain.receiver is None or await rpc.code(chain.receiver)
    except (NodeUnavailable, RpcError) as error:
        return [Finding(f"{chain.key} contracts", State.FAILS, str(error))]
    states = ", ".join(f"{contract.name} {contract.state}" for contract in report.contracts)
    remedy = "" if report.ok else f"; run rhumbline contracts deploy --chain {chain.key}"
    findings = [Finding(f"{chain.key} contracts", State.OK if report.ok else State.FAILS, states + remedy)]
    if not there:
        words = f"no swaps on arrival through Across; run rhumbline contracts deploy --chain {chain.key}"
        findings.append(Finding(f"{chain.key} receiver", State.WARNS, f"Receiver missing: {words}"))
    return findings


def _misled(label: str, found: str, chain: Chain) -> Finding:
    return Finding(label, State.FAILS, f"the node is on {found}, the settings say {chain.id}")


async def _clock(rpc: EvmRpc, label: str) -> Finding:
    block = await rpc.call("eth_getBlockByNumber", ["latest", False])
    if not isinstance(block, dict):
        return Finding(f"{label} head", State.FAILS, "the node has no latest block")
    ahead = quantity(block["timestamp"]) - datetime.now(UTC).timestamp()
    if ahead > CLOCK_TOLERANCE_S:
        words = f"the chain is {ahead:.0f} s ahead of this machine: set its clock"
        return Finding(f"{label} clock", State.FAILS, words)
    return Finding(f"{label} head", State.OK, f"block {quantity(block['number'])}, {max(0, -ahead):.0f} s old")


async def _simulation(rpc: EvmRpc, label: str) -> Finding:
    """Check how the node simulates; quotes work without simulations, so a missing method is no failure."""
    means = await means_of(rpc)
    state = State.OK if means is Means.BUNDLES else State.WARNS
    return Finding(f"{label} eth_simulateV1", state, _SEEN[means])


async def _ranges(rpc: EvmRpc, label: str, head: int, block_range: int) -> Finding:
    """Search as many blocks as tracking does at once, and fewer if the node refuses."""
    what, blocks, why = f"{label} eth_getLogs", min(block_range, head + 1), ""
    while True:
        query = {"address": _QUIET, "fromBlock": hex(head - blocks + 1), "toBlock": hex(head)}
        try:
            await rpc.call("eth_getLogs", [query])
        except (RpcError, NodeUnavailable) as error:
            why = why or str(error)
            if blocks <= _LEAST_RANGE:
                return Finding(what, State.WARNS, f"{why}: this node cannot be used for tracking")
            blocks //= 2
        else:
            most = f"{blocks} blocks at once"
            return Finding(what, State.WARNS, f"{why}: {most}") if why else Finding(what, State.OK, most)


async def _old_state(rpc: EvmRpc, label: str, head: int) -> Finding:
    """Ask for an account long ago; few nodes need to know it, so that its lack is no warning."""
    what, number = f"{label} old blocks", max(head - _OLD_BLOCKS, min(head, 1))
    try:
        await rpc.call("eth_getTransactionCount", [_QUIET, hex(number)])
    except RpcError as error:
        return Finding(what, State.OK, f"not available: wallets' own calls are found by reading whole blocks ({error})")
    return Finding(what, State.OK, f"available: the state of block {number}")
