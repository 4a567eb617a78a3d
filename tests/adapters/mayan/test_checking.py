"""What Mayan's answers mean, and which are refused."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from solders.pubkey import Pubkey

from rhumbline.adapters.mayan.bytes32 import main_account, word
from rhumbline.adapters.mayan.checking import verify_order
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.protocol_calls import read_protocol_call
from rhumbline.domain import errors
from rhumbline.domain.chain import ChainType
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.mayan.stub_upstream import (
    CHAINS,
    KIND_KEYS,
    NOW,
    RECORDED,
    SOLANA,
    changed,
    open_stub,
    read,
    request,
)

ERRORS: list[tuple[int, Any, type[errors.AdapterError]]] = [
    (
        406,
        {"code": "AMOUNT_TOO_SMALL", "message": "Amount too small", "data": {"minAmountIn": 0.00055}},
        errors.BelowMinimum,
    ),
    (400, {"code": "AMOUNT_TOO_SMALL", "msg": "Amount too small"}, errors.BelowMinimum),
    (406, {"code": "ROUTE_NOT_FOUND", "msg": "Route not found"}, errors.NoRoute),
    (400, {"code": 0, "msg": "Route not found"}, errors.NoRoute),
    (400, {"message": "Route not found"}, errors.NoRoute),
    (406, {"code": "SDK_VERSION_TOO_OLD", "msg": "Please upgrade sdk to use mctp routes"}, errors.RequestRejected),
    (400, {"message": "fromToken is not valid"}, errors.RequestRejected),
    (400, "no JSON at all", errors.RequestRejected),
    (401, {"message": "Unauthorized"}, errors.CredentialsRejected),
    (403, {"code": "ROUTE_NOT_FOUND"}, errors.CredentialsRejected),
    (429, {"message": "Too many requests"}, errors.UpstreamFailed),
    (500, {"statusCode": 500, "message": "Internal server error"}, errors.UpstreamFailed),
    (502, "<html>", errors.UpstreamFailed),
]


@pytest.mark.parametrize(("status", "body", "error"), ERRORS)
async def test_every_error_is_one_of_ours(status: int, body: Any, error: type[errors.AdapterError]) -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.recorded.says("/quote", body, status)
        with pytest.raises(errors.AdapterError) as caught:
            await stub_upstream.adapter.quote(request())
        assert type(caught.value) is error
        stub_upstream.quotes(read("swift_dai_to_sol"))
        quote = await stub_upstream.adapter.quote(request("DAI", "SOL", 500 * 10**18))
        stub_upstream.recorded.says("/get-swap/evm", body, status)
        with pytest.raises(error):
            await stub_upstream.adapter.build(quote)


async def test_a_minimum_is_told_in_raw_units_rounded_up() -> None:
    for told, least in (
        (0.00055, 550),
        ("0.0000015", 2),
        (0, None),
        (-1, None),
        ("much", None),
        ("1" + "0" * 79, None),
    ):
        async with open_stub() as stub_upstream:
            stub_upstream.recorded.says("/quote", {"code": "AMOUNT_TOO_SMALL", "data": {"minAmountIn": told}}, 406)
            with pytest.raises(errors.BelowMinimum) as caught:
                await stub_upstream.adapter.quote(request())
        assert caught.value.minimum == least


@pytest.mark.parametrize("document", [
    {"quotes": []},
    {"quotes": [{"type": "SHUTTLE"}, {"type": "MONO_CHAIN"}, {}]},
    {"quotes": [{"type": 7}], "minimumSdkVersion": [15, 2, 0]},
])  # fmt: skip
async def test_without_a_quote_of_a_known_kind_there_is_no_route(document: Any) -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.recorded.says("/quote", document)
        with pytest.raises(errors.NoRoute):
            await stub_upstream.adapter.quote(request())


async def test_quotes_of_kinds_that_were_not_asked_for_do_not_count() -> None:
    async with open_stub("MAYAN_MCTP") as stub_upstream:
        stub_upstream.quotes(read("swift_usdc_to_base_usdc"), read("fast_usdc_to_base_usdc"))
        with pytest.raises(errors.NoRoute):
            await stub_upstream.adapter.quote(request())


async def test_a_newer_protocol_is_not_guessed_at() -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.recorded.says(
            "/quote", {"quotes": [read("swift_usdc_to_base_usdc")], "minimumSdkVersion": [15, 2, 1]}
        )  # fmt: skip
        with pytest.raises(errors.RequestRejected, match="newer"):
            await stub_upstream.adapter.quote(request())


async def test_one_sound_quote_among_others_is_enough() -> None:
    async with open_stub() as stub_upstream:
        best = {**read("mctp_usdc_to_base_usdc"), "toChain": "arbitrum"}
        stub_upstream.quotes(best, read("swift_usdc_to_base_usdc"), {"type": "WH"}, read("fast_usdc_to_base_usdc"))
        assert (await stub_upstream.adapter.quote(request())).output_amount == 249_871_500
        stub_upstream.quotes(best)
        with pytest.raises(errors.UpstreamFailed, match="destination chain"):
            await stub_upstream.adapter.quote(request())


STRANGER = "0x" + "5b" * 20
CHANGES: tuple[Mapping[str, Any], ...] = (
    {"fromChain": "base"},
    {"toChain": "Base"},
    {"effectiveAmountIn64": "250000001"},
    {"effectiveAmountIn64": "249999999"},
    {"slippageBps": 47},
    {"gasDrop": 0.01},
    {"referrerBps": 5},
    {"gasless": True},
    {"bridgeFee": 0.001},
    {"minAmountOut": -1},
    {"minAmountOut": 2e13},
    {"minAmountOut": None},
    {"deadline64": None},
    {"deadline64": str(int(NOW.timestamp()) + 59)},
    {"deadline64": str(int(NOW.timestamp()) + 2 * 24 * 3600 + 1)},
    {"deadline64": str(2**64)},
    {"swiftAuctionMode": 0},
    {"swiftVersion": "V3"},
    {"swiftInputContract": STRANGER, "minMiddleAmount": 250},
    {"swiftInputContract": "0x" + "0" * 40},
    {"cancelRelayerFee64": "250000000"},
    {"quoteId": "0x" + "11" * 17},
    {"protocolBps": 256},
    {"swiftMayanContract": "0x12"},
    {"expectedAmountOut": "many"},
)
WRONG: list[tuple[str, Mapping[str, Any]]] = [
    *(("swift_usdc_to_base_usdc", change) for change in CHANGES),
    ("swift_usdc_to_base_usdc", {"refundRelayerFee64": "125000000"}),
    ("swift_usdc_to_base_usdc", {"swiftInputDecimals": 18}),
    ("swift_dai_to_sol", {"swiftInputDecimals": 0}),
    ("swift_dai_to_sol", {"minMiddleAmount": None}),
    ("swift_dai_to_sol", {"swiftInputContract": "0xdac17f958d2ee523a2206206994597c13d831ec8"}),
    ("swift_v1_eth_to_base_eth", {"swiftVersion": "V2"}),
    ("mctp_usdc_to_base_usdc", {"bridgeFee": 0.0100001}),
    ("mctp_usdc_to_base_usdc", {"mctpInputContract": STRANGER, "minMiddleAmount": 250}),
    ("mctp_usdc_to_base_usdc", {"cheaperChain": "ethereum", "redeemRelayerFee": 0}),
    ("mctp_usdc_to_base_usdc", {"hasAuction": None}),
    ("mctp_usdc_to_base_eth", {"hasAuction": False}),
    ("mctp_usdc_to_base_eth", {"deadline64": None}),
    ("fast_usdc_to_base_usdc", {"fastMctpMinFinality": 2**32}),
    ("fast_dai_to_base_eth", {"hasAuction": False}),
    ("fast_dai_to_base_eth", {"refundRelayerFee64": None}),
    ("fast_dai_to_base_eth", {"refundRelayerFee64": str(500 * 10**6)}),
    ("wh_usdc_to_sol_usdc", {"redeemRelayerFee": 249}),
    ("wh_usdc_to_sol_usdc", {"swapRelayerFee": 250}),
    ("wh_usdc_to_sol_usdc", {"deadline64": None}),
    ("wh_usdc_to_sol_usdc", {"bridgeFee": 1}),
]


@pytest.mark.parametrize(("name", "change"), WRONG)
async def test_a_quote_that_is_not_what_was_asked_is_refused(name: str, change: Mapping[str, Any]) -> None:
    async with open_stub(KIND_KEYS[name.split("_")[0]]) as stub_upstream:
        stub_upstream.quotes({**read(name), **change})
        with pytest.raises(errors.UpstreamFailed):
            await stub_upstream.adapter.quote(request(*RECORDED[name]))


NOTHING_LEFT: list[tuple[str, Mapping[str, Any]]] = [
    ("swift_usdc_to_base_usdc", {"minAmountOut": 0}),
    ("swift_dai_to_sol", {"minMiddleAmount": 0}),
    ("swift_dai_to_sol", {"minMiddleAmount": 1e-9}),
    ("swift_usdc_to_base_usdc", {"minAmountOut": 1e-7}),
    ("mctp_usdc_to_base_eth", {"redeemRelayerFee": 125}),
    ("mctp_usdc_to_base_usdc", {"redeemRelayerFee": 250}),
    ("fast_usdc_to_base_usdc", {"circleMaxFee64": "250000000"}),
]


@pytest.mark.parametrize(("name", "change"), NOTHING_LEFT)
async def test_a_quote_of_which_fees_leave_nothing_is_for_too_small_an_amount(
    name: str, change: Mapping[str, Any]
) -> None:
    """The same would be answered again for the same amount: no failure that may pass."""
    async with open_stub(KIND_KEYS[name.split("_")[0]]) as stub_upstream:
        stub_upstream.quotes({**read(name), **change})
        with pytest.raises(errors.BelowMinimum) as caught:
            await stub_upstream.adapter.quote(request(*RECORDED[name]))
        assert caught.value.minimum is None


@pytest.mark.parametrize(("side", "change"), [
    ("fromToken", {"contract": STRANGER}),
    ("fromToken", {"decimals": 18}),
    ("fromToken", {"wChainId": 30}),
    ("toToken", {"contract": STRANGER}),
    ("toToken", {"decimals": 7}),
    ("toToken", {"decimals": 300}),
    ("toToken", {"wChainId": 2}),
])  # fmt: skip
@pytest.mark.parametrize("name", list(RECORDED))
async def test_another_token_is_refused(name: str, side: str, change: Mapping[str, Any]) -> None:
    async with open_stub(KIND_KEYS[name.split("_")[0]]) as stub_upstream:
        document = read(name)
        if all(document[side][field] == value for field, value in change.items()):
            change = dict.fromkeys(change, 31)
        stub_upstream.quotes({**document, side: {**document[side], **change}})
        with pytest.raises(errors.UpstreamFailed):
            await stub_upstream.adapter.quote(request(*RECORDED[name]))


@pytest.mark.parametrize("change", [
    {"realOriginChainId": 30},
    {"realOriginContractAddress": "So11111111111111111111111111111111111111112"},
    {"realOriginContractAddress": "no address"},
    {"realOriginContractAddress": None},
    {"realOriginChainId": None},
    {"realOriginChainId": 70000},
])  # fmt: skip
async def test_wormhole_brings_tokens_that_are_at_home_only(change: Mapping[str, Any]) -> None:
    async with open_stub("MAYAN_WORMHOLE") as stub_upstream:
        document = read("wh_usdc_to_sol_usdc")
        stub_upstream.quotes({**document, "toToken": {**document["toToken"], **change}})
        with pytest.raises(errors.UpstreamFailed):
            await stub_upstream.adapter.quote(request("USDC", "solana USDC"))


async def test_a_protocol_that_is_not_pinned_is_refused() -> None:
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.quotes({**read("swift_usdc_to_base_usdc"), "swiftMayanContract": STRANGER})
        quote = await stub_upstream.adapter.quote(request())
        with pytest.raises(errors.UpstreamFailed, match="not among those known"):
            await stub_upstream.adapter.build(quote)


@pytest.mark.parametrize("answer", [
    {}, {"swapRouterAddress": "0x12", "swapRouterCalldata": "0x"}, {"swapRouterCalldata": "0x00"},
    {"swapRouterAddress": STRANGER, "swapRouterCalldata": "0x00"},
])  # fmt: skip
async def test_a_strange_swap_is_refused(answer: Any) -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.quotes(read("swift_dai_to_sol"))
        quote = await stub_upstream.adapter.quote(request("DAI", "SOL", 500 * 10**18))
        stub_upstream.recorded.says("/get-swap/evm", answer)
        with pytest.raises(errors.UpstreamFailed):
            await stub_upstream.adapter.build(quote)


async def test_a_swap_that_keeps_most_of_the_usdc_is_refused() -> None:
    document = {**read("fast_usdc_to_base_usdc"), "fromToken": read("swift_dai_to_sol")["fromToken"]}
    swapped = {**document, "effectiveAmountIn64": str(250 * 10**18)}
    swift = {**read("swift_usdc_to_base_usdc"), "fromToken": document["fromToken"]}
    swift["effectiveAmountIn64"] = str(250 * 10**18)
    async with open_stub() as stub_upstream:
        stub_upstream.quotes({**swapped, "minMiddleAmount": 249.9})
        assert (await stub_upstream.adapter.quote(request("DAI", "base USDC", 250 * 10**18))).min_output_amount
        stub_upstream.quotes({**swift, "minMiddleAmount": 200})
        with pytest.raises(errors.UpstreamFailed, match="minimum between"):
            await stub_upstream.adapter.quote(request("DAI", "base USDC", 250 * 10**18))


ACCOUNT = str(Pubkey.from_bytes(main_account("So11111111111111111111111111111111111111112")))


def _refused() -> list[QuoteRequest]:
    good = request()
    return [
        replace(good, destination=CHAINS[1]),
        replace(good, destination=CHAINS[100]),
        replace(good, origin=CHAINS[100]),
        replace(good, origin=CHAINS[SOLANA]),
        replace(good, amount=0),
        replace(good, payout_address=good.sender),
        replace(good, receiver="0x" + "0" * 40, payout_address="0x" + "0" * 40),
        request("USDC", "SOL", receiver="1" * 32, payout_address="1" * 32),
        # A token account, which is nobody's wallet.
        request("USDC", "SOL", receiver=ACCOUNT, payout_address=ACCOUNT),
    ]


async def test_what_cannot_be_served_is_said_without_asking() -> None:
    async with open_stub() as stub_upstream:
        for asked in _refused():
            assert not stub_upstream.adapter.supports(asked)
            with pytest.raises(errors.NoRoute):
                await stub_upstream.adapter.quote(asked)
        assert not stub_upstream.recorded.asked
        assert stub_upstream.adapter.supports(request())
        assert stub_upstream.adapter.supports(replace(request(), taker=request().sender))


async def test_each_kind_needs_its_own_facts_of_a_chain() -> None:
    async with open_stub("MAYAN_MCTP") as stub_upstream:
        places = dict(stub_upstream.adapter.context.deployments)
        places[8453] = replace(places[8453], cctp_domain=None)
        mctp = changed(stub_upstream.adapter, context=replace(stub_upstream.adapter.context, deployments=places))
        assert stub_upstream.adapter.supports(request())
        assert not mctp.supports(request())
    async with open_stub("MAYAN_WORMHOLE") as stub_upstream:
        places = dict(stub_upstream.adapter.context.deployments)
        places[1] = replace(places[1], wormhole=())
        wormhole = changed(stub_upstream.adapter, context=replace(stub_upstream.adapter.context, deployments=places))
        assert stub_upstream.adapter.supports(request())
        assert not wormhole.supports(request())


NAMED = "0x3333333333333333333333333333333333333333"


@pytest.mark.parametrize("name", ["swift_usdc_to_base_usdc", "swift_dai_to_sol", "wh_usdc_to_sol_usdc"])
async def test_the_order_names_who_is_refunded(name: str) -> None:
    """The upstream does not say it: it is written here, and read back."""
    asked = request(*RECORDED[name], refund_to=NAMED)
    async with open_stub(KIND_KEYS[name.partition("_")[0]]) as stub_upstream:
        stub_upstream.quotes(read(name))
        plan = (await stub_upstream.adapter.quote(asked)).payload
    here, there = DEPLOYMENTS[asked.origin.id], DEPLOYMENTS[asked.destination.id]
    found = read_protocol_call(plan.order.data)
    assert found.trader == word(NAMED, ChainType.EVM)
    # An order for one is none for another, or for the sender.
    verify_order(plan.order, asked, here, there)
    for other in (None, STRANGER):
        with pytest.raises(errors.UpstreamFailed, match="refund address"):
            verify_order(plan.order, replace(asked, refund_to=other), here, there)


@pytest.mark.parametrize("name", ["mctp_usdc_to_base_eth", "fast_dai_to_base_eth"])
async def test_an_order_that_refunds_the_receiver_is_none_for_a_named_refund(name: str) -> None:
    asked = request(*RECORDED[name])
    async with open_stub(KIND_KEYS[name.partition("_")[0]]) as stub_upstream:
        stub_upstream.quotes(read(name))
        plan = (await stub_upstream.adapter.quote(asked)).payload
        assert not stub_upstream.adapter.supports(replace(asked, refund_to=NAMED))
    places = DEPLOYMENTS[asked.origin.id], DEPLOYMENTS[asked.destination.id]
    with pytest.raises(errors.UpstreamFailed, match="refund address"):
        verify_order(plan.order, replace(asked, refund_to=NAMED), *places)


async def test_only_kinds_that_can_name_a_refund_are_asked_for_then() -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.quotes(read("swift_usdc_to_base_usdc"), read("mctp_usdc_to_base_usdc"))
        await stub_upstream.adapter.quote(request(refund_to=NAMED))
        [asked] = stub_upstream.recorded.asked
    kinds = {name for name in ("swift", "mctp", "fastMctp", "wormhole") if asked.query[name] == "true"}
    assert "swift" in kinds
    assert not kinds & {"mctp", "fastMctp"}
