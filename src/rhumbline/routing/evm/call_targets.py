"""Whether the Executor may call a target at all: asked of its own code, on the destination's node.

Its rules (contracts/src/Targets.sol) refuse whoever keeps others' rights: tokens, Permit2, and what tells of
operators; accounts without code, precompiles, and the service's own contracts too.
"""

import asyncio

from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, NoAvailableQuotes, NodeUnavailable, RhumblineError
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.routing.evm.router_call import OPERATION
from rhumbline.simulation.evm.rehearsal import Rehearsal
from rhumbline.simulation.evm.reverts import read_revert

_TERMS = "(address,address,address,address,uint256)"
_EXECUTE = f"executeSwap({_TERMS},address[],{OPERATION}[])"
_REFUSED = ("TargetRefused", "SpenderRefused")


async def call_objection(chain: Chain, call: CallOnArrival, rehearsal: Rehearsal | None) -> RhumblineError | None:
    """Return why no call of this target is offered on a chain; None if the Executor there would call it."""
    if rehearsal is None or chain.executor is None or chain.receiver is None:
        return NoAvailableQuotes(f"destinationCall: no call on arrival is offered on {chain.name}, where none can run")
    # Without a token, so that the target's own rule answers; what the target does with an empty call does not matter.
    calls = [(0, call.target, NATIVE_EVM, NATIVE_EVM, 0, 0, b"")]
    terms = (chain.receiver, chain.receiver, NATIVE_EVM, NATIVE_EVM, 0)
    data = encode_call(_EXECUTE, [_TERMS, "address[]", f"{OPERATION}[]"], (terms, [], calls))
    asked = {"from": chain.receiver, "to": chain.executor, "data": "0x" + data.hex()}
    try:
        async with asyncio.timeout(rehearsal.budget_s):
            if call.target.lower() == (await rehearsal.pool(chain.receiver)).lower():
                return _refused(call, "the bridge's pool")
            await rehearsal.rpc.call("eth_call", [asked, "latest"])
    except RpcError as error:
        if any(layer.name in _REFUSED for layer in read_revert(error.data).layers()):
            return _refused(call, "a token, Permit2, or another contract that keeps rights, or has no code")
    except (TimeoutError, NodeUnavailable):
        return AdaptersFailed(f"destinationCall: {chain.name}'s node does not say what its target is; try again")
    return None


def _refused(call: CallOnArrival, what: str) -> InvalidRequest:
    remedy = "name the contract that takes the tokens from its caller, by an allowance for exactly them"
    return InvalidRequest([f"destinationCall.target: {call.target} is {what}, which is never called; {remedy}"])
