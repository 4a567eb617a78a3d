"""From an order to its event and back: the ID that the order got is good for what the event tells."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.fee import Charge, FeeKind
from rhumbline.domain.tracking import BridgeSighting
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word
from rhumbline.gateways.chain_types.order_terms import direct_terms
from rhumbline.gateways.evm.abi import encode_args, encode_call, topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.routing.evm.bridge_call import UNIDENTIFIED, BridgeOrder, bridge_call, identified
from rhumbline.routing.evm.router_call import RouterOrder, name_word, router_call
from rhumbline.tracking.evm.logs import BRIDGE_STARTED, SWAPPED, DecodedLogs, decode_logs, read_logs
from rhumbline.tracking.records import is_ours, terms_of
from tests.routing.venues import toy_chain
from tests.tracking.conftest import KEY
from tests.tracking.crossings import DEPOSIT, OUTPUT, other_chain
from tests.tracking.events import BRIDGE_TYPES, DIAMOND, SENDER, SWAP_TYPES, Chain, address_topic
from tests.tracking.market import Market

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ADDRESSES = st.integers(0x10000, 2**160 - 2).map(lambda number: checksummed(number.to_bytes(20)))
AMOUNTS = st.integers(1, 2**256 - 1)
NAMES = st.text(st.sampled_from("abcXYZ09._-"), min_size=1, max_size=31)
HERE, THERE = toy_chain(), toy_chain(2)


def read(chain: Chain) -> DecodedLogs:
    logs = read_logs(chain.logs)
    return decode_logs(HERE.id, DIAMOND, logs, {log.block_hash: NOON for log in logs})


@given(ADDRESSES, ADDRESSES, ADDRESSES, st.tuples(*[AMOUNTS] * 6), NAMES, st.one_of(st.none(), NAMES))
def test_a_swaps_terms_come_back(
    receiver: str, sold: str, bought: str, numbers: tuple[int, ...], adapter: str, integrator: str | None
) -> None:
    ordered, minimum, deadline, gross, net, output = numbers
    order = RouterOrder(
        id=UNIDENTIFIED, chain=HERE, integrator=integrator, adapter=adapter, receiver=receiver, input_token=sold,
        amount=ordered, net=ordered, output_token=bought, min_output=minimum, deadline=deadline, native_fee=0,
        charges=(),
    )  # fmt: skip
    order = identified(order, SENDER, KEY)
    chain = Chain()
    record = [receiver, sold, ordered, gross, net, bought, output, minimum, deadline, name_word(adapter, "adapter")]
    topics = [topic(SWAPPED), order.id, address_topic(SENDER), name_word(integrator or "", "integrator")]
    chain.add(topics, encode_args(SWAP_TYPES, record))
    (sighting,) = read(chain).sightings
    assert terms_of(sighting, order.chain) == order.terms(SENDER)
    assert is_ours((KEY,), sighting, order.chain)


@given(
    ADDRESSES, ADDRESSES, ADDRESSES, st.tuples(*[AMOUNTS] * 6), NAMES, st.one_of(st.none(), NAMES),
    st.one_of(st.none(), st.text(min_size=1, max_size=80)), st.booleans(),
)  # fmt: skip
def test_a_transfers_terms_come_back(
    receiver: str, sold: str, bought: str, numbers: tuple[int, ...], adapter: str, integrator: str | None,
    reference: str | None, swapped: bool,
) -> None:  # fmt: skip
    ordered, minimum, deadline, gross, sent, expected = numbers
    order = BridgeOrder(
        id=UNIDENTIFIED, chain=HERE, destination=THERE, integrator=integrator, adapter=adapter, receiver=receiver,
        input_token=sold, amount=ordered, net=ordered, sent=sent, output_token=bought, expected_output=expected,
        min_output=minimum, refund_to=checksummed(SENDER), reference=reference, deadline=deadline, native_fee=0,
        charges=(),
    )  # fmt: skip
    order = identified(order, SENDER, KEY)
    chain = Chain()
    record = [
        *(name_word(adapter, "adapter"), address_word(THERE, receiver), THERE.id, sold, ordered, gross, sold, sent),
        *(address_word(THERE, bought), expected, minimum, deadline, SENDER, swapped, False, reference_word(reference)),
    ]
    topics = [topic(BRIDGE_STARTED), order.id, address_topic(SENDER), name_word(integrator or "", "integrator")]
    chain.add(topics, encode_args(BRIDGE_TYPES, record))
    (sighting,) = read(chain).bridges
    assert terms_of(sighting, order.chain) == order.terms(SENDER)
    assert is_ours((KEY,), sighting, order.chain)


async def mined(market: Market, tx_hash: str) -> DecodedLogs:
    """What the chain itself says of a transaction."""
    receipt = await market.receipt(tx_hash)
    listed = receipt["logs"]
    assert isinstance(listed, list)
    logs = [log for log in read_logs(listed) if log.address == market.diamond.lower()]
    return decode_logs(market.chain.id, market.diamond, logs, {log.block_hash: NOON for log in logs})


def swap_order(market: Market, *charges: Charge) -> RouterOrder:
    amount = 10**15
    return RouterOrder(
        id=UNIDENTIFIED, chain=market.chain, integrator="acme", adapter="ONCHAIN", receiver=market.accounts[2],
        input_token=NATIVE_EVM, amount=amount, net=amount - sum(charge.amount for charge in charges),
        output_token=market.weth, min_output=1, deadline=2**40, native_fee=0, charges=charges,
    )  # fmt: skip


@pytest.mark.parametrize("skipped", [False, True])
async def test_a_swap_on_the_chain(market: Market, *, skipped: bool) -> None:
    # Multicall3 takes no native asset that comes alone.
    recipient = market.multicall if skipped else market.accounts[3]
    order = identified(swap_order(market, Charge(FeeKind.SERVICE, recipient, 10**13)), market.accounts[0], KEY)
    call = router_call(order, EvmTransaction(market.chain.id, market.weth, 0, b"", None, CallKind.WRAP))
    (sighting,) = (await mined(market, await market.send(market.accounts[0], call.to, call.data, call.value))).sightings
    assert sighting.input_amount == (order.net if skipped else order.amount)
    assert len(sighting.fees) == (0 if skipped else 1)
    assert terms_of(sighting, order.chain) == order.terms(market.accounts[0])
    assert is_ours((KEY,), sighting, order.chain)


def transfer_order(market: Market, token: str, amount: int, sent: int, *charges: Charge) -> BridgeOrder:
    return BridgeOrder(
        id=UNIDENTIFIED, chain=market.chain, destination=other_chain(market.chain), integrator=None,
        adapter="TOYBRIDGE", receiver=market.accounts[1], input_token=token, amount=amount,
        net=amount - sum(charge.amount for charge in charges), sent=sent, output_token=OUTPUT, expected_output=500,
        min_output=490, refund_to=market.accounts[0], reference="deposit-1", deadline=2**40, native_fee=0,
        charges=charges,
    )  # fmt: skip


async def test_a_transfer_of_a_taxed_token_on_the_chain(market: Market, restored_sandbox: Sandbox) -> None:
    """What arrives at the Executor is less than what was ordered, and less than what was taken."""
    wallet, amount = market.accounts[0], 10**18
    taxed = restored_sandbox.chain("sbxa").tokens["TAX"].address
    fee = Charge(FeeKind.SERVICE, market.accounts[3], 10**16)
    order = identified(transfer_order(market, taxed, amount, 9 * 10**17, fee), wallet, KEY)
    approve = encode_call("approve(address,uint256)", ["address", "uint256"], [market.diamond, amount])
    await market.send(wallet, taxed, approve, 0)
    sighting = await started(market, order)
    assert (sighting.ordered_amount, sighting.sent_amount, len(sighting.fees)) == (amount, order.sent, 1)
    assert terms_of(sighting, order.chain) == order.terms(wallet)
    assert is_ours((KEY,), sighting, order.chain)


async def test_a_transfer_with_a_skipped_fee_on_the_chain(market: Market) -> None:
    fee = Charge(FeeKind.SERVICE, market.multicall, 10**13)
    order = transfer_order(market, NATIVE_EVM, 10**15, 10**15 - 10**13, fee)
    order = identified(order, market.accounts[0], KEY)
    sighting = await started(market, order)
    assert (sighting.ordered_amount, sighting.input_amount, sighting.fees) == (order.amount, order.net, ())
    assert terms_of(sighting, order.chain) == order.terms(market.accounts[0])
    assert is_ours((KEY,), sighting, order.chain)


async def started(market: Market, order: BridgeOrder) -> BridgeSighting:
    call = bridge_call(order, EvmTransaction(market.chain.id, DEPOSIT, 0, b"", None, CallKind.PAY))
    (sighting,) = (await mined(market, await market.send(market.accounts[0], call.to, call.data, call.value))).bridges
    return sighting


def test_the_id_of_a_wallets_own_call_covers_who_is_refunded() -> None:
    def terms(refund_to: str | None) -> bytes:
        return direct_terms(
            HERE, THERE, adapter="RELAY", sender=SENDER, receiver=SENDER, integrator="", input_token=NATIVE_EVM,
            input_amount=2, output_token=NATIVE_EVM, expected_output=1, min_output=1, reference=None, deadline=3,
            refund_to=refund_to,
        ).serialised()  # fmt: skip

    assert terms(None) == terms(SENDER) != terms(checksummed("0x" + "33" * 20))
