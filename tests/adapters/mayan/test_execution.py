"""What Mayan's calldata does on the sandbox: the receiver gets at least the minimum, or the money comes back."""

from dataclasses import replace

import pytest

from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.adapters.mayan.terms import Kind
from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.evm.rpc import RpcError
from tests.adapters.bridging.desk import RECEIVER, Desk

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


def of_kind(desk: Desk, *kinds: Kind) -> Desk:
    assert isinstance(desk.adapter, MayanAdapter)
    return replace(desk, adapter=replace(desk.adapter, kinds=kinds))


@pytest.mark.parametrize(("kind", "origin", "destination", "amount"), PAIRS)
async def test_what_was_quoted_arrives(desk: Desk, kind: Kind, origin: Place, destination: Place, amount: int) -> None:
    desk = of_kind(desk, kind)
    token = desk.tokens[destination]
    before = await desk.balance(token, RECEIVER)
    quote, built = await desk.built(await desk.adapter.quote(desk.request(origin, destination, amount)))
    transfer = await desk.execute(quote, built)
    status = await desk.followed(transfer, TransferState.SUCCESS)
    gained = await desk.balance(token, RECEIVER) - before
    assert quote.min_output_amount is not None
    assert quote.output_amount >= gained >= quote.min_output_amount * 999 // 1000
    assert gained >= quote.min_output_amount
    assert status.destination_tx_hash is not None
    assert status.output_token == token.address


async def test_the_best_of_all_kinds_is_taken(desk: Desk) -> None:
    request = desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)
    best = await desk.adapter.quote(request)
    outputs = {kind: (await of_kind(desk, kind).adapter.quote(request)).output_amount for kind in Kind}
    assert best.output_amount == max(outputs.values())
    assert outputs[best.payload.order.kind] == best.output_amount


@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[1], PAIRS[2]])
async def test_the_contract_names_the_order_as_we_do(desk: Desk, pair: tuple[Kind, Place, Place, int]) -> None:
    kind, origin, destination, amount = pair
    desk = of_kind(desk, kind)
    quote, built = await desk.built(await desk.adapter.quote(desk.request(origin, destination, amount)))
    transfer = await desk.execute(quote, built)
    assert built.reference is not None
    await desk.followed(replace(transfer, tx_hash="0x" + "00" * 32), TransferState.UNKNOWN)
    status = await desk.followed(transfer, TransferState.SUCCESS)
    assert status.raw["orderHash"] == built.reference
    await desk.followed(replace(transfer, reference=None), TransferState.SUCCESS)


@pytest.mark.parametrize(("kind", "origin", "amount", "takes"), [
    (Kind.SWIFT, ("sbxb", "WETH"), 10**17 + 9_999_999_999, 10**17),
    (Kind.SWIFT, ("sbxa", "ETH"), 10**17 + 1, None),
    (Kind.WORMHOLE, ("sbxa", "DAI"), 10**18 + 10**10 - 1, 10**18),
    (Kind.SWIFT, ("sbxb", "DAI"), 10**18 + 1, None),
    (Kind.SWIFT, ("sbxb", "WETH"), 10**17, None),
])  # fmt: skip
async def test_what_the_protocols_would_drop_stays_with_the_wallet(
    desk: Desk, kind: Kind, origin: Place, amount: int, takes: int | None
) -> None:
    desk = of_kind(desk, kind)
    destination = ("sbxa" if origin[0] == "sbxb" else "sbxb", "USDC")
    _, built = await desk.built(await desk.adapter.quote(desk.request(origin, destination, amount)))
    assert built.takes == takes
    if origin[1] == "ETH":
        # It is wrapped by a swap, which takes all of it.
        assert built.value == amount


async def test_a_refund_of_swift_reaches_the_wallet(desk: Desk) -> None:
    desk = of_kind(desk, Kind.SWIFT)
    desk.emulator.behaviour.outcome = Outcome.REFUND
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*PAIRS[0][1:])))
    before = await desk.balance(quote.request.origin_token, desk.account)
    status = await desk.followed(await desk.execute(quote, built), TransferState.REFUNDED)
    assert await desk.balance(quote.request.origin_token, desk.account) == before
    assert status.refund_tx_hash is not None


@pytest.mark.parametrize("kind", [Kind.MCTP, Kind.FAST_MCTP])
async def test_a_refund_of_circle_s_kinds_reaches_the_receiver(desk: Desk, kind: Kind) -> None:
    desk = of_kind(desk, kind)
    desk.emulator.behaviour.outcome = Outcome.REFUND
    request = desk.request(("sbxb", "USDC"), ("sbxa", "WETH"), 250_000_000)
    quote, built = await desk.built(await desk.adapter.quote(request))
    before = await desk.balance(desk.tokens["sbxa", "USDC"], RECEIVER)
    await desk.followed(await desk.execute(quote, built), TransferState.REFUNDED)
    assert await desk.balance(desk.tokens["sbxa", "USDC"], RECEIVER) > before + 249_000_000
    assert any("receiver on the destination" in sentence for sentence in desk.adapter.info.unprovable)


async def test_a_failure_is_told(desk: Desk) -> None:
    desk.emulator.behaviour.outcome = Outcome.FAIL
    quote, built = await desk.built(await desk.adapter.quote(desk.request(*PAIRS[0][1:])))
    await desk.followed(await desk.execute(quote, built), TransferState.BRIDGE_FAILED)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("lie", [
    Lie.OTHER_ENTRY, Lie.OTHER_TOKEN, Lie.OTHER_AMOUNT, Lie.MORE_VALUE, Lie.NO_MINIMUM,
])  # fmt: skip
async def test_lies_are_refused(desk: Desk, kind: Kind, lie: Lie) -> None:
    desk = of_kind(desk, kind)
    desk.emulator.behaviour.lie = lie
    with pytest.raises(UpstreamFailed):
        await desk.built(await desk.adapter.quote(desk.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)))


async def test_a_strange_router_is_refused(desk: Desk) -> None:
    desk = of_kind(desk, Kind.SWIFT)
    quote = await desk.adapter.quote(desk.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18))
    desk.emulator.behaviour.lie = Lie.OTHER_ENTRY
    with pytest.raises(UpstreamFailed, match="not among those known"):
        await desk.built(quote)


@pytest.mark.parametrize("lie", [Lie.OTHER_RECEIVER, Lie.WORSE_OUTPUT])
async def test_a_bad_swap_is_stopped_by_the_forwarder(desk: Desk, lie: Lie) -> None:
    desk = of_kind(desk, Kind.SWIFT)
    desk.emulator.behaviour.lie = lie
    request = desk.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)
    quote, built = await desk.built(await desk.adapter.quote(request))
    with pytest.raises(RpcError, match="insufficient middle token"):
        await desk.execute(quote, built)


async def test_contracts_that_are_not_pinned_count_where_the_forwarder_lists_them(desk: Desk) -> None:
    desk = of_kind(desk, Kind.SWIFT)
    adapter = desk.adapter
    assert isinstance(adapter, MayanAdapter)
    places = {
        chain: replace(place, swift=("0x" + "11" * 20,), routers=())
        for chain, place in adapter.parts.deployments.items()
    }  # fmt: skip
    listed = replace(adapter, parts=replace(adapter.parts, deployments=places))
    request = desk.request(("sbxa", "DAI"), ("sbxb", "USDC"), 500 * 10**18)
    quote = await listed.quote(request)
    built = await listed.build(quote)
    transfer = await desk.execute(quote, built)
    await desk.followed(transfer, TransferState.SUCCESS)
    blind = replace(listed, parts=replace(listed.parts, rpcs={}))
    with pytest.raises(UpstreamFailed, match="not among those known"):
        await blind.build(quote)


@pytest.mark.parametrize("kind", list(Kind))
async def test_contracts_are_not_paid_by_every_kind(desk: Desk, kind: Kind) -> None:
    chains = desk.chains
    assert chains["sbxb"].executor is not None
    contract = chains["sbxb"].executor
    request = desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)
    asked = replace(request, receiver=contract, recipient=contract)
    one = of_kind(desk, kind)
    if kind in (Kind.MCTP, Kind.WORMHOLE):
        with pytest.raises(NoRoute, match="contract"):
            await one.adapter.quote(asked)
    else:
        assert (await one.adapter.quote(asked)).payload.order.kind is kind
    assert (await desk.adapter.quote(asked)).payload.order.kind in (Kind.SWIFT, Kind.FAST_MCTP)


async def test_a_wallet_that_delegated_itself_is_no_contract(desk: Desk) -> None:
    delegated = "0xef0100" + "22" * 20
    await desk.rpcs["sbxb"].call("anvil_setCode", [RECEIVER, delegated])
    mctp = of_kind(desk, Kind.MCTP)
    request = desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 250_000_000)
    assert (await mctp.adapter.quote(request)).payload.order.kind is Kind.MCTP
