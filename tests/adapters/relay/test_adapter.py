"""What Relay is asked, to the letter, and what is read of its answer."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.relay.calldata import CLEAN_NATIVE, CLEAN_NATIVE_INTO, CLEAN_TOKENS, DEPOSIT_NATIVE, PROXIED
from rhumbline.adapters.relay.router_call import TOKEN_DEPOSITED
from rhumbline.domain.adapter import Capability
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.errors import NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from tests.adapters.relay.stub_upstream import (
    BASE,
    BASE_ETHER,
    BASE_USDC,
    ETHER,
    ETHEREUM,
    EXECUTOR,
    RECEIVER,
    REQUEST,
    REQUEST_ID,
    SOL,
    SOLANA,
    SOLVER,
    STRANGER,
    SWAP,
    USDC,
    WALLET,
    WETH,
    StubUpstream,
    said,
)

SOLANA_WALLET = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
DEPOSITORY, PROXY = "0x4cD00E387622C35bDDB9b4c962C136462338BC31", "0xCcC88a9d1B4ED6b0EABA998850414b24f1c315bE"
ROUTER = "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f"
ASKED = {
    "user": WALLET,
    "recipient": RECEIVER,
    "originChainId": 1,
    "destinationChainId": 8453,
    "originCurrency": USDC.address,
    "destinationCurrency": BASE_USDC.address,
    "amount": "250000000",
    "tradeType": "EXACT_INPUT",
    "refundTo": WALLET,
    "slippageTolerance": "50",
    "explicitDeposit": True,
    "usePermit": False,
    "useDepositAddress": False,
    "topupGas": False,
    "includeProtocolData": True,
}


async def test_a_transfer_is_asked_for_and_read(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path, asked.query) == ("POST", "/quote/v2", {})
    assert json.loads(asked.body) == ASKED
    assert asked.headers["x-api-key"] == "k-1"
    assert asked.headers["content-type"] == "application/json"
    assert (quote.output_amount, quote.min_output_amount) == (249_812_345, 248_563_284)
    assert (quote.native_fee, quote.seconds, quote.gas_units, quote.price_impact_bps) == (0, 4, 300_000, 7)
    assert quote.fees == (
        FeeItem(FeeType.RELAYER_GAS, 40_000, USDC),
        FeeItem(FeeType.RELAYER_SERVICE, 147_655, USDC),
    )
    built = await stub_upstream.built(quote)
    assert len(stub_upstream.upstream.asked) == 1
    assert (built.chain_id, built.to, built.value, built.spender) == (1, DEPOSITORY, 0, DEPOSITORY)
    assert (built.reference, built.expires_at) == (REQUEST_ID, 1_893_456_000)
    data = bytes.fromhex(said("transfer.json")["steps"][1]["items"][0]["data"]["data"][2:])
    assert built.data == data
    assert built.deposit == BridgeDeposit(
        USDC.address, REQUEST.amount, (DEPOSITORY,),
        LogPattern(
            DEPOSITORY, (TOKEN_DEPOSITED,),
            {
                0: bytes.fromhex(WALLET[2:]).rjust(32, b"\0"), 1: bytes.fromhex(USDC.address[2:]).rjust(32, b"\0"),
                3: bytes.fromhex(said("transfer.json")["protocol"]["v2"]["orderId"][2:]),
            },
            amount_at=2,
        ),
    )  # fmt: skip
    assert quote.assured_output == quote.output_amount


async def test_a_swap_is_asked_for_and_read(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote/v2", said("swap.json"))
    quote = await stub_upstream.adapter.quote(SWAP)
    asked = json.loads(stub_upstream.upstream.asked[0].body)
    assert asked == ASKED | {
        "recipient": EXECUTOR,
        "destinationChainId": 1,
        "destinationCurrency": "0x0000000000000000000000000000000000000000",
    }
    assert quote.seconds is None
    assert quote.fees == ()
    built = await stub_upstream.built(quote)
    assert (built.to, built.spender, built.value, built.expires_at) == (PROXY, PROXY, 0, None)


@pytest.mark.parametrize("amount", ["0.5", "1.9", -(2**256), 10**78, "9" * 79])
async def test_a_fee_that_is_no_amount_is_refused(stub_upstream: StubUpstream, amount: object) -> None:
    """It would be told as less than it is, or be more than an answer can say."""
    answer = said("transfer.json")
    answer["fees"]["relayerGas"]["amount"] = amount
    stub_upstream.upstream.says("/quote/v2", answer)
    with pytest.raises(UpstreamFailed, match=r"relayerGas\.amount"):
        await stub_upstream.adapter.quote(REQUEST)


async def test_a_fee_in_one_of_our_tokens_has_our_metadata(stub_upstream: StubUpstream) -> None:
    """On one chain both tokens are ours, whatever Relay calls them."""
    request = replace(SWAP, origin_token=WETH, destination_token=USDC)
    answer = said("swap.json")
    answer["steps"] = answer["steps"][-1:]
    for side, token in (("currencyIn", WETH), ("currencyOut", USDC)):
        answer["details"][side]["currency"]["address"] = token.address
    fee = {"chainId": 1, "symbol": "FAKE", "name": "Fake", "decimals": 18}
    for ours in (WETH, USDC):
        answer["fees"] = {"app": {"currency": {**fee, "address": ours.address.lower()}, "amount": "1000000"}}
        stub_upstream.upstream.says("/quote/v2", answer)
        assert (await stub_upstream.adapter.quote(request)).fees == (FeeItem(FeeType.APP, 1_000_000, ours),)


async def test_what_a_swaps_router_would_keep_is_the_wallets(stub_upstream: StubUpstream) -> None:
    answer = said("swap.json")
    call = answer["steps"][-1]["items"][0]["data"]
    *before, _, receiver, metadata = PROXIED.decode(bytes.fromhex(call["data"][2:]))
    call["data"] = "0x" + PROXIED.encode(*before, SOLVER, receiver, metadata).hex()
    stub_upstream.upstream.says("/quote/v2", answer)
    built = await stub_upstream.built(await stub_upstream.adapter.quote(SWAP))
    assert built.data == PROXIED.encode(*before, WALLET, receiver, metadata)


async def test_a_swap_before_the_deposit(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote/v2", said("swapped_transfer.json"))
    request = replace(REQUEST, origin_token=WETH, destination_token=BASE_ETHER, amount=10**18)
    quote = await stub_upstream.adapter.quote(request)
    # One part is a subsidy, so the sum of both is told.
    assert quote.fees == (FeeItem(FeeType.RELAYER, 10**15, ETHER),)
    built = await stub_upstream.built(quote)
    assert built.to == built.spender == PROXY
    # What Relay's router would keep is given to the wallet, and the deposit is held; the calls before stay.
    data = bytes.fromhex(said("swapped_transfer.json")["steps"][1]["items"][0]["data"]["data"][2:])
    *before, calls, theirs, receiver, metadata = PROXIED.decode_loosely(data)
    assert theirs == SOLVER.lower()
    assert isinstance(calls, tuple)
    order_id = bytes.fromhex(said("swapped_transfer.json")["protocol"]["v2"]["orderId"][2:])
    least = 10**18 * 995 // 1000
    written = [
        *calls[:-1],
        (ROUTER, False, 0, CLEAN_NATIVE.encode(least, ROUTER, b"")),
        (
            ROUTER, False, 0,
            CLEAN_NATIVE_INTO.encode(0, DEPOSITORY, DEPOSIT_NATIVE.encode(WALLET, order_id)),
        ),
        (ROUTER, False, 0, CLEAN_TOKENS.encode([WETH.address], [WALLET], [0], b"")),
    ]  # fmt: skip
    assert built.data == PROXIED.encode(*before, written, WALLET, receiver, metadata) + order_id
    assert built.deposit is not None
    assert (built.deposit.token, built.deposit.least, built.deposit.swapped) == (ETHER.address, least, True)
    assert quote.assured_output is None


@pytest.mark.parametrize(
    ("slippage", "bps"),
    [(Fraction(0), "0"), (Fraction(1, 30_000), "0"), (Fraction(299, 30_000), "99"), (Fraction(1), "10000")],
)
async def test_slippage_is_in_whole_bps_rounded_down(stub_upstream: StubUpstream, slippage: Fraction, bps: str) -> None:
    stub_upstream.upstream.says("/quote/v2", said("error.json"), 400)
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))
    assert json.loads(stub_upstream.upstream.asked[0].body)["slippageTolerance"] == bps


async def test_solana_is_named_as_relay_names_it(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote/v2", said("error.json"), 400)
    request = replace(REQUEST, destination=SOLANA, destination_token=SOL, receiver=SOLANA_WALLET)
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(request, payout_address=SOLANA_WALLET))
    asked = json.loads(stub_upstream.upstream.asked[0].body)
    assert (asked["destinationChainId"], asked["destinationCurrency"]) == (792703809, NATIVE_SVM)
    assert asked["recipient"] == SOLANA_WALLET


def test_who_it_is(stub_upstream: StubUpstream) -> None:
    info = stub_upstream.adapter.info
    assert (info.key, info.capability) == ("RELAY", Capability.MULTI)
    assert info.scan_url is not None
    assert "{reference}" in info.scan_url
    assert {1, 10, 8453, SOLANA.id} <= set(info.chains)


@pytest.mark.parametrize(
    ("request_", "served"),
    [
        (REQUEST, True),
        (replace(REQUEST, taker=WALLET), True),
        (replace(REQUEST, payout_address=EXECUTOR), False),
        (replace(REQUEST, destination=SOLANA, destination_token=SOL), False),
        (
            replace(
                REQUEST, destination=SOLANA, destination_token=SOL, receiver=SOLANA_WALLET, payout_address=SOLANA_WALLET
            ),
            True,
        ),
        (replace(REQUEST, receiver=SOLANA_WALLET, payout_address=SOLANA_WALLET), False),
        (replace(REQUEST, origin=SOLANA, origin_token=SOL), False),
        (replace(REQUEST, origin=replace(ETHEREUM, id=7)), False),
        (replace(REQUEST, destination=replace(BASE, id=7)), False),
        (SWAP, True),
        (replace(SWAP, taker=WALLET, payout_address=RECEIVER), False),
        (replace(SWAP, taker=WALLET, payout_address=WALLET), False),
        (replace(SWAP, payout_address=RECEIVER), False),
        (replace(SWAP, origin_token=WETH), False),
        (replace(SWAP, destination_token=USDC), False),
    ],
)
def test_what_is_served(stub_upstream: StubUpstream, request_: QuoteRequest, served: bool) -> None:
    assert stub_upstream.adapter.supports(request_) is served


async def test_what_is_not_served_is_not_asked(stub_upstream: StubUpstream) -> None:
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(SWAP, destination_token=USDC))
    with pytest.raises(RequestRejected):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=0))
    assert not stub_upstream.upstream.asked


@pytest.mark.parametrize("minimum", [None, 0, 249_812_346])
async def test_a_minimum_is_needed(stub_upstream: StubUpstream, minimum: int | None) -> None:
    quote = replace(await stub_upstream.adapter.quote(REQUEST), min_output_amount=minimum)
    with pytest.raises(RequestRejected, match="min_output_amount"):
        await stub_upstream.adapter.build(quote)


async def test_a_higher_minimum_than_relay_guarantees_is_refused(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert quote.min_output_amount is not None
    with pytest.raises(UpstreamFailed, match="minimum"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=quote.min_output_amount + 1))


async def test_another_wallet_than_was_asked_for(stub_upstream: StubUpstream) -> None:
    for changed in (replace(REQUEST, sender=STRANGER), replace(REQUEST, receiver=STRANGER, payout_address=STRANGER)):
        with pytest.raises(UpstreamFailed, match="another"):
            await stub_upstream.adapter.quote(changed)
