"""Mayan's Forwarder reverts unless a swap on the origin brings what was bound, and its event shows the order."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.adapters.mayan import SPECS
from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.deposit import FORWARDED_ERC20, FORWARDED_ETH, SWAPPED_ERC20, SWAPPED_ETH, deposit_of
from rhumbline.adapters.mayan.forwarder import Call, Swap, decode, encode
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.adapters.mayan.plan import Plan
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.adapter import is_binder
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BURNT
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.nodes.evm.rpc import RpcError
from tests.adapters.adapter_fixture import AdapterFixture
from tests.adapters.bridging.deposits import deposited
from tests.adapters.mayan.stub_upstream import CHAINS, KIND_KEYS, RECORDED, open_stub, read, request
from tests.adapters.mayan.test_execution import PAIRS, Place, of_kind

STRANGER = "0x000000000000000000000000000000000000dEaD"
MULTICALL = Function("multicall(bytes[])")
SWAPS = [
    (Kind.SWIFT, ("sbxa", "DAI"), 500 * 10**18),
    (Kind.MCTP, ("sbxa", "DAI"), 500 * 10**18),
    (Kind.MCTP, ("sbxa", "ETH"), 10**17),
    (Kind.FAST_MCTP, ("sbxb", "ETH"), 10**17),
]


@pytest.mark.parametrize(("kind", "origin", "destination", "amount"), PAIRS)
async def test_what_is_handed_on_is_seen(
    adapter_fixture: AdapterFixture, kind: Kind, origin: Place, destination: Place, amount: int
) -> None:
    adapter_fixture = of_kind(adapter_fixture, kind)
    adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(origin, destination, amount))
    deposit, order = built.deposit, quote.payload.order
    assert deposit is not None
    assert deposit.swapped is order.swaps
    token = next(
        token
        for place, token in adapter_fixture.tokens.items()
        if place[0] == origin[0] and token.address == deposit.token
    )
    holders = [holder for holder in deposit.holders if holder != BURNT]
    before = [await adapter_fixture.balance(token, holder) for holder in holders]
    transfer = await adapter_fixture.execute(quote, built)
    gained = sum([await adapter_fixture.balance(token, holder) for holder in holders]) - sum(before)
    assert gained >= deposit.least > 0
    amount_told = await deposited(adapter_fixture, origin[0], transfer.tx_hash, deposit)
    assert amount_told == (None if token.address == NATIVE_EVM else gained)
    if not order.swaps:
        # What the messages of Wormhole cost, its own contract has; here there is none.
        assert gained == deposit.least + (order.message_fee if token.address == NATIVE_EVM else 0)


async def measured(adapter_fixture: AdapterFixture, quote: Quote[Any], built: EvmTransaction) -> int:
    assert built.deposit is not None
    transfer = await adapter_fixture.execute(quote, built)
    told = await deposited(adapter_fixture, quote.request.origin.key, transfer.tx_hash, built.deposit)
    assert told is not None
    return told


def asking(adapter_fixture: AdapterFixture, origin: Place, amount: int) -> QuoteRequest:
    destination = "WETH" if origin[1] == "DAI" else "DAI"
    return adapter_fixture.request(origin, ("sbxb" if origin[0] == "sbxa" else "sbxa", destination), amount)


def tiny(quote: Quote[Any]) -> Quote[Any]:
    """What an answer says whose ``minMiddleAmount`` is next to nothing."""
    return replace(quote, payload=replace(quote.payload, order=replace(quote.payload.order, min_middle=1)))


@pytest.mark.parametrize(("kind", "origin", "amount"), SWAPS)
async def test_so_much_is_handed_on_or_nothing_is_done(
    adapter_fixture: AdapterFixture, kind: Kind, origin: Place, amount: int
) -> None:
    adapter_fixture = of_kind(adapter_fixture, kind)
    adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    asked = asking(adapter_fixture, origin, amount)
    quote, built = await adapter_fixture.built(tiny(await adapter_fixture.adapter.quote(asked)))
    got = await measured(adapter_fixture, quote, built)
    random = Random(20261122)
    for share in (1, *(random.randrange(1, 10_000) for _ in range(2)), 9_900):
        least = max(1, got * share // 10_000)
        quote, built = await adapter_fixture.built(tiny(await adapter_fixture.adapter.quote(asked)))
        assert await measured(adapter_fixture, quote, bind(adapter_fixture, built, quote, least)) >= least
        for more in (got * 2, 2**255):
            with pytest.raises(RpcError, match="insufficient middle token"):
                await adapter_fixture.execute(quote, bind(adapter_fixture, built, quote, more))


@pytest.mark.parametrize(("kind", "origin", "amount"), SWAPS)
async def test_dust_is_not_handed_on(adapter_fixture: AdapterFixture, kind: Kind, origin: Place, amount: int) -> None:
    """The pinned router pays a stranger nearly all, and the Forwarder what is left: less than was measured before."""
    adapter_fixture = of_kind(adapter_fixture, kind)
    adapter_fixture.emulator.behaviour.outcome = Outcome.NEVER
    asked = asking(adapter_fixture, origin, amount)
    quote, built = await adapter_fixture.built(tiny(await adapter_fixture.adapter.quote(asked)))
    got = await measured(adapter_fixture, quote, built)
    quote, honest = await adapter_fixture.built(tiny(await adapter_fixture.adapter.quote(asked)))
    robbed = await robbing(adapter_fixture, quote, honest)
    bound = bind(adapter_fixture, robbed, quote, got * 995 // 1000)
    with pytest.raises(RpcError, match="insufficient middle token"):
        await adapter_fixture.execute(quote, bound)
    assert await measured(adapter_fixture, quote, robbed) < got // 100


async def robbing(adapter_fixture: AdapterFixture, quote: Quote[Any], built: EvmTransaction) -> EvmTransaction:
    call = decode(built.data, built.value)
    assert call.swap is not None
    market = adapter_fixture.emulator.world.market
    taken = call.amount - call.message_fee if call.token == NATIVE_EVM else call.amount
    left = taken // 1000
    parts = []
    for amount, receiver in ((taken - left, STRANGER), (left, built.to)):
        trade = await market.quote(
            quote.request.origin.id, quote.request.origin_token.address, call.swap.middle, amount
        )
        router, data = trade.calldata(receiver, 0)
        assert router.lower() == call.swap.router.lower()
        parts.append(data)
    return replace(built, data=encode(replace(call, swap=replace(call.swap, data=MULTICALL.encode(parts)))))


def bind(adapter_fixture: AdapterFixture, built: EvmTransaction, quote: Quote[Any], least: int) -> EvmTransaction:
    assert is_binder(adapter_fixture.adapter)
    return adapter_fixture.adapter.bind(built, quote, least)


async def shown(name: str) -> tuple[MayanAdapter, Quote[Plan], EvmTransaction]:
    origin, destination, amount = RECORDED[name]
    async with open_stub(KIND_KEYS[name.split("_")[0]]) as stub_upstream:
        stub_upstream.quotes(read(name))
        quote = await stub_upstream.adapter.quote(request(origin, destination, amount))
        return stub_upstream.adapter, quote, await stub_upstream.built(quote)


@pytest.mark.parametrize("name", ["swift_dai_to_sol", "fast_dai_to_base_eth"])
async def test_binding_raises_the_minimum_and_nothing_else(name: str) -> None:
    adapter, quote, built = await shown(name)
    deposit = built.deposit
    assert deposit is not None
    assert deposit.swapped
    assert deposit.least == quote.payload.order.min_middle
    for least in (0, deposit.least - 1, deposit.least):
        assert adapter.bind(built, quote, least) is built
    for least in (deposit.least + 1, 2 * deposit.least, 2**256 - 1):
        bound = adapter.bind(built, quote, least)
        assert bound.deposit == replace(deposit, least=least)
        assert replace(bound, data=built.data, deposit=deposit) == built
        before, after = decode(built.data, built.value), decode(bound.data, bound.value)
        assert before.swap is not None
        assert after == replace(before, swap=replace(before.swap, minimum=least))
        assert adapter.bind(bound, quote, deposit.least) is bound
    with pytest.raises(UpstreamFailed):
        adapter.bind(built, quote, 2**256)


@pytest.mark.parametrize("name", [
    "swift_usdc_to_base_usdc", "swift_v1_eth_to_base_eth", "mctp_usdc_to_base_usdc", "mctp_usdc_to_base_eth",
    "fast_usdc_to_base_usdc", "wh_usdc_to_sol_usdc",
])  # fmt: skip
async def test_what_is_not_swapped_is_handed_on_whole(name: str) -> None:
    adapter, quote, built = await shown(name)
    deposit = built.deposit
    assert deposit is not None
    assert (deposit.token, deposit.least, deposit.swapped) == (
        quote.request.origin_token.address, quote.request.amount, False
    )  # fmt: skip
    assert adapter.bind(built, quote, deposit.least) is built
    for transaction, least in ((built, deposit.least + 1), (replace(built, deposit=None), 1)):
        with pytest.raises(UpstreamFailed):
            adapter.bind(transaction, quote, least)


@pytest.mark.parametrize(("name", "holders"), [
    ("swift_usdc_to_base_usdc", ("0x40fFE85A28DC9993541449464d7529a922142960",)),
    ("mctp_usdc_to_base_usdc", ("0x875d6d37EC55c8cF220B9E5080717549d8Aa8EcA", BURNT)),
    ("fast_usdc_to_base_usdc", ("0xC1062b7C5Dc8E4b1Df9F200fe360cDc0eD6e7741", BURNT)),
    ("wh_usdc_to_sol_usdc", ("0x3ee18B2214AFF97000D974cf647E7C347E8fa585",)),
])  # fmt: skip
async def test_who_has_the_tokens_in_the_end(name: str, holders: tuple[str, ...]) -> None:
    _, quote, built = await shown(name)
    assert built.deposit is not None
    if name.startswith("swift"):
        holders = (quote.payload.order.contract,)
    assert [each.lower() for each in built.deposit.holders] == [each.lower() for each in holders]


def test_wormhole_wraps_the_native_asset() -> None:
    here, weth = DEPLOYMENTS[1], CHAINS[1].wrapped_native
    order = native_order()
    call = Call(NATIVE_EVM, order.amount, order.contract, order.data, order.message_fee)
    seen = deposit_of(order, call, here, CHAINS[1])
    assert seen.holders == (here.token_bridge, weth)
    # What Wormhole's messages cost is not carried, nor what lies below eight decimals.
    assert (seen.token, seen.least) == (NATIVE_EVM, 10**18 - 10**15)


def native_order() -> Order:
    return Order(
        kind=Kind.WORMHOLE, contract=STRANGER, input_token=NATIVE_EVM, amount=10**18 + 5, data=b"\x01" * 36,
        guaranteed=1, deadline=None, carried=1, refund_fees=0, left=1, decimals=18, message_fee=10**15,
    )  # fmt: skip


def test_the_events_are_those_that_indexers_know() -> None:
    assert [each.hex()[:8] for each in (SWAPPED_ETH, SWAPPED_ERC20, FORWARDED_ETH, FORWARDED_ERC20)] == [
        "7cbff921", "23278f58", "b8543d21", "bf150db6",
    ]  # fmt: skip


@settings(deadline=None)
@given(st.binary(min_size=68, max_size=200), st.integers(1, 2**200), st.booleans())
def test_every_word_of_the_protocols_call_is_in_the_pattern(data: bytes, amount: int, native: bool) -> None:
    token = NATIVE_EVM if native else STRANGER
    swap = Swap(STRANGER, b"\x01", STRANGER, 1)
    order = native_order()
    for call in (Call(token, amount, STRANGER, data), Call(token, amount, STRANGER, data, swap=swap)):
        log = deposit_of(order, call, DEPLOYMENTS[1], CHAINS[1]).log
        assert log is not None
        words = b"".join(log.words[place] for place in sorted(log.words))
        assert data.ljust(-(-len(data) // 32) * 32, b"\0") in words
        missing = set(range(max(log.words) + 1)) - set(log.words)
        assert missing == ({log.amount_at} if call.swap is not None else set())


async def test_all_kinds_have_one_vendor() -> None:
    for key in (spec.key for spec in SPECS):
        async with open_stub(key) as stub_upstream:
            assert stub_upstream.adapter.info.vendor == "MAYAN"
