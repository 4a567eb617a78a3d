"""What Gas.zip is asked, to the letter, and what is read of its answer."""

from dataclasses import replace

import pytest

from rhumbline.domain.adapter import Capability
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.abi import topic
from tests.adapters.gaszip.stub_upstream import (
    AMOUNT,
    ARBITRUM,
    ARBITRUM_ETHER,
    CONTRACT,
    ETHER,
    ETHEREUM,
    EXECUTOR,
    POL,
    POLYGON,
    RECEIVER,
    REQUEST,
    USDC,
    WALLET,
    StubUpstream,
    said,
)

DATA = "c9630cb0" + "39".zfill(64) + RECEIVER[2:] + "00" * 12


async def test_a_quote_is_asked_for_and_read(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    asked = {each.path: each for each in stub_upstream.upstream.asked}
    assert set(asked) == {"/v2/quotes/1/6000000000000000/42161", "/v2/chains"}
    assert {each.method for each in asked.values()} == {"GET"}
    assert asked["/v2/quotes/1/6000000000000000/42161"].query == {"from": WALLET, "to": RECEIVER}
    assert asked["/v2/chains"].query == {}
    assert (quote.output_amount, quote.min_output_amount) == (5_991_310_100_000_000, 5_961_353_549_500_000)
    assert (quote.seconds, quote.native_fee) == (7, 0)
    assert quote.assured_output == 0
    assert quote.fees == (
        FeeItem(FeeType.RELAYER_GAS, 868_990_000_000, ARBITRUM_ETHER),
        FeeItem(FeeType.RELAYER_SERVICE, AMOUNT - 5_991_310_100_000_000 - 868_990_000_000, ETHER),
    )
    built = await stub_upstream.built(quote)
    assert (built.chain_id, built.to, built.value, built.data.hex()) == (1, CONTRACT, AMOUNT, DATA)
    assert (built.spender, built.reference, built.expires_at) == (None, None, 1_795_000_060)
    words = {0: bytes.fromhex(WALLET[2:].zfill(64)), 1: bytes(31) + b"9", 3: bytes.fromhex(RECEIVER[2:]) + bytes(12)}
    log = LogPattern(CONTRACT, (topic("Deposit(address,uint256,uint256,bytes32)"),), words, amount_at=2)
    assert built.deposit == BridgeDeposit(ETHER.address, AMOUNT, (CONTRACT,), log)
    assert len(stub_upstream.upstream.asked) == 2


@pytest.mark.parametrize("value", [str(AMOUNT), AMOUNT, hex(AMOUNT), "0X1550F7DCA70000"])
async def test_the_value_is_read_in_every_form(stub_upstream: StubUpstream, value: str | int) -> None:
    answer = said("quote.json")
    answer["contractDepositTxn"]["value"] = value
    stub_upstream.quotes(answer)
    assert (await stub_upstream.built(await stub_upstream.adapter.quote(REQUEST))).value == AMOUNT


async def test_the_documented_shape_without_the_contracts_call(stub_upstream: StubUpstream) -> None:
    answer = said("quote.json")
    del answer["contractDepositTxn"], answer["expires"]
    answer["quotes"][0] = {"chain": 42161, "expected": "5991310100000000", "gas": "868990000000", "speed": 7, "usd": 1}
    stub_upstream.quotes(answer)
    quote = await stub_upstream.adapter.quote(REQUEST)
    built = await stub_upstream.built(quote)
    assert (built.data.hex(), built.expires_at) == (DATA, None)


async def test_to_the_wallet_itself(stub_upstream: StubUpstream) -> None:
    answer = said("quote.json")
    del answer["contractDepositTxn"]
    stub_upstream.quotes(answer | {"calldata": "0x010039"})
    own = replace(REQUEST, receiver=WALLET, payout_address=WALLET)
    built = await stub_upstream.built(await stub_upstream.adapter.quote(own))
    assert built.data.hex() == DATA.replace(RECEIVER[2:], WALLET[2:])


async def test_numbers_as_javascript_writes_large_ones(stub_upstream: StubUpstream) -> None:
    said_so = '{"chain":137,"expected":1.5e+20,"gas":1e15,"speed":4.5,"usd":18}'
    answer = f'{{"calldata":"0x02{RECEIVER[2:]}0011","quotes":[{said_so}]}}'
    stub_upstream.upstream.says("/quotes/1/6000000000000000/137", answer)
    quote = await stub_upstream.adapter.quote(replace(REQUEST, destination=POLYGON, destination_token=POL))
    assert (quote.output_amount, quote.seconds) == (15 * 10**19, 5)
    # Of two assets nobody can tell what the service keeps.
    assert quote.fees == (FeeItem(FeeType.RELAYER_GAS, 10**15, POL),)
    assert (await stub_upstream.built(quote)).data.hex() == DATA.replace("39" + RECEIVER[2:], "11" + RECEIVER[2:])


@pytest.mark.parametrize(
    ("row", "changes", "kind", "minimum"),
    [
        (0, {"minInboundNative": AMOUNT + 1}, BelowMinimum, AMOUNT + 1),
        (0, {"minInboundNative": AMOUNT}, None, None),
        (0, {"minOutboundNative": str(AMOUNT + 1)}, BelowMinimum, AMOUNT + 1),
        (0, {"minOutboundNative": hex(AMOUNT)}, None, None),
        (0, {"minInboundNative": AMOUNT + 1, "minOutboundNative": AMOUNT + 2}, BelowMinimum, AMOUNT + 2),
        (0, {"maxInboundNative": str(AMOUNT - 1)}, NoRoute, None),
        (0, {"inbound": False}, NoRoute, None),
        (1, {"minOutboundNative": 5_991_310_100_000_001}, BelowMinimum, AMOUNT + 2),
        (1, {"minOutboundNative": 5_991_310_100_000_000}, None, None),
        (1, {"maxOutboundNative": 5_991_310_099_999_999}, NoRoute, None),
        (1, {"bal": "5991310099999999"}, NoRoute, None),
        (1, {"inbound": False}, None, None),
        (1, {"chain": 7}, NoRoute, None),
    ],
)
async def test_limits(
    stub_upstream: StubUpstream,
    row: int,
    changes: dict[str, object],
    kind: type[NoRoute | BelowMinimum] | None,
    minimum: int | None,
) -> None:
    table = said("chains.json")
    table["chains"][row] |= changes
    stub_upstream.upstream.says("/chains", table)
    if kind is None:
        await stub_upstream.adapter.quote(REQUEST)
        return
    with pytest.raises(kind) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    if isinstance(caught.value, BelowMinimum):
        assert caught.value.minimum == minimum


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (0, "maxInboundNative"),
        (1, "minOutboundNative"),
        (1, "maxOutboundNative"),
        (1, "bal"),
    ],
)
async def test_limits_that_are_not_told_leave_no_route(stub_upstream: StubUpstream, row: int, name: str) -> None:
    """What is outside of them is stuck, so that nothing is handed out without them."""
    for changed in ({name: None}, None):
        table = said("chains.json")
        if changed is None:
            del table["chains"][row][name]
        else:
            table["chains"][row] |= changed
        stub_upstream.upstream.says("/chains", table)
        with pytest.raises(NoRoute, match="limits"):
            await stub_upstream.adapter.quote(REQUEST)


async def test_only_the_limits_that_bind_are_needed(stub_upstream: StubUpstream) -> None:
    table = said("chains.json")
    for row, names in ((0, ("minOutboundNative", "maxOutboundNative", "bal")), (1, ("maxInboundNative", "inbound"))):
        for name in names:
            del table["chains"][row][name]
    del table["chains"][0]["inbound"]
    stub_upstream.upstream.says("/chains", table)
    assert (await stub_upstream.adapter.quote(REQUEST)).output_amount == 5_991_310_100_000_000


@pytest.mark.parametrize(("least", "told"), [(AMOUNT, None), (AMOUNT + 1, AMOUNT + 1)])
async def test_a_minimum_that_would_not_explain_it_is_not_told(
    stub_upstream: StubUpstream, least: int, told: int | None
) -> None:
    answer, table = said("quote.json"), said("chains.json")
    answer["quotes"][0]["expected"] = "0"
    table["chains"][0]["minInboundNative"] = str(least)
    stub_upstream.quotes(answer)
    stub_upstream.upstream.says("/chains", table)
    with pytest.raises(BelowMinimum) as caught:
        await stub_upstream.adapter.quote(REQUEST)
    assert caught.value.minimum == told


def test_who_it_is(stub_upstream: StubUpstream) -> None:
    info = stub_upstream.adapter.info
    assert (info.key, info.capability) == ("GASZIP", Capability.BRIDGE)
    assert info.scan_url is not None
    assert "{txHash}" in info.scan_url


@pytest.mark.parametrize(
    ("request_", "served"),
    [
        (REQUEST, True),
        (replace(REQUEST, taker=EXECUTOR), False),
        (replace(REQUEST, payout_address=EXECUTOR), False),
        (replace(REQUEST, origin_token=USDC), False),
        (replace(REQUEST, destination_token=USDC), False),
        (replace(REQUEST, destination=ETHEREUM, destination_token=ETHER), False),
        (replace(REQUEST, receiver="not an address", payout_address="not an address"), False),
        (replace(REQUEST, origin=replace(ETHEREUM, id=42220)), False),
        (replace(REQUEST, destination=replace(ARBITRUM, id=42220)), True),
        (replace(REQUEST, destination=replace(ARBITRUM, id=100)), False),
        (replace(REQUEST, destination=replace(ARBITRUM, id=7)), False),
    ],
)
def test_what_is_served(stub_upstream: StubUpstream, request_: QuoteRequest, served: bool) -> None:
    assert stub_upstream.adapter.supports(request_) is served


async def test_what_is_not_served_is_not_asked(stub_upstream: StubUpstream) -> None:
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(replace(REQUEST, taker=EXECUTOR))
    with pytest.raises(RequestRejected):
        await stub_upstream.adapter.quote(replace(REQUEST, amount=0))
    assert not stub_upstream.upstream.asked


@pytest.mark.parametrize("minimum", [None, 0, 5_991_310_100_000_001])
async def test_a_minimum_is_needed(stub_upstream: StubUpstream, minimum: int | None) -> None:
    quote = replace(await stub_upstream.adapter.quote(REQUEST), min_output_amount=minimum)
    with pytest.raises(RequestRejected, match="min_output_amount"):
        await stub_upstream.adapter.build(quote)


@pytest.mark.parametrize(("expected", "gas", "honest"), [
    (AMOUNT, 0, True),
    (AMOUNT + 1, 0, False),
    (AMOUNT - 10**12, 10**12, True),
    (AMOUNT - 10**12 + 1, 10**12, False),
    (2 * AMOUNT, None, False),
])  # fmt: skip
async def test_of_one_asset_no_more_comes_out_than_goes_in(
    stub_upstream: StubUpstream, expected: int, gas: int | None, honest: bool
) -> None:
    answer = said("quote.json")
    answer["quotes"][0] |= {"expected": expected, "gas": gas}
    stub_upstream.quotes(answer)
    if honest:
        assert (await stub_upstream.adapter.quote(REQUEST)).output_amount == expected
        return
    with pytest.raises(UpstreamFailed, match="output"):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize("told", [6_000_000_000_000_001, "6000000000000001", "0x1550f7dca70001"])
async def test_the_deposit_for_an_output_is_asked_for_and_read(stub_upstream: StubUpstream, told: object) -> None:
    stub_upstream.upstream.says("/quoteReverse/1/5991310100000000/42161", {"chain": 42161, "required": told})
    assert await stub_upstream.adapter.input_for(REQUEST, 5_991_310_100_000_000) == AMOUNT + 1
    (asked,) = stub_upstream.upstream.asked
    assert (asked.path, asked.query) == ("/v2/quoteReverse/1/5991310100000000/42161", {})
    assert stub_upstream.adapter.names_input(REQUEST, priced=True)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"chain": 42161}, UpstreamFailed),
        ({"required": -1}, UpstreamFailed),
        ({"required": 2**256}, UpstreamFailed),
        ({"error": "Source: Chain Disabled"}, NoRoute),
    ],
)
async def test_a_strange_deposit_for_an_output_is_none(
    stub_upstream: StubUpstream, body: object, kind: type[Exception]
) -> None:
    stub_upstream.upstream.says("/quoteReverse/1/7/42161", body)
    with pytest.raises(kind):
        await stub_upstream.adapter.input_for(REQUEST, 7)
