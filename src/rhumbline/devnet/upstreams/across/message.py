"""How Across's API handles a message: it checks it, runs the fill with it, and prices the gas.

Source: ``api/suggested-fees.ts`` and ``api/_utils.ts`` of across-protocol/frontend (2026-02, read 2026-11-21): a
message is hex of whole bytes, its recipient is given and is a contract, the relayer has the amount; the SDK then
estimates ``fillRelay``.
"""

from collections.abc import Mapping

from rhumbline.devnet.upstreams.across.evm_pool import fill_call
from rhumbline.devnet.upstreams.across.query import bad
from rhumbline.devnet.upstreams.across.relay import Relay
from rhumbline.devnet.upstreams.across.terms import FILL_AHEAD_S, PLAIN_FILL_GAS, Side, relayer_of, word
from rhumbline.devnet.upstreams.behaviour import Fails
from rhumbline.devnet.upstreams.world import World
from rhumbline.gateways.nodes.evm.rpc import RpcError, quantity

_NO_DEPOSIT = 2**256 - 1


async def messaging(world: World, origin: Side, destination: Side, amount: int, query: Mapping[str, str]) -> int:
    """Return the gas that a fill with the message uses beyond a plain one; raise Fails."""
    text = query.get("message", "0x")
    if text == "0x":
        return 0
    message = _read(text)
    recipient = query.get("recipient")
    if recipient is None or destination.on_solana:
        raise bad("recipient", "address")
    rpc = world.rpc(destination.chain.id)
    if not await rpc.code(recipient):
        raise bad("recipient", "contract")
    relayer = relayer_of(destination)
    relay = Relay(
        depositor=word(relayer),
        recipient=word(recipient),
        exclusive_relayer=word(relayer),
        input_token=word(origin.token.address),
        output_token=word(destination.token.address),
        input_amount=amount,
        output_amount=amount * 10**destination.token.decimals // 10**origin.token.decimals,
        origin_chain=origin.chain.id,
        deposit_id=_NO_DEPOSIT,
        fill_deadline=await world.block_time(destination.chain.id) + FILL_AHEAD_S,
        exclusivity_deadline=0,
        message=message,
    )
    call = {
        "from": relayer,
        "to": destination.pool,
        "data": "0x" + fill_call(relay, relayer, destination.chain.id).hex(),
    }
    try:
        used = quantity(await rpc.call("eth_estimateGas", [call]))
    except RpcError as error:
        raise Fails("simulation_error") from error
    return max(used - PLAIN_FILL_GAS, 0)


def _read(text: str) -> bytes:
    try:
        return bytes.fromhex(text.removeprefix("0x"))
    except ValueError:
        raise bad("message", "hex") from None
