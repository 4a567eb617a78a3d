"""The doctor's findings about a Solana chain's node."""

import asyncio
from collections.abc import Awaitable
from datetime import UTC, datetime
from time import monotonic

from rhumbline.app.chains import ServedSvm
from rhumbline.app.checkups import Finding, State
from rhumbline.app.nodes import other_chain
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.connection_errors import host_of
from rhumbline.gateways.svm.address import program_address
from rhumbline.gateways.svm.instructions import SystemTransfer
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import SYSTEM

CLOCK_TOLERANCE_S = 30
_OLDEST_HEAD_S = 60
# An account without history, so that a node answers quickly.
_QUIET = program_address([b"rhumbline doctor"], SYSTEM)


async def solana_findings(served: ServedSvm, label: str) -> list[Finding]:
    """Ask which cluster the node is on, whether it keeps up, and whether it does what quotes and tracking need."""
    key, rpc = label, served.rpc
    try:
        started = monotonic()
        found = await other_chain(served)
        latency = round(1000 * (monotonic() - started))
        if found is not None:
            return [Finding(key, State.FAILS, f"the node is on {found}, which is not chain {served.chain.id}")]
        head = await _head(served, label)
    except NodeUnavailable as error:
        return [Finding(key, State.FAILS, f"{error}; it was asked at {host_of(rpc.url)}")]
    except NodeRefused as error:
        return [Finding(key, State.FAILS, str(error))]
    needs = (
        ("simulateTransaction", State.FAILS, "no quotes from this chain", _simulates(served)),
        ("getSignaturesForAddress", State.FAILS, "no tracking on this chain", rpc.signatures(_QUIET, limit=1)),
        (
            "getRecentPrioritizationFees",
            State.WARNS,
            "transactions pay quotes.solana_unit_price.least",
            rpc.priority_fees(),
        ),
    )
    methods = [_method(f"{key} {name}", state, without, call) for name, state, without, call in needs]
    return [Finding(key, State.OK, f"chain {served.chain.id}, {latency} ms"), head, *await asyncio.gather(*methods)]


async def _head(served: ServedSvm, label: str) -> Finding:
    """Compare the head with this machine's clock; a node that knows itself to be behind raises NodeUnavailable."""
    rpc, what = served.rpc, f"{label} head"
    await rpc.call("getHealth")
    slot = await rpc.slot()
    time = await rpc.count("getBlockTime", [slot])
    age = datetime.now(UTC).timestamp() - time
    if -age > CLOCK_TOLERANCE_S:
        return Finding(what, State.FAILS, f"the chain is {-age:.0f} s ahead of this machine: set its clock")
    if age > _OLDEST_HEAD_S:
        return Finding(what, State.FAILS, f"slot {slot} is {age:.0f} s old: the node does not keep up")
    return Finding(what, State.OK, f"slot {slot}, {max(0, age):.0f} s old")


async def _simulates(served: ServedSvm) -> object:
    """Have a transaction run that cannot succeed: it is the answer that counts."""
    blockhash = await served.rpc.latest_blockhash()
    message = compile_v0(_QUIET, [SystemTransfer(_QUIET, _QUIET, 0).encode()], [], blockhash.value)
    return await served.rpc.simulate(serialise(message, [_QUIET], {}))


async def _method(what: str, state: State, without: str, call: Awaitable[object]) -> Finding:
    try:
        await call
    except (NodeRefused, NodeUnavailable) as error:
        return Finding(what, state, f"{error}: {without}")
    return Finding(what, State.OK, "available")
