"""From Solana: what is made of quotes, and what is refused in them."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from rhumbline.adapters.mayan.adapter import MayanAdapter
from rhumbline.adapters.mayan.svm.draft import holder_of
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, UpstreamFailed
from rhumbline.domain.quote import Quote
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from tests.adapters.mayan.stub_upstream import RECEIVER, TOKENS, changed, open_stub
from tests.adapters.mayan.svm.quotes import (
    AMOUNT,
    CIRCLE_FEE,
    HERE,
    REDEEM_FEE,
    SOLANA_FEE,
    STRANGER,
    WALLET,
    from_solana,
    question,
    quoted,
)

SWIFT, USDC = "mayan34VedncxdK2XobtvWFDXQASUTBXhUVzt2kKgny", TOKENS["solana USDC"].address
KEYS = {"SWIFT": "MAYAN_SWIFT", "MCTP": "MAYAN_MCTP", "FAST_MCTP": "MAYAN_FAST_MCTP"}


async def answered(kind: str, to: str = "base USDC", origin: str = "solana USDC", **changes: Any) -> Quote[Any]:
    asked = from_solana(origin, to)
    async with open_stub(KEYS[kind]) as stub_upstream:
        stub_upstream.quotes(quoted(asked, kind, **changes))
        return await stub_upstream.adapter.quote(asked)


async def drafted(quote: Quote[Any]) -> SvmDraft:
    async with open_stub(quote.adapter) as stub_upstream:
        made = await stub_upstream.adapter.build(quote)
    assert isinstance(made, SvmDraft)
    return made


async def test_an_order_of_swift() -> None:
    quote = await answered("SWIFT")
    assert (quote.output_amount, quote.min_output_amount) == (249_800_000, 248_551_000)
    # The order's own account has ten bytes.
    assert (quote.native_fee, quote.seconds) == (138 * 6960, 10)
    draft = await drafted(quote)
    owner = quote.payload.order.ledger.owner
    holder = holder_of(owner, USDC)
    assert draft.deposit == BridgeDeposit(USDC, AMOUNT, (holder,))
    assert (draft.program, draft.programs) == (HERE.proxy, frozenset({HERE.proxy, SWIFT}))
    assert [each.accounts[0].address[:5] for each in draft.instructions] == ["AToke", "Token", "mayan"]
    assert {role.address for each in draft.instructions for role in each.accounts if role.signer} == {WALLET}
    assert draft.tables == HERE.tables
    assert draft.expires_at == 1795266000
    assert draft.reference == quote.payload.order.reference
    assert draft.reference is not None
    assert draft.co_signers == ()


async def test_native_sol_is_wrapped_into_the_order_s_account() -> None:
    quote = await answered("SWIFT", origin="SOL", swiftInputContractStandard="erc20")
    draft = await drafted(quote)
    holder = holder_of(quote.payload.order.ledger.owner, NATIVE_EVM)
    assert draft.deposit == BridgeDeposit(WRAPPED_SOL, AMOUNT, (holder,))
    made, paid, synced, _ = draft.instructions
    assert [role.address for role in paid.accounts][1:] == [WALLET, holder]
    assert int.from_bytes(paid.data[4:12], "little") == AMOUNT
    assert [role.address for role in synced.accounts][1:] == [holder]
    assert made.accounts[2].address == holder


@pytest.mark.parametrize(("kind", "circle", "share"), [("MCTP", 0, 0), ("FAST_MCTP", CIRCLE_FEE, 3)])
async def test_what_is_taken_on_solana_is_counted(kind: str, circle: int, share: int) -> None:
    quote = await answered(kind, expectedAmountOut=249.99)
    # Circle may take all that it is granted, and Mayan its share: both are off the promise too.
    left = (AMOUNT - REDEEM_FEE - SOLANA_FEE - circle) * (10_000 - share) // 10_000
    assert (quote.output_amount, quote.min_output_amount) == (left, left)
    assert [fee.amount for fee in quote.fees if fee.type == "relayer"] == [REDEEM_FEE + SOLANA_FEE]
    assert quote.native_fee == 448 * 6960
    draft = await drafted(quote)
    assert draft.deposit == BridgeDeposit(USDC, AMOUNT, (holder_of(quote.payload.order.ledger.owner, USDC),))
    assert draft.reference is None


@pytest.mark.parametrize("kind", ["MCTP", "FAST_MCTP"])
async def test_an_order_for_another_token_expects_what_is_left(kind: str) -> None:
    reply: dict[str, Any] = {
        "expectedAmountOut": 0.08,
        "expectedAmountOutBaseUnits": "80000000000000000",
        "minAmountOut": 0.0796,
    }
    quote = await answered(kind, "base ETH", **reply)
    assert quote.output_amount == 80_000_000_000_000_000 * (AMOUNT - SOLANA_FEE) // AMOUNT
    least = 79_600_000_000_000_000
    assert quote.min_output_amount == (least * 9997 // 10_000 if kind == "MCTP" else least)
    assert isinstance(await drafted(quote), SvmDraft)


async def test_only_the_wallet_itself_and_what_is_not_swapped() -> None:
    asked = from_solana()
    async with open_stub("MAYAN_SWIFT") as swift, open_stub("MAYAN_MCTP") as mctp, open_stub("MAYAN_WORMHOLE") as wh:
        for each in (swift, mctp):
            assert each.adapter.supports(asked)
            assert not each.adapter.supports(replace(asked, taker=STRANGER))
        assert swift.adapter.supports(from_solana("SOL"))
        assert not mctp.adapter.supports(from_solana("SOL"))
        assert not wh.adapter.supports(asked)


async def test_how_it_is_asked() -> None:
    asked = from_solana("SOL", "base ETH")
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.quotes(quoted(asked))
        await stub_upstream.adapter.quote(asked)
        (asking,) = stub_upstream.recorded.asked
    told = dict(asking.query)
    assert question(told) == ("solana", NATIVE_EVM, "base", NATIVE_EVM, str(AMOUNT))
    assert told["destinationAddress"] == RECEIVER
    # What nobody carries from there is not asked for.
    assert [told[flag] for flag in ("swift", "mctp", "fastMctp", "wormhole")] == ["true", "false", "false", "false"]


@pytest.mark.parametrize(("changes", "fault"), [
    ({"swiftVersion": "V1"}, UpstreamFailed),
    ({"swiftMayanContract": STRANGER}, UpstreamFailed),
    ({"swiftMayanContract": "0x40fFE85A28DC9993541449464d7529a922142960"}, UpstreamFailed),
    ({"swiftMayanContract": "nothing"}, UpstreamFailed),
    ({"swiftInputContract": STRANGER}, NoRoute),
    ({"swiftInputContract": NATIVE_EVM}, NoRoute),
    ({"swiftInputContractStandard": "spl2022"}, UpstreamFailed),
    ({"swiftInputDecimals": 9}, UpstreamFailed),
    ({"swiftAuctionMode": 0}, UpstreamFailed),
    ({"submitRelayerFee64": "1"}, UpstreamFailed),
    ({"protocolBps": None}, UpstreamFailed),
    ({"deadline64": None}, UpstreamFailed),
    ({"deadline64": "1795262401"}, UpstreamFailed),
    ({"gasless": True}, UpstreamFailed),
    ({"referrerBps": 1}, UpstreamFailed),
    ({"gasDrop": 0.001}, UpstreamFailed),
    ({"bridgeFee": 0.001}, UpstreamFailed),
    ({"effectiveAmountIn64": str(AMOUNT - 1)}, UpstreamFailed),
    ({"cancelRelayerFee64": "12500000"}, UpstreamFailed),
    ({"quoteId": "0x" + "11" * 17}, UpstreamFailed),
    ({"minAmountOut": 0}, BelowMinimum),
])  # fmt: skip
async def test_quotes_of_swift_that_are_refused(changes: dict[str, Any], fault: type[AdapterError]) -> None:
    with pytest.raises(fault):
        await answered("SWIFT", **changes)


@pytest.mark.parametrize("kind", ["MCTP", "FAST_MCTP"])
@pytest.mark.parametrize(("changes", "fault"), [
    ({"solanaRelayerFee64": None}, UpstreamFailed),
    ({"solanaRelayerFee64": str(AMOUNT)}, BelowMinimum),
    ({"solanaRelayerFee64": str(AMOUNT - 1)}, BelowMinimum),
    ({"mctpInputContract": STRANGER, "fastMctpInputContract": STRANGER}, NoRoute),
    ({"mctpMayanContract": STRANGER, "fastMctpMayanContract": STRANGER}, UpstreamFailed),
    ({"hasAuction": True}, UpstreamFailed),
    ({"gasDrop": 0.001}, UpstreamFailed),
    ({"bridgeFee": 0.02}, UpstreamFailed),
])  # fmt: skip
async def test_quotes_over_circle_that_are_refused(
    kind: str, changes: dict[str, Any], fault: type[AdapterError]
) -> None:
    with pytest.raises(fault):
        await answered(kind, **changes)


@pytest.mark.parametrize("kind", list(KEYS))
async def test_an_order_that_was_changed_is_not_handed_out(kind: str) -> None:
    quote = await answered(kind)
    order = quote.payload.order
    call = order.ledger.call
    others = [
        replace(order, ledger=replace(order.ledger, owner=STRANGER)),
        replace(order, ledger=replace(order.ledger, call=replace(call, program=STRANGER))),
        replace(order, ledger=replace(order.ledger, call=replace(call, data=call.data[:12] + b"\1" + call.data[13:]))),
        replace(order, amount=AMOUNT + 1),
    ]
    for other in others:
        with pytest.raises(UpstreamFailed):
            await drafted(replace(quote, payload=replace(quote.payload, order=other)))
    assert quote.min_output_amount is not None
    with pytest.raises(UpstreamFailed, match="guaranteed"):
        await drafted(replace(quote, min_output_amount=quote.min_output_amount + 1))


async def test_the_wallet_s_own_orders_differ() -> None:
    asked = from_solana()
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.quotes(quoted(asked))
        drawn = [bytes([number]) * 16 for number in (1, 2)]
        adapter = stub_upstream.adapter
        assert isinstance(adapter, MayanAdapter)
        references = [
            (await changed(adapter, random=partial(_drawn, each)).quote(asked)).payload.order.reference
            for each in drawn
        ]
    assert len(set(references)) == 2


def _drawn(drawn: bytes, _count: int) -> bytes:
    return drawn
