"""Transfers that our Receiver ends with a swap: started through the Diamond, filled by whom a test wants."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rhumbline.adapters.across.calldata import decode, encode
from rhumbline.devnet.evm.operator import encoded
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.transaction import OrderTerms
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.abi import decode_args, encode_args, encode_call
from rhumbline.gateways.evm.address import checksummed
from rhumbline.routing.evm.bridge_call import BRIDGE, BRIDGE_ORDER, BridgeOrder, bridge_call
from rhumbline.routing.evm.router_call import FEE, OPERATION
from tests.adapters.across.bridge_fixture import BridgeFixture, RelayData, word
from tests.adapters.adapter_fixture import RECEIVER

AMOUNT = 1_000 * 10**6
PAID_OUT = 999 * 10**6
ID = bytes(31) + b"\x07"
MESSAGE_OPERATION = "(uint8,address,address,address,uint256,uint256,bytes)"
MESSAGE = f"(bytes32,address,address,uint256,uint256,{MESSAGE_OPERATION}[])"
SWAP = "swapExactTokensForTokens(uint256,uint256,address[],address)"
WHOLE_BALANCE = 2**256 - 1
SWAP_GAS = 600_000
IN_VAIN = 10**8
"""More WBTC than the pools give."""
_HAS_DESTINATION_CALL = 13
"""The flag's place in an order."""


@dataclass(frozen=True)
class Wanted:
    """What the Receiver is told: buy WBTC for the USDC that arrives, over WETH."""

    minimum: int = 1
    swap_gas: int = SWAP_GAS
    id: bytes = ID
    receiver: str = RECEIVER
    amount: int = PAID_OUT

    def message(self, bridge_fixture: BridgeFixture) -> bytes:
        contracts = bridge_fixture.sandbox.evm_chains[1].contracts
        path = [bridge_fixture.token("sbxb", symbol) for symbol in ("USDC", "WETH", "WBTC")]
        to = contracts["executor"]
        swap = encode_call(SWAP, ["uint256", "uint256", "address[]", "address"], [self.amount, 1, path, to])
        router = contracts["swap_router_02"]
        call = (0, router, router, path[0], WHOLE_BALANCE, 0, swap)
        fields = (self.id, self.receiver, path[-1], self.minimum, self.swap_gas, [call])
        return encode_args([MESSAGE], [fields])


def payee(bridge_fixture: BridgeFixture) -> str:
    return checksummed(bridge_fixture.sandbox.evm_chains[1].contracts["receiver"])


async def started(
    bridge_fixture: BridgeFixture, wanted: Wanted, identify: Callable[[OrderTerms], bytes] = lambda terms: ID
) -> tuple[Transfer, RelayData]:
    """Send the Diamond an order with a destination call; the transfer that it began, and what the pool logged."""
    request = bridge_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), AMOUNT, direct=False)
    quote, upstream = await bridge_fixture.quoted(request)
    bought = bridge_fixture.tokens[("sbxb", "WBTC")].address
    order = BridgeOrder(
        id=ID, chain=request.origin, destination=request.destination, integrator=None, adapter=quote.adapter,
        receiver=RECEIVER, input_token=request.origin_token.address, amount=AMOUNT, net=AMOUNT, sent=AMOUNT,
        output_token=bought, expected_output=wanted.minimum, min_output=wanted.minimum, refund_to=request.sender,
        reference=None, deadline=request.deadline, native_fee=0, charges=(),
    )  # fmt: skip
    order = replace(order, id=identify(terms_of_call(order.terms(request.sender))))
    message = replace(wanted, id=order.id).message(bridge_fixture)
    deposit = replace(
        decode(upstream.data), recipient=word(payee(bridge_fixture)), output_amount=PAID_OUT, message=message
    )
    call = bridge_call(order, replace(upstream, data=encode(deposit)))
    await bridge_fixture.send("sbxa", request.origin_token.address, bridge_fixture.approval(call.to, AMOUNT))
    tx_hash = await bridge_fixture.send("sbxa", call.to, calling(call.data), call.value)
    receipt: Any = await bridge_fixture.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    ours = [log for log in receipt["logs"] if log["address"].lower() == call.to.lower()]
    transfer = replace(
        bridge_fixture.begun(quote, upstream, tx_hash),
        log_index=int(ours[-1]["logIndex"], 16),
        output_token=bought,
        min_output=wanted.minimum,
        destination_call=DestinationCall(
            payee(bridge_fixture), bridge_fixture.token("sbxb", "USDC"), PAID_OUT, message
        ),
    )
    return transfer, (await bridge_fixture.relays(tx_hash))[0]


def terms_of_call(terms: OrderTerms) -> OrderTerms:
    assert terms.crossing is not None
    return replace(terms, crossing=replace(terms.crossing, has_destination_call=True))


def calling(data: bytes) -> bytes:
    """Say in a call of the Diamond that there is a call on the destination."""
    types = [BRIDGE_ORDER, f"{FEE}[]", f"{OPERATION}[]"]
    order, *rest = decode_args(types, data[4:])
    assert isinstance(order, tuple)
    flagged = (*order[:_HAS_DESTINATION_CALL], True, *order[_HAS_DESTINATION_CALL + 1 :])
    return encode_call(BRIDGE, types, [flagged, *rest])


async def fill_together(bridge_fixture: BridgeFixture, *relays: RelayData) -> str:
    """Fill several relays in one transaction of one relayer."""
    payer = await bridge_fixture.relayer()
    token = bridge_fixture.token("sbxb", "USDC")
    total = sum(relay.output_amount for relay in relays)
    await payer.send(token, encoded("approve(address,uint256)", bridge_fixture.pool, total))
    calls = [bridge_fixture.fill_call(relay, payer) for relay in relays]
    return await payer.send(bridge_fixture.pool, encoded("multicall(bytes[])", calls))
