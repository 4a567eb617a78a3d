"""From and to Solana on the sandbox: what is built is executed, what the programs refuse, what comes back."""

from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from rhumbline.adapters.mayan.kinds.order import Kind
from rhumbline.devnet.svm.plans import CHAIN_ID
from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.devnet.upstreams.behaviour import Lie, Outcome
from rhumbline.domain.errors import AdapterError, NoRoute
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft, SvmInstruction
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.tokens import ACCOUNT_SIZE
from tests.adapters.adapter_fixture import RECEIVER, AdapterFixture
from tests.adapters.mayan.test_execution import of_kind
from tests.adapters.svm_fixture import Solana, executed

Place = tuple[str, str]
AMOUNT = 250_000_000
PAID = "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2"
FROM_SOLANA: list[tuple[Kind, str, Place, int]] = [
    (Kind.SWIFT, "SOL", ("sbxa", "ETH"), 10**9 + 1),
    (Kind.SWIFT, "WSOL", ("sbxb", "USDC"), 10**9),
    (Kind.SWIFT, "USDT", ("sbxb", "DAI"), AMOUNT),
    (Kind.MCTP, "USDC", ("sbxa", "USDC"), AMOUNT),
    (Kind.MCTP, "USDC", ("sbxa", "WETH"), AMOUNT),
    (Kind.FAST_MCTP, "USDC", ("sbxb", "USDC"), AMOUNT),
    (Kind.FAST_MCTP, "USDC", ("sbxb", "ETH"), AMOUNT),
]
TO_SOLANA: list[tuple[Kind, Place, str, int]] = [
    (Kind.SWIFT, ("sbxa", "DAI"), "SOL", 500 * 10**18),
    (Kind.SWIFT, ("sbxb", "USDC"), "USDC", AMOUNT),
    (Kind.MCTP, ("sbxb", "USDC"), "USDC", AMOUNT),
    (Kind.MCTP, ("sbxa", "USDC"), "SOL", AMOUNT),
    (Kind.FAST_MCTP, ("sbxa", "ETH"), "USDC", 10**17),
    (Kind.WORMHOLE, ("sbxa", "USDC"), "USDC", AMOUNT),
]


def solana(adapter_fixture: AdapterFixture) -> Solana:
    return Solana(adapter_fixture.world)


def node(adapter_fixture: AdapterFixture) -> SvmRpc:
    return adapter_fixture.world.svm(CHAIN_ID).rpc


def leaving(adapter_fixture: AdapterFixture, symbol: str, to: Place, amount: int) -> QuoteRequest:
    """A request of the first account on Solana."""
    here = solana(adapter_fixture)
    plain = adapter_fixture.request(("sbxa", "USDC"), to if to[0] == "sbxb" else ("sbxb", "USDC"), amount)
    return replace(
        plain, origin=here.chain, destination=adapter_fixture.chains[to[0]], origin_token=here.token(symbol),
        destination_token=adapter_fixture.tokens[to], sender=here.wallet(), taker=here.wallet(),
    )  # fmt: skip


async def drafted(adapter_fixture: AdapterFixture, request: QuoteRequest) -> tuple[Quote[Any], SvmDraft]:
    quote = await adapter_fixture.adapter.quote(request)
    made = await adapter_fixture.adapter.build(quote)
    assert isinstance(made, SvmDraft)
    return quote, made


async def sent(adapter_fixture: AdapterFixture, request: QuoteRequest) -> tuple[Quote[Any], SvmDraft, Transfer]:
    """Execute what is built; the bridge's account gains exactly what was said, and the wallet pays it."""
    quote, draft = await drafted(adapter_fixture, request)
    done = await executed(node(adapter_fixture), draft)
    deposit = draft.deposit
    assert deposit is not None
    (holder,) = deposit.holders
    held = (await SvmState(node(adapter_fixture)).token_accounts([holder]))[holder]
    assert held is not None
    assert (held.mint, held.amount) == (deposit.token, request.amount)
    if request.origin_token.symbol != "SOL":
        assert done.gained(request.sender, request.origin_token.address) == -request.amount
    # Beside the input: what keeps the token account, and the order's own as the quote tells.
    lost = -done.gained(request.sender) - (request.amount if request.origin_token.symbol == "SOL" else 0)
    rent = (await node(adapter_fixture).rent()).minimum(ACCOUNT_SIZE)
    assert rent < lost <= rent + quote.native_fee
    return quote, draft, AdapterFixture.begun(quote, draft, done.transaction.signature)


@pytest.mark.parametrize(("kind", "symbol", "to", "amount"), FROM_SOLANA)
async def test_from_solana_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, kind: Kind, symbol: str, to: Place, amount: int
) -> None:
    one = of_kind(adapter_fixture, kind)
    before = await one.balance(one.tokens[to], RECEIVER)
    quote, draft, transfer = await sent(one, leaving(one, symbol, to, amount))
    status = await one.followed(transfer, TransferState.SUCCESS)
    gained = await one.balance(one.tokens[to], RECEIVER) - before
    assert quote.min_output_amount is not None
    assert quote.output_amount >= gained >= quote.min_output_amount
    assert status.output_token == one.tokens[to].address
    assert (draft.reference is not None) is (kind is Kind.SWIFT)
    if draft.reference is not None:
        # Under its hash as under its transaction.
        assert status.raw["orderHash"] == draft.reference
        await one.followed(replace(transfer, reference=None), TransferState.SUCCESS)


@pytest.mark.parametrize(("kind", "origin", "symbol", "amount"), TO_SOLANA)
async def test_to_solana_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, kind: Kind, origin: Place, symbol: str, amount: int
) -> None:
    one, there = of_kind(adapter_fixture, kind), solana(adapter_fixture)
    token = there.token(symbol)
    asked = one.request(origin, ("sbxb" if origin[0] == "sbxa" else "sbxa", "USDC"), amount)
    request = replace(
        asked, destination=there.chain, destination_token=token, receiver=PAID, payout_address=PAID
    )  # fmt: skip
    before = await balance_of(node(one), token.address, PAID)
    quote, built = await one.built(await one.adapter.quote(request))
    status = await one.followed(await one.execute(quote, built), TransferState.SUCCESS)
    gained = await balance_of(node(one), token.address, PAID) - before
    assert quote.min_output_amount is not None
    assert quote.output_amount >= gained >= quote.min_output_amount
    assert status.destination_tx_hash is not None
    assert status.output_token == token.address


@pytest.mark.parametrize("named", [None, PAID])
async def test_a_refund_of_swift_reaches_the_wallet(adapter_fixture: AdapterFixture, named: str | None) -> None:
    one = of_kind(adapter_fixture, Kind.SWIFT)
    one.emulator.behaviour.outcome = Outcome.REFUND
    request = replace(leaving(one, "USDC", ("sbxa", "USDC"), AMOUNT), refund_to=named)
    held = [await balance_of(node(one), request.origin_token.address, each) for each in (request.sender, PAID)]
    _, _, transfer = await sent(one, request)
    status = await one.followed(transfer, TransferState.REFUNDED)
    now = [await balance_of(node(one), request.origin_token.address, each) for each in (request.sender, PAID)]
    assert now == (held if named is None else [held[0] - AMOUNT, held[1] + AMOUNT])
    assert status.refund_tx_hash is not None


@pytest.mark.parametrize("kind", [Kind.MCTP, Kind.FAST_MCTP])
async def test_what_circle_carried_is_paid_out_on_the_destination(adapter_fixture: AdapterFixture, kind: Kind) -> None:
    one = of_kind(adapter_fixture, kind)
    one.emulator.behaviour.outcome = Outcome.REFUND
    before = await one.balance(one.tokens["sbxa", "USDC"], RECEIVER)
    _, _, transfer = await sent(one, leaving(one, "USDC", ("sbxa", "WETH"), AMOUNT))
    await one.followed(transfer, TransferState.REFUNDED)
    assert await one.balance(one.tokens["sbxa", "USDC"], RECEIVER) > before + 249_000_000


async def test_a_failure_is_told(adapter_fixture: AdapterFixture) -> None:
    one = of_kind(adapter_fixture, Kind.SWIFT)
    one.emulator.behaviour.outcome = Outcome.FAIL
    _, _, transfer = await sent(one, leaving(one, "SOL", ("sbxa", "USDC"), 10**9))
    await one.followed(transfer, TransferState.BRIDGE_FAILED)


@pytest.mark.parametrize("kind", [Kind.SWIFT, Kind.MCTP, Kind.FAST_MCTP])
@pytest.mark.parametrize("lie", [
    Lie.OTHER_ENTRY, Lie.OTHER_TOKEN, Lie.OTHER_AMOUNT, Lie.MORE_VALUE, Lie.NO_MINIMUM,
])  # fmt: skip
async def test_lies_are_refused(adapter_fixture: AdapterFixture, kind: Kind, lie: Lie) -> None:
    one = of_kind(adapter_fixture, kind)
    one.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await drafted(one, leaving(one, "USDC", ("sbxa", "WETH"), AMOUNT))


async def test_what_would_be_swapped_on_solana_is_passed_over(adapter_fixture: AdapterFixture) -> None:
    one = of_kind(adapter_fixture, Kind.SWIFT)
    with pytest.raises(NoRoute, match="swap on Solana"):
        await one.adapter.quote(leaving(one, "DAI", ("sbxa", "USDC"), 250 * 10**9))


def _with_last(draft: SvmDraft, changed: SvmInstruction) -> SvmDraft:
    return replace(draft, instructions=(*draft.instructions[:-1], changed))


@pytest.mark.parametrize(("kind", "seeds", "little"), [
    (Kind.SWIFT, "2006", "6001"), (Kind.MCTP, "2006", "6001"), (Kind.FAST_MCTP, "2006", "6001"),
])  # fmt: skip
async def test_the_programs_hold_orders_to_their_address_and_amount(
    adapter_fixture: AdapterFixture, kind: Kind, seeds: str, little: str
) -> None:
    one = of_kind(adapter_fixture, kind)
    quote, draft = await drafted(one, leaving(one, "USDC", ("sbxa", "WETH"), AMOUNT))
    last = draft.instructions[-1]
    at = 8 if kind is Kind.SWIFT else 40
    more = last.data[:at] + (AMOUNT + 1).to_bytes(8, "little") + last.data[at + 8 :]
    with pytest.raises(SvmRpcError, match=hex(int(little))):
        await executed(node(one), _with_last(draft, replace(last, data=more)))
    # Whatever the address is made of: of SWIFT all terms, of the others what was drawn for it.
    drawn = {Kind.SWIFT: 91, Kind.MCTP: 74, Kind.FAST_MCTP: 84}[kind]
    other = last.data[:drawn] + bytes([last.data[drawn] ^ 1]) + last.data[drawn + 1 :]
    with pytest.raises(SvmRpcError, match=hex(int(seeds))):
        await executed(node(one), _with_last(draft, replace(last, data=other)))
    with pytest.raises(SvmRpcError):
        await executed(node(one), replace(draft, instructions=draft.instructions[-1:]))
    await executed(node(one), draft)
    with pytest.raises(SvmRpcError, match=hex(6000)):
        await executed(node(one), replace(draft, compute_limit=1_000_000))
    assert quote.payload.order.kind is kind


@pytest.mark.parametrize(("path", "change", "status"), [
    ("/quote", {}, 200),
    ("/quote", {"destinationAddress": PAID}, 400),
    ("/quote", {"fromToken": PAID}, 406),
    ("/quote", {"toChain": "sbxs"}, 406),
    ("/get-swap/evm", {"chainName": "sbxs"}, 400),
])  # fmt: skip
async def test_the_emulator_is_strict_there_too(
    adapter_fixture: AdapterFixture, path: str, change: dict[str, str], status: int
) -> None:
    await adapter_fixture.adapter.quote(leaving(adapter_fixture, "USDC", ("sbxa", "WETH"), AMOUNT))
    query = {**dict(adapter_fixture.emulator.requests[-1].query), **change}
    if path != "/quote":
        query = {"sdkVersion": query["sdkVersion"], **change}
    async with (
        aiohttp.ClientSession() as session,
        session.get(adapter_fixture.emulator.url + path, params=query) as response,
    ):
        assert response.status == status
