"""What Mayan's calldata does on the sandbox: the receiver gets at least the minimum, or the money comes back."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from rhumbline.adapters.mayan import SPECS
from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.devnet.upstreams.emulator import Fault, Lie, Outcome
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import BelowMinimum, NoRoute, UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from rhumbline.routing.fan_out import Deadlines, Gathered, gather_quotes
from rhumbline.routing.selection import Ask
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.mayan.stub_upstream import changed

Place = tuple[str, str]
PAIRS: list[tuple[Kind, Place, Place, int]] = [
    (Kind.SWIFT, ("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000),
    (Kind.SWIFT, ("sbxb", "WETH"), ("sbxa", "DAI"), 10**17 + 123),
    (Kind.SWIFT, ("sbxa", "ETH"), ("sbxb", "ETH"), 10**17 + 1),
    (Kind.SWIFT, ("sbxb", "DAI"), ("sbxa", "WETH"), 500 * 10**18),
    (Kind.SWIFT, ("sbxa", "WBTC"), ("sbxb", "USDC"), 1_000_000),
    (Kind.MCTP, ("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000),
    (Kind.MCTP, ("sbxb", "USDC"), ("sbxa", "USDC"), 250_000_000),
    (Kind.MCTP, ("sbxb", "USDC"), ("sbxa", "ETH"), 250_000_000),
    (Kind.MCTP, ("sbxa", "ETH"), ("sbxb", "WBTC"), 10**17),
    (Kind.MCTP, ("sbxb", "USDT"), ("sbxa", "USDC"), 250_000_000),
    (Kind.FAST_MCTP, ("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000),
    (Kind.FAST_MCTP, ("sbxb", "ETH"), ("sbxa", "DAI"), 10**17),
    (Kind.FAST_MCTP, ("sbxa", "USDT"), ("sbxb", "USDC"), 250_000_000),
    (Kind.WORMHOLE, ("sbxa", "USDC"), ("sbxb", "WETH"), 250_000_000),
    (Kind.WORMHOLE, ("sbxb", "DAI"), ("sbxa", "ETH"), 500 * 10**18 + 7),
    (Kind.WORMHOLE, ("sbxb", "ETH"), ("sbxa", "USDC"), 10**17),
]


def of_kind(adapter_fixture: AdapterFixture, *kinds: Kind) -> AdapterFixture:
    assert isinstance(adapter_fixture.adapter, MayanAdapter)
    return replace(adapter_fixture, adapter=changed(adapter_fixture.adapter, kinds=kinds))


@pytest.mark.parametrize(("kind", "origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, kind: Kind, origin: Place, destination: Place, amount: int
) -> None:
    request = adapter_fixture.request(origin, destination, amount)
    arrived = await of_kind(adapter_fixture, kind).delivered(request)
    assert arrived.quote.output_amount >= arrived.gained
    assert arrived.status.output_token == request.destination_token.address


async def test_the_best_of_all_kinds_is_taken(adapter_fixture: AdapterFixture) -> None:
    request = adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)
    best = await adapter_fixture.adapter.quote(request)
    outputs = {kind: (await of_kind(adapter_fixture, kind).adapter.quote(request)).output_amount for kind in Kind}
    assert best.output_amount == max(outputs.values())
    assert outputs[best.payload.order.kind] == best.output_amount


@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[1], PAIRS[2]])
async def test_the_contract_names_the_order_as_we_do(
    adapter_fixture: AdapterFixture, pair: tuple[Kind, Place, Place, int]
) -> None:
    kind, origin, destination, amount = pair
    adapter_fixture = of_kind(adapter_fixture, kind)
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(origin, destination, amount))
    transfer = await adapter_fixture.execute(quote, built)
    assert built.reference is not None
    await adapter_fixture.followed(replace(transfer, tx_hash="0x" + "00" * 32), TransferState.UNKNOWN)
    status = await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    assert status.raw["orderHash"] == built.reference
    await adapter_fixture.followed(replace(transfer, reference=None), TransferState.SUCCESS)


@pytest.mark.parametrize(("kind", "origin", "amount", "takes"), [
    (Kind.SWIFT, ("sbxb", "WETH"), 10**17 + 9_999_999_999, 10**17),
    (Kind.SWIFT, ("sbxa", "ETH"), 10**17 + 1, None),
    (Kind.WORMHOLE, ("sbxa", "DAI"), 10**18 + 10**10 - 1, 10**18),
    (Kind.SWIFT, ("sbxb", "DAI"), 10**18 + 1, None),
    (Kind.SWIFT, ("sbxb", "WETH"), 10**17, None),
])  # fmt: skip
async def test_what_the_protocols_would_drop_stays_with_the_wallet(
    adapter_fixture: AdapterFixture, kind: Kind, origin: Place, amount: int, takes: int | None
) -> None:
    adapter_fixture = of_kind(adapter_fixture, kind)
    destination = ("sbxa" if origin[0] == "sbxb" else "sbxb", "USDC")
    _, built = await adapter_fixture.quoted(adapter_fixture.request(origin, destination, amount))
    assert built.input_taken == takes
    if origin[1] == "ETH":
        # It is wrapped by a swap, which takes all of it.
        assert built.value == amount


async def test_a_refund_of_swift_reaches_the_wallet(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture = of_kind(adapter_fixture, Kind.SWIFT)
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*PAIRS[0][1:]))
    before = await adapter_fixture.balance(quote.request.origin_token, adapter_fixture.account)
    status = await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.REFUNDED)
    assert await adapter_fixture.balance(quote.request.origin_token, adapter_fixture.account) == before
    assert status.refund_tx_hash is not None


@pytest.mark.parametrize("kind", [Kind.MCTP, Kind.FAST_MCTP])
async def test_a_refund_of_circle_s_kinds_reaches_the_receiver(adapter_fixture: AdapterFixture, kind: Kind) -> None:
    adapter_fixture = of_kind(adapter_fixture, kind)
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    request = adapter_fixture.request(("sbxb", "USDC"), ("sbxa", "WETH"), 250_000_000)
    quote, built = await adapter_fixture.quoted(request)
    before = await adapter_fixture.balance(adapter_fixture.tokens["sbxa", "USDC"], RECEIVER)
    await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.REFUNDED)
    assert await adapter_fixture.balance(adapter_fixture.tokens["sbxa", "USDC"], RECEIVER) > before + 249_000_000
    assert any("receiver on the destination" in sentence for sentence in adapter_fixture.adapter.info.trust_assumptions)


async def test_a_failure_is_told(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await adapter_fixture.quoted(adapter_fixture.request(*PAIRS[0][1:]))
    await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.BRIDGE_FAILED)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("lie", [
    Lie.OTHER_ENTRY, Lie.OTHER_TOKEN, Lie.OTHER_AMOUNT, Lie.MORE_VALUE, Lie.NO_MINIMUM,
])  # fmt: skip
async def test_lies_are_refused(adapter_fixture: AdapterFixture, kind: Kind, lie: Lie) -> None:
    adapter_fixture = of_kind(adapter_fixture, kind)
    adapter_fixture.emulator.behaviour.lie = lie
    # A minimum of nothing is what fees leave of small amounts, so it reads as one.
    with pytest.raises(BelowMinimum if lie is Lie.NO_MINIMUM else UpstreamFailed):
        await adapter_fixture.quoted(adapter_fixture.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18))


async def test_a_strange_router_is_refused(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture = of_kind(adapter_fixture, Kind.SWIFT)
    quote = await adapter_fixture.adapter.quote(
        adapter_fixture.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)
    )
    adapter_fixture.emulator.behaviour.lie = Lie.OTHER_ENTRY
    with pytest.raises(UpstreamFailed, match="not among those known"):
        await adapter_fixture.built(quote)


@pytest.mark.parametrize("lie", [Lie.OTHER_RECEIVER, Lie.WORSE_OUTPUT])
async def test_a_bad_swap_is_stopped_by_the_forwarder(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    adapter_fixture = of_kind(adapter_fixture, Kind.SWIFT)
    adapter_fixture.emulator.behaviour.lie = lie
    request = adapter_fixture.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)
    quote, built = await adapter_fixture.quoted(request)
    with pytest.raises(RpcError, match="insufficient middle token"):
        await adapter_fixture.execute(quote, built)


async def test_contracts_that_are_not_pinned_count_where_the_forwarder_lists_them(
    adapter_fixture: AdapterFixture,
) -> None:
    adapter_fixture = of_kind(adapter_fixture, Kind.SWIFT)
    adapter = adapter_fixture.adapter
    assert isinstance(adapter, MayanAdapter)
    places = {
        chain: replace(place, swift=("0x" + "11" * 20,), routers=())
        for chain, place in adapter.context.deployments.items()
    }  # fmt: skip
    listed = changed(adapter, context=replace(adapter.context, deployments=places))
    request = adapter_fixture.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)
    quote = await listed.quote(request)
    built = await listed.build(quote)
    assert isinstance(built, EvmTransaction)
    transfer = await adapter_fixture.execute(quote, built)
    await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    blind = changed(listed, context=replace(listed.context, rpcs={}))
    with pytest.raises(UpstreamFailed, match="not among those known"):
        await blind.build(quote)


@pytest.mark.parametrize("kind", list(Kind))
async def test_contracts_are_not_paid_by_every_kind(adapter_fixture: AdapterFixture, kind: Kind) -> None:
    chains = adapter_fixture.chains
    assert chains["sbxb"].executor is not None
    contract = chains["sbxb"].executor
    request = adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)
    asked = replace(request, receiver=contract, payout_address=contract)
    one = of_kind(adapter_fixture, kind)
    if kind in (Kind.MCTP, Kind.WORMHOLE):
        with pytest.raises(NoRoute, match="contract"):
            await one.adapter.quote(asked)
    else:
        assert (await one.adapter.quote(asked)).payload.order.kind is kind
    assert (await adapter_fixture.adapter.quote(asked)).payload.order.kind in (Kind.SWIFT, Kind.FAST_MCTP)


async def test_a_wallet_that_delegated_itself_is_no_contract(adapter_fixture: AdapterFixture) -> None:
    delegated = "0xef0100" + "22" * 20
    await adapter_fixture.rpcs["sbxb"].call("anvil_setCode", [RECEIVER, delegated])
    mctp = of_kind(adapter_fixture, Kind.MCTP)
    request = adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)
    assert (await mctp.adapter.quote(request)).payload.order.kind is Kind.MCTP


async def _sent(adapter_fixture: AdapterFixture, quote: Quote[object], built: EvmTransaction) -> Transfer:
    """The wallet's one transaction: the Diamond takes the input, the Executor makes Mayan's call."""
    request = quote.request
    order = BridgeOrder(
        id=b"\x07" * 32, chain=request.origin, destination=request.destination, integrator=None, adapter=quote.adapter,
        receiver=request.receiver, input_token=request.origin_token.address, amount=request.amount, net=request.amount,
        sent=request.amount if built.input_taken is None else built.input_taken,
        output_token=request.destination_token.address,
        expected_output=quote.output_amount, min_output=quote.min_output_amount or 0, refund_to=request.sender,
        reference=built.reference, deadline=request.deadline, native_fee=quote.native_fee, charges=(),
    )  # fmt: skip
    call = bridge_call(order, built)
    if call.spender is not None:
        data = encode_call("approve(address,uint256)", ["address", "uint256"], [call.spender, request.amount])
        await adapter_fixture.send(request.origin.key, request.origin_token.address, data)
    tx_hash = await adapter_fixture.send(request.origin.key, call.to, call.data, call.value)
    return adapter_fixture.begun(quote, built, tx_hash)


@pytest.mark.parametrize(("kind", "origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives_through_the_diamond(
    adapter_fixture: AdapterFixture, kind: Kind, origin: Place, destination: Place, amount: int
) -> None:
    adapter_fixture = of_kind(adapter_fixture, kind)
    token, paid = adapter_fixture.tokens[destination], adapter_fixture.tokens[origin]
    before, had = (
        await adapter_fixture.balance(token, RECEIVER),
        await adapter_fixture.balance(paid, adapter_fixture.account),
    )
    request = adapter_fixture.request(origin, destination, amount, direct=False)
    quote, built = await adapter_fixture.quoted(request)
    transfer = await _sent(adapter_fixture, quote, built)
    await adapter_fixture.followed(transfer, TransferState.SUCCESS)
    gained = await adapter_fixture.balance(token, RECEIVER) - before
    assert quote.min_output_amount is not None
    assert gained >= quote.min_output_amount
    # What Mayan does not take came back, and the contracts keep nothing.
    if paid.address != NATIVE_EVM:
        assert had - await adapter_fixture.balance(paid, adapter_fixture.account) == (
            amount if built.input_taken is None else built.input_taken
        )
    executor = request.origin.executor
    assert executor is not None
    assert await adapter_fixture.balance(paid, executor) == 0


async def test_a_refund_goes_to_the_wallet_and_not_to_the_executor(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture = of_kind(adapter_fixture, Kind.SWIFT)
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    request = adapter_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000, direct=False)
    quote, built = await adapter_fixture.quoted(request)
    before = await adapter_fixture.balance(request.origin_token, adapter_fixture.account)
    await adapter_fixture.followed(await _sent(adapter_fixture, quote, built), TransferState.REFUNDED)
    assert await adapter_fixture.balance(request.origin_token, adapter_fixture.account) == before


async def test_a_named_wallet_is_refunded_what_the_swap_before_brought(adapter_fixture: AdapterFixture) -> None:
    adapter_fixture, named = of_kind(adapter_fixture, Kind.SWIFT), adapter_fixture.others[0]
    adapter_fixture.emulator.behaviour.outcome = Outcome.REFUND
    asked = adapter_fixture.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)
    quote, built = await adapter_fixture.quoted(replace(asked, refund_to=named))
    between = adapter_fixture.tokens["sbxa", "USDC"]
    before = await adapter_fixture.balance(between, named)
    await adapter_fixture.followed(await adapter_fixture.execute(quote, built), TransferState.REFUNDED)
    assert await adapter_fixture.balance(between, named) - before >= quote.payload.order.min_middle > 0


ASKED = (("sbxa", "USDC"), ("sbxb", "USDC"), 500 * 10**6)


def five(adapter_fixture: AdapterFixture, guard: UpstreamGuard | None = None) -> list[MayanAdapter]:
    """The five, as the service builds them: before one host, with one guard, and what joins their calls."""
    assert isinstance(adapter_fixture.adapter, MayanAdapter)
    context = adapter_fixture.adapter.context
    context = replace(context, http=replace(context.http, guard=guard))
    adapters = [spec.make(replace(context, key=spec.key)) for spec in SPECS]
    return [adapter for adapter in adapters if isinstance(adapter, MayanAdapter)]


async def gathered(
    adapter_fixture: AdapterFixture, adapters: Sequence[MayanAdapter], deadlines: Deadlines | None = None
) -> Gathered:
    request = adapter_fixture.request(*ASKED)
    asks = [Ask(adapter, request) for adapter in adapters if adapter.supports(request)]
    return await gather_quotes(asks, CallNotes(), deadlines or Deadlines(60, 60))


def prices(adapter_fixture: AdapterFixture) -> int:
    return sum(asked.path == "/quote" for asked in adapter_fixture.emulator.requests)


async def test_one_quote_over_all_adapters_makes_one_request(adapter_fixture: AdapterFixture) -> None:
    """Each makes its own quote of the one answer, in a form of its own kind."""
    adapters = five(adapter_fixture)
    answer = await gathered(adapter_fixture, adapters)
    assert [quote.adapter for quote in answer.quotes] == [
        "MAYAN", "MAYAN_SWIFT", "MAYAN_MCTP", "MAYAN_FAST_MCTP", "MAYAN_WORMHOLE",
    ]  # fmt: skip
    assert answer.refusals == ()
    assert prices(adapter_fixture) == 1
    kinds = {quote.adapter: quote.payload.order.kind for quote in answer.quotes}
    for adapter in adapters[1:]:
        assert (kinds[adapter.info.key],) == adapter.kinds
    await gathered(adapter_fixture, adapters)
    assert prices(adapter_fixture) == 2, "another quote is another question"


async def test_it_is_one_call_of_the_budget_and_one_failure(adapter_fixture: AdapterFixture) -> None:
    guard = UpstreamGuard("MAYAN", GuardRules(failures=2, calls_per_s=0.1))
    adapters = five(adapter_fixture, guard)
    assert len((await gathered(adapter_fixture, adapters)).quotes) == 5
    reasons = {refusal.reason for refusal in (await gathered(adapter_fixture, adapters)).refusals}
    assert reasons == {"is not asked: its budget of calls is used up for the moment"}
    assert prices(adapter_fixture) == 1


async def test_five_that_wait_in_vain_are_one_failure(adapter_fixture: AdapterFixture) -> None:
    guard = UpstreamGuard("MAYAN", GuardRules(failures=2))
    adapters = five(adapter_fixture, guard)
    adapter_fixture.emulator.behaviour.fault = Fault.NEVER
    for _ in range(2):
        late = await gathered(adapter_fixture, adapters, Deadlines(0.2, 0.2))
        assert {refusal.reason.partition(" within ")[0] for refusal in late.refusals} == {"did not answer"}
    adapter_fixture.emulator.reset()
    reasons = {refusal.reason for refusal in (await gathered(adapter_fixture, adapters)).refusals}
    assert reasons == {"is paused after failing several times in a row"}


async def test_one_that_is_cancelled_does_not_cancel_the_others(adapter_fixture: AdapterFixture) -> None:
    adapters, request = five(adapter_fixture), adapter_fixture.request(*ASKED)
    tasks = [asyncio.create_task(adapter.quote(request)) for adapter in adapters]
    await asyncio.sleep(0)
    tasks[0].cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(ends[0], asyncio.CancelledError)
    assert not [end for end in ends[1:] if isinstance(end, BaseException)]
    assert prices(adapter_fixture) == 1
