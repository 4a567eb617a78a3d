"""Words of a quote that decide where money goes or how much of it is kept: each has a bound that is shown."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.pubkey import Pubkey

from rhumbline.adapters.mayan.bounds import dearest_refund
from rhumbline.adapters.mayan.bytes32 import main_account, word, wrapped_mint
from rhumbline.adapters.mayan.deployments import DEPLOYMENTS
from rhumbline.adapters.mayan.forwarder import decode
from rhumbline.adapters.mayan.kinds.order import Kind, Order, Places
from rhumbline.adapters.mayan.plan import plan_of
from rhumbline.adapters.mayan.protocol_calls import read_protocol_call
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import same
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.upstreams.estimates import WEEK_S
from tests.adapters.mayan.stub_upstream import (
    CHAINS,
    KIND_KEYS,
    NOW,
    RECORDED,
    SWIFT_2,
    TOKENS,
    changed,
    open_stub,
    read,
    request,
)
from tests.adapters.mayan.test_plan import LOCKED

USDC = TOKENS["USDC"].address.lower()
USDC_MINT = "A9mUU4qviSctJVPJdBJWkb28deg915LYJKrzQ19ji3FM"
WETH = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"


@pytest.mark.parametrize(("chain", "token", "mint"), [
    # The first is in a published quote; both are known to Solana's explorers.
    (30, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "EfqRM8ZGWhDTKJ7BHmFvNagKVu3AxQRDQs8WMMaoBCu6"),
    (2, USDC, USDC_MINT),
    (2, WETH, "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs"),
])  # fmt: skip
def test_the_token_bridges_mints_are_the_known_ones(chain: int, token: str, mint: str) -> None:
    assert wrapped_mint(word(token, ChainType.EVM), chain) == mint


@pytest.mark.parametrize("chain", [0, -1, 2**16])
def test_a_chain_that_the_token_bridge_cannot_name_is_refused(chain: int) -> None:
    with pytest.raises(UpstreamFailed):
        wrapped_mint(word(USDC, ChainType.EVM), chain)


@pytest.mark.parametrize("mint", [
    "So11111111111111111111111111111111111111112",
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf",
    "EfqRM8ZGWhDTKJ7BHmFvNagKVu3AxQRDQs8WMMaoBCu6",
    "",
])  # fmt: skip
async def test_wormhole_pays_the_account_of_the_inputs_own_mint(mint: str) -> None:
    document = read("wh_usdc_to_sol_usdc")
    async with open_stub("MAYAN_WORMHOLE") as stub_upstream:
        stub_upstream.quotes(document)
        quote = await stub_upstream.adapter.quote(request("USDC", "solana USDC"))
        assert read_protocol_call(quote.payload.order.data).account == main_account(USDC_MINT)
        stub_upstream.quotes({**document, "fromToken": {**document["fromToken"], "mint": mint}})
        with pytest.raises(UpstreamFailed):
            await stub_upstream.adapter.quote(request("USDC", "solana USDC"))


async def test_wormhole_names_the_native_asset_by_its_wrapping() -> None:
    recorded, native = read("wh_usdc_to_sol_usdc"), read("swift_v1_eth_to_base_eth")["fromToken"]
    mint = wrapped_mint(word(WETH, ChainType.EVM), 2)
    document = {
        **recorded,
        "fromToken": {**native, "mint": mint},
        "effectiveAmountIn64": str(10**17),
        "swapRelayerFee": 0.001,
        "refundRelayerFee": 0.001,
    }
    async with open_stub("MAYAN_WORMHOLE") as stub_upstream:
        stub_upstream.quotes(document)
        quote = await stub_upstream.adapter.quote(request("ETH", "solana USDC", 10**17))
        assert read_protocol_call(quote.payload.order.data).account == main_account(mint)
        stub_upstream.quotes({**document, "fromToken": {**native, "mint": USDC_MINT}})
        with pytest.raises(UpstreamFailed, match="account on Solana"):
            await stub_upstream.adapter.quote(request("ETH", "solana USDC", 10**17))


@pytest.mark.parametrize("change", [
    {"realOriginChainId": 30},
    {"realOriginChainId": 1, "realOriginContractAddress": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"},
    {"realOriginContractAddress": WETH},
    {"realOriginContractAddress": None},
    {"realOriginChainId": None},
])  # fmt: skip
async def test_wormhole_takes_tokens_that_are_at_home_only(change: Mapping[str, Any]) -> None:
    document = read("wh_usdc_to_sol_usdc")
    async with open_stub("MAYAN_WORMHOLE") as stub_upstream:
        stub_upstream.quotes({**document, "fromToken": {**document["fromToken"], **change}})
        with pytest.raises(UpstreamFailed):
            await stub_upstream.adapter.quote(request("USDC", "solana USDC"))


WRAPPED = {
    **LOCKED,
    "minMiddleAmount": 0.1,
    "cancelRelayerFee64": "0",
    "refundRelayerFee64": "0",
    "swiftMayanContract": SWIFT_2,
}


@pytest.mark.parametrize("least", [0.09999999, 0.0994, 0.00001])
@pytest.mark.parametrize("locked", [True, False])
async def test_native_is_wrapped_one_to_one(least: float, locked: bool) -> None:
    document = {**read("swift_v1_eth_to_base_eth"), **WRAPPED, "swiftWrapAndLock": locked, "minAmountOut": 0.00001}
    asked = request("ETH", "base ETH", 10**17 + 1)
    document["effectiveAmountIn64"] = str(10**17 + 1)
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.quotes(document)
        built = await stub_upstream.built(await stub_upstream.adapter.quote(asked))
        call = decode(built.data, built.value)
        assert call.swap is not None
        assert (call.swap.minimum, call.amount) == (10**17, 10**17 + 1)
        stub_upstream.quotes({**document, "minMiddleAmount": least})
        with pytest.raises(UpstreamFailed, match="minimum between"):
            await stub_upstream.adapter.quote(asked)


@pytest.mark.parametrize(
    ("destination", "wanted"), [("base ETH", "0x" + "0" * 40), ("base WETH", CHAINS[8453].wrapped_native)]
)
async def test_a_swap_into_wrapped_native_brings_the_output_at_least(destination: str, wanted: str) -> None:
    native = read("swift_v1_eth_to_base_eth")
    document = {
        **native,
        **WRAPPED,
        "fromToken": read("swift_dai_to_sol")["fromToken"],
        "toToken": {**native["toToken"], "contract": wanted.lower()},
        "effectiveAmountIn64": str(250 * 10**18),
    }
    token = TOKENS["base ETH"] if destination == "base ETH" else replace(TOKENS["base ETH"], address=wanted)
    asked = replace(request("DAI", "base ETH", 250 * 10**18), destination_token=token)
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.quotes({**document, "minMiddleAmount": 0.0994005})
        assert (await stub_upstream.adapter.quote(asked)).min_output_amount == 99_400_500_000_000_000
        stub_upstream.quotes({**document, "minMiddleAmount": 0.0994004})
        with pytest.raises(UpstreamFailed, match="minimum between"):
            await stub_upstream.adapter.quote(asked)
        # Another chain's native asset is worth what it is worth.
        other = replace(asked.destination.native, symbol="POL")
        polygon = replace(asked, destination=replace(asked.destination, native=other))
        assert (await stub_upstream.adapter.quote(polygon)).min_output_amount == 99_400_500_000_000_000


async def test_nobody_pays_out_more_than_came_in() -> None:
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        for name, more in (("swift_usdc_to_base_usdc", 250.000001), ("swift_v1_eth_to_base_eth", 0.10000001)):
            told = {"minAmountOut": more, "expectedAmountOut": 300, "expectedAmountOutBaseUnits": str(10**19)}
            stub_upstream.quotes({**read(name), **told})
            with pytest.raises(UpstreamFailed, match="minimum"):
                await stub_upstream.adapter.quote(request(*RECORDED[name]))


@pytest.mark.parametrize("lower", [True, False])
async def test_configured_usdc_counts_in_any_case(lower: bool) -> None:
    document = {
        **read("swift_usdc_to_base_usdc"),
        "fromToken": read("swift_dai_to_sol")["fromToken"],
        "effectiveAmountIn64": str(250 * 10**18),
        "minMiddleAmount": 200,
    }
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        places = dict(stub_upstream.adapter.context.deployments)
        for chain in (1, 8453):
            usdc = places[chain].usdc
            assert usdc is not None
            places[chain] = replace(places[chain], usdc=usdc.lower() if lower else usdc)
        adapter = changed(stub_upstream.adapter, context=replace(stub_upstream.adapter.context, deployments=places))
        stub_upstream.quotes(document)
        with pytest.raises(UpstreamFailed, match="minimum between"):
            await adapter.quote(request("DAI", "base USDC", 250 * 10**18))


def test_addresses_of_solana_keep_their_case() -> None:
    mint = TOKENS["solana USDC"].address
    assert same(USDC.upper().replace("0X", "0x"), USDC)
    assert same(mint, mint)
    assert not same(mint, mint.lower())


@pytest.mark.parametrize("name", ["fast_usdc_to_base_usdc", "mctp_usdc_to_base_usdc"])
@pytest.mark.parametrize("lower", [True, False])
async def test_an_order_over_circle_is_never_for_usdc(name: str, lower: bool) -> None:
    told = {"hasAuction": True, "refundRelayerFee64": "25000", "minAmountOut": 249.6}
    async with open_stub(KIND_KEYS[name.split("_")[0]]) as stub_upstream:
        places = dict(stub_upstream.adapter.context.deployments)
        usdc = places[8453].usdc
        assert usdc is not None
        places[8453] = replace(places[8453], usdc=usdc.lower() if lower else usdc)
        adapter = changed(stub_upstream.adapter, context=replace(stub_upstream.adapter.context, deployments=places))
        stub_upstream.quotes(read(name))
        assert (await adapter.quote(request(*RECORDED[name]))).min_output_amount
        stub_upstream.quotes({**read(name), **told})
        with pytest.raises(UpstreamFailed, match="cannot fill"):
            await adapter.quote(request(*RECORDED[name]))


SENT = 250_000_000
DEAREST = 5_000_000


def _planned(name: str, kind: Kind, amount: int = SENT, **changes: str) -> Order:
    """What comes of a recording; changes are JSON texts."""
    file = {**read(name), **{key: f"@{text}@" for key, text in changes.items()}, "effectiveAmountIn64": str(amount)}
    document = read_json(json.dumps(file).replace('"@', "").replace('@"', "").encode())
    origin, destination, _ = RECORDED[name]
    asked = request(origin, destination, amount)
    places = Places(DEPLOYMENTS[1], DEPLOYMENTS[asked.destination.id], int(NOW.timestamp()), bytes)
    return plan_of(kind, document, asked, places).order


@pytest.mark.parametrize(("name", "kind", "changes"), [
    ("swift_usdc_to_base_usdc", Kind.SWIFT, lambda fee: {"cancelRelayerFee64": fee, "refundRelayerFee64": 0}),
    ("swift_usdc_to_base_usdc", Kind.SWIFT, lambda fee: {"cancelRelayerFee64": 0, "refundRelayerFee64": fee}),
    ("swift_usdc_to_base_usdc", Kind.SWIFT,
     lambda fee: {"cancelRelayerFee64": fee // 2, "refundRelayerFee64": fee - fee // 2}),
    ("mctp_usdc_to_base_eth", Kind.MCTP, lambda fee: {"redeemRelayerFee": f"{fee // 10**6}.{fee % 10**6:06}"}),
    ("wh_usdc_to_sol_usdc", Kind.WORMHOLE, lambda fee: {
        "swapRelayerFee": 1, "refundRelayerFee": f"{(fee - 10**6) // 10**6}.{fee % 10**6:06}"}),
])  # fmt: skip
def test_a_refund_costs_what_gas_may_cost(name: str, kind: Kind, changes: Any) -> None:
    def fees(fee: int) -> dict[str, Any]:
        return {key: str(value) for key, value in changes(fee).items()}

    order = _planned(name, kind, **fees(DEAREST))
    assert (order.carried, order.refund_fees) == (SENT, DEAREST)
    with pytest.raises(UpstreamFailed, match="refund"):
        _planned(name, kind, **fees(DEAREST + 1))


def test_a_refund_of_fast_mctp_counts_what_circle_takes() -> None:
    name, carried = "fast_dai_to_base_eth", 497_500_000
    amount, circle = 500 * 10**18, 32_500
    most = DEAREST - circle
    order = _planned(name, Kind.FAST_MCTP, amount, refundRelayerFee64=str(most))
    assert (order.carried, order.refund_fees) == (carried, most + circle)
    with pytest.raises(UpstreamFailed, match="refund"):
        _planned(name, Kind.FAST_MCTP, amount, refundRelayerFee64=str(most + 1))


@given(cancel=st.integers(0, SENT), refund=st.integers(0, SENT))
def test_no_accepted_order_of_swift_comes_back_much_less(cancel: int, refund: int) -> None:
    try:
        order = _planned(
            "swift_usdc_to_base_usdc", Kind.SWIFT, cancelRelayerFee64=str(cancel), refundRelayerFee64=str(refund)
        )
    except UpstreamFailed:
        assert cancel + refund > DEAREST
    else:
        assert order.carried - cancel - refund >= SENT - DEAREST


PLACE = DEPLOYMENTS[1]


@pytest.mark.parametrize(("token", "decimals", "carried", "most"), [
    # A twentieth of little, five dollars, half a percent of much: in the protocol's units, rounded down.
    (USDC, 6, 19, 0),
    (USDC, 6, 1_000_019, 50_000),
    (USDC, 6, 100_000_000, 5_000_000),
    (USDC, 6, 1_000_000_000, 5_000_000),
    (USDC, 6, 1_000_000_199, 5_000_000),
    (USDC, 6, 2_000_000_199, 10_000_000),
    ("0xdAC17F958D2ee523a2206206994597C13D831ec7", 6, 250_000_000, 5_000_000),
    ("0x" + "0" * 40, 18, 10**8, 500_000),
    (WETH.lower(), 18, 10**7, 200_000),
    (WETH, 18, 10**6, 50_000),
    ("0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", 8, 10**8, 500_000),
    ("0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", 8, 399, 1),
])  # fmt: skip
def test_what_a_refund_may_cost(token: str, decimals: int, carried: int, most: int) -> None:
    order = replace(
        _planned("swift_usdc_to_base_usdc", Kind.SWIFT), input_token=token, decimals=decimals, carried=carried
    )
    assert dearest_refund(order, request().origin, PLACE) == most


def test_dollars_of_eighteen_decimals_are_dollars() -> None:
    busd = "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"
    order = replace(_planned("swift_usdc_to_base_usdc", Kind.SWIFT), input_token=busd, decimals=18, carried=250 * 10**8)
    assert dearest_refund(order, request().origin, DEPLOYMENTS[56]) == 5 * 10**8


@pytest.mark.parametrize("mode", [0, 4, 255])
def test_an_auction_of_an_unknown_mode_is_refused(mode: int) -> None:
    assert _planned("swift_usdc_to_base_usdc", Kind.SWIFT, swiftAuctionMode="1").kind is Kind.SWIFT
    with pytest.raises(UpstreamFailed, match="SWIFT"):
        _planned("swift_usdc_to_base_usdc", Kind.SWIFT, swiftAuctionMode=str(mode))


def test_fees_of_nearly_a_twentieth_are_refused() -> None:
    """Of 250 dollars 12.48, for whoever cancels and refunds: worth a failure."""
    with pytest.raises(UpstreamFailed, match="refund"):
        _planned("swift_usdc_to_base_usdc", Kind.SWIFT, cancelRelayerFee64="6240000", refundRelayerFee64="6240000")


@pytest.mark.parametrize("expected", ["1e73", "1" + "0" * 79, str(2**256)])
def test_an_output_that_no_chain_holds_is_refused(expected: str) -> None:
    with pytest.raises(UpstreamFailed):
        _planned("swift_usdc_to_base_usdc", Kind.SWIFT, expectedAmountOut=expected, expectedAmountOutBaseUnits="null")


@pytest.mark.parametrize(("told", "seconds"), [
    ("12", 12), ("0", 0), ("12.9", 13), (str(WEEK_S), WEEK_S),
    (str(WEEK_S + 1), None), ("-1", None), ("-0.5", None), ("1e70", None), ("null", None),
])  # fmt: skip
async def test_an_estimate_of_more_than_a_week_is_none(told: str, seconds: int | None) -> None:
    document = json.dumps({**read("swift_usdc_to_base_usdc"), "etaSeconds": "@"}).replace('"@"', told)
    places = Places(DEPLOYMENTS[1], DEPLOYMENTS[8453], int(NOW.timestamp()), bytes)
    assert plan_of(Kind.SWIFT, read_json(document.encode()), request(), places).seconds == seconds


async def test_slippage_is_never_below_zero() -> None:
    async with open_stub("MAYAN_SWIFT") as stub_upstream:
        stub_upstream.quotes({**read("swift_usdc_to_base_usdc"), "slippageBps": -1})
        with pytest.raises(UpstreamFailed):
            await stub_upstream.adapter.quote(request())


def test_mayans_account_is_no_mint() -> None:
    assert main_account(USDC_MINT) != bytes(Pubkey.from_string(USDC_MINT))
