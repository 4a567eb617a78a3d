"""How Mayan is asked, to the letter, and the transactions that are made of its answers."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.mayan import SPECS
from rhumbline.adapters.mayan.bytes32 import token_word, word
from rhumbline.adapters.mayan.deployments import FORWARDER
from rhumbline.adapters.mayan.forwarder import SWAP_ERC20, SWAP_ETH, decode
from rhumbline.adapters.mayan.protocol_calls import read_protocol_call
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import RequestRejected, UpstreamFailed
from rhumbline.domain.fee import FeeType
from tests.adapters.exchanges.recorded import Asked
from tests.adapters.mayan.stub_upstream import (
    KEYS,
    KIND_KEYS,
    RECORDED,
    ROUTER,
    SENDER,
    open_stub,
    read,
    request,
    transfer,
)

NAMES = ["swift_usdc_to_base_usdc", "mctp_usdc_to_base_usdc", "fast_usdc_to_base_usdc"]


@pytest.mark.parametrize("key", list(KEYS))
async def test_a_quote_is_asked_for_to_the_letter(key: str) -> None:
    """Each adapter asks for all kinds that go there, so that they can share the answer."""
    names = [name for name in NAMES if key in ("MAYAN", KIND_KEYS[name.split("_")[0]])]
    asked = request() if names else request("USDC", "solana USDC")
    async with open_stub(key) as stub_upstream:
        stub_upstream.quotes(*[read(name) for name in names or ["wh_usdc_to_sol_usdc"]])
        await stub_upstream.adapter.quote(asked)
        (question,) = stub_upstream.recorded.asked
    flags = dict.fromkeys(("wormhole", "swift", "mctp", "fastMctp"), "true")
    to = {"toToken": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "toChain": "base"}
    if not names:
        to = {"toToken": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "toChain": "solana"}
    assert question == Asked("GET", "/v3/quote", {
        **flags, "monoChain": "false", "shuttle": "false", "gasless": "false", "onlyDirect": "false",
        "fullList": "true", "solanaProgram": "FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf",
        "forwarderAddress": FORWARDER, "amountIn64": "250000000",
        "fromToken": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "fromChain": "ethereum", **to,
        "slippageBps": "46", "destinationAddress": asked.receiver, "sdkVersion": "15_2_0",
    }, question.headers, "")  # fmt: skip
    assert "authorization" not in question.headers


SLIPPAGES = [
    (Fraction(1, 3), "500"),
    (Fraction(504, 10_000), "500"),
    (Fraction(503, 10_000), "499"),
    (Fraction(99_999, 10_000_000), "95"),
    (Fraction(1, 2_001), "0"),
    (Fraction(0), "0"),
]


@pytest.mark.parametrize(("slippage", "expected"), SLIPPAGES)
async def test_slippage_is_rounded_to_the_stricter_side(slippage: Fraction, expected: str) -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.quotes({**read("mctp_usdc_to_base_usdc"), "slippageBps": 0})
        await stub_upstream.adapter.quote(request(slippage=slippage))
    assert stub_upstream.recorded.asked[0].query["slippageBps"] == expected


async def test_native_assets_are_zeros_everywhere() -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.quotes(read("swift_dai_to_sol"))
        await stub_upstream.adapter.quote(request("DAI", "SOL", 500 * 10**18))
        stub_upstream.quotes(read("swift_v1_eth_to_base_eth"))
        await stub_upstream.adapter.quote(request("ETH", "base ETH", 10**17))
    zeros = "0x" + "0" * 40
    assert [asked.query["toToken"] for asked in stub_upstream.recorded.asked] == [zeros, zeros]
    assert stub_upstream.recorded.asked[1].query["fromToken"] == zeros


async def test_key_and_version_come_from_the_settings() -> None:
    async with open_stub(credentials={"api_key": "k-1", "sdk_version": "16_0_1"}) as stub_upstream:
        stub_upstream.quotes(read("swift_dai_to_sol"))
        await stub_upstream.built(await stub_upstream.adapter.quote(request("DAI", "SOL", 500 * 10**18)))
        stub_upstream.recorded.says("/swap/trx/0x" + "cd" * 32, read("transfer"))
        await stub_upstream.adapter.status(transfer())
    quote, swap, status = stub_upstream.recorded.asked
    assert {quote.query["apiKey"], swap.query["apiKey"]} == {"k-1"}
    assert {quote.query["sdkVersion"], swap.query["sdkVersion"]} == {"16_0_1"}
    assert (status.method, status.path, status.query) == ("GET", "/explorer/swap/trx/0x" + "cd" * 32, {})


async def test_a_version_with_dots_is_refused_at_once() -> None:
    async with open_stub() as stub_upstream:
        parts = replace(stub_upstream.adapter.context, credentials={"sdk_version": "15.2.0"})
        with pytest.raises(ValueError, match="sdk_version"):
            SPECS[0].make(parts)


async def test_a_swap_on_the_origin_is_asked_for_to_the_letter() -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.quotes(read("swift_dai_to_sol"))
        built = await stub_upstream.built(await stub_upstream.adapter.quote(request("DAI", "SOL", 500 * 10**18)))
        swap = stub_upstream.recorded.asked[1]
    assert (swap.method, swap.path, swap.body) == ("GET", "/v3/get-swap/evm", "")
    assert swap.query == {
        "forwarderAddress": FORWARDER,
        "slippageBps": "46",
        "fromToken": "0x6b175474e89094c44da98b954eedeac495271d0f",
        "middleToken": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
        "chainName": "ethereum",
        "amountIn64": str(500 * 10**18),
        "sdkVersion": "15_2_0",
    }
    assert built.data[:4] == SWAP_ERC20.selector != SWAP_ETH.selector
    call = decode(built.data, built.value)
    assert call.swap is not None
    assert (call.swap.router, call.swap.minimum) == (ROUTER, 497_400_000)
    assert call.swap.middle == "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"


@pytest.mark.parametrize("name", list(RECORDED))
async def test_the_transaction_says_what_was_asked(name: str) -> None:
    asked = request(*RECORDED[name])
    async with open_stub(KIND_KEYS[name.split("_")[0]]) as stub_upstream:
        stub_upstream.quotes(read(name))
        quote = await stub_upstream.adapter.quote(asked)
        built = await stub_upstream.built(quote)
    native = asked.origin_token.symbol == "ETH"
    assert (built.chain_id, built.to, built.spender) == (1, FORWARDER, None if native else FORWARDER)
    assert built.value == (asked.amount if native else 0) + quote.native_fee
    call = decode(built.data, built.value)
    assert call.amount == asked.amount
    found = read_protocol_call(call.data)
    assert found.destination == word(asked.receiver, asked.destination.type)
    assert found.trader in (None, word(SENDER, ChainType.EVM))
    assert not found.extras
    if found.token_out is not None:
        marker = (
            "0x" + "0" * 40 if asked.destination_token.symbol in ("ETH", "SOL") else asked.destination_token.address
        )
        assert found.token_out == token_word(marker, asked.destination.type)
    assert built.expires_at in (None, 1_795_266_000)


@pytest.mark.parametrize(("name", "output", "minimum", "native_fee"), [
    ("swift_usdc_to_base_usdc", 249_800_000, 248_551_000, 0),
    ("swift_v1_eth_to_base_eth", 99_900_000_000_000_000, 99_400_500_000_000_000, 0),
    ("swift_dai_to_sol", 2_497_000_000, 2_484_515_000 // 10 * 10, 0),
    # A bridge brings what its fixed fee leaves, whatever the quote says.
    ("mctp_usdc_to_base_usdc", 249_979_000, 249_979_000, 10**13),
    # The contract measures before Mayan's three hundredths of a percent are off.
    ("mctp_usdc_to_base_eth", 83_200_000_000_000_000, 82_784_000_000_000_000 * 9_997 // 10_000, 0),
    ("fast_usdc_to_base_usdc", 249_871_500, 249_871_500, 0),
    ("fast_dai_to_base_eth", 166_300_000_000_000_000, 165_468_500_000_000_000, 0),
    # The relayer's fee on the destination is inside the auction's minimum.
    ("wh_usdc_to_sol_usdc", 249_300_000, 248_080_000, 0),
])  # fmt: skip
async def test_what_is_promised_is_what_the_calldata_guarantees(
    name: str, output: int, minimum: int, native_fee: int
) -> None:
    async with open_stub(KIND_KEYS[name.split("_")[0]]) as stub_upstream:
        stub_upstream.quotes(read(name))
        quote = await stub_upstream.adapter.quote(request(*RECORDED[name]))
    assert (quote.output_amount, quote.native_fee, quote.seconds) == (output, native_fee, 12)
    assert quote.min_output_amount == minimum


async def test_fees_are_itemised() -> None:
    async with open_stub("MAYAN_FAST_MCTP") as stub_upstream:
        stub_upstream.quotes(read("fast_dai_to_base_eth"))
        fees = (await stub_upstream.adapter.quote(request("DAI", "base ETH", 500 * 10**18))).fees
    assert [(fee.type, fee.token.symbol) for fee in fees] == [
        (FeeType.RELAYER, "USDC"), (FeeType.CAPITAL, "USDC"), (FeeType.RELAYER_SERVICE, "ETH"),
    ]  # fmt: skip
    assert [fee.amount for fee in fees][:2] == [21_000, 32_500]
    # Of the gross output, rounded up.
    assert fees[2].amount == -(-166_300_000_000_000_000 * 3 // 9_997)


async def test_a_minimum_that_is_not_guaranteed_is_refused() -> None:
    async with open_stub() as stub_upstream:
        stub_upstream.quotes(read("swift_usdc_to_base_usdc"))
        quote = await stub_upstream.adapter.quote(request())
        assert (await stub_upstream.built(replace(quote, min_output_amount=1))).reference is not None
        with pytest.raises(UpstreamFailed, match="guaranteed output"):
            await stub_upstream.built(replace(quote, min_output_amount=248_551_001))
        for nothing in (None, 0):
            with pytest.raises(RequestRejected):
                await stub_upstream.built(replace(quote, min_output_amount=nothing))


def test_five_adapters_are_offered() -> None:
    assert [spec.key for spec in SPECS] == list(KEYS)
    assert {spec.needs for spec in SPECS} == {()}


@pytest.mark.parametrize("key", list(KEYS))
async def test_each_says_who_it_is(key: str) -> None:
    async with open_stub(key) as stub_upstream:
        info = stub_upstream.adapter.info
    assert (info.key, info.capability) == (key, Capability.BRIDGE)
    assert info.chains == (1, 8453, 1000000001)
    assert info.scan_url is not None
    assert "{txHash}" in info.scan_url
    assert all(sentence.endswith(".") for sentence in info.trust_assumptions)
    assert len(info.trust_assumptions) >= 2
