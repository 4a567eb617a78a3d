"""Fees that the call takes, what is promised after them, and what is refused because both cannot be."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.symbiosis.calldata import read_crossing
from rhumbline.adapters.symbiosis.fees import expect_fees
from rhumbline.domain.errors import AdapterError, BelowMinimum, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from tests.adapters.symbiosis.calls import ETHER, Call
from tests.adapters.symbiosis.replay import USDC_ARBITRUM, USDC_ETHEREUM, Replay, answered, replaying, request
from tests.adapters.symbiosis.test_checking import quoted

AMOUNT = 500_000_000


def told(call: Call, output: int) -> Any:
    document = answered(call)
    document["tokenAmountOut"]["amount"] = str(output)
    document["tokenAmountOutMin"]["amount"] = str(min(output, call.minimum - call.burn_fee))
    return document


@pytest.mark.parametrize("share", [50, 90, 100, 150, 10**9])
@pytest.mark.parametrize("field", ["fee", "burn_fee"])
async def test_a_fee_that_eats_the_amount_is_refused_with_the_promise_as_it_was(field: str, share: int) -> None:
    """Only the minimum stood against the second fee, and nothing against the first."""
    fee = AMOUNT * share // 100
    change: dict[str, Any] = {field: fee}
    call = replace(Call(), **change)
    if field == "burn_fee":
        call = replace(call, minimum=min(call.minimum + fee, 2**255))
    for asks in ("quote", "build"):
        async with replaying(Replay([(200, told(call, 499_100_000))])) as adapter:
            with pytest.raises(UpstreamFailed):
                await (adapter.quote(request()) if asks == "quote" else adapter.build(quoted()))


@pytest.mark.parametrize("share", [21, 50, 90, 100, 150])
async def test_a_fee_that_eats_the_amount_is_refused_with_the_promise_that_it_leaves(share: int) -> None:
    fee = AMOUNT * share // 100
    call = Call(fee=fee, minimum=max(AMOUNT - fee, 0) * 995 // 1000)
    async with replaying(Replay([(200, told(call, max(AMOUNT - fee - call.burn_fee, 0)))])) as adapter:
        with pytest.raises((UpstreamFailed, BelowMinimum)):
            await adapter.quote(request())


async def test_a_small_amount_is_told_how_much_such_fees_need() -> None:
    call = Call(amount=2_000_000, locked=2_000_000, minimum=1_740_000)
    async with replaying(Replay([(200, told(call, 1_450_000))])) as adapter:
        with pytest.raises(BelowMinimum) as raised:
            await adapter.quote(request(amount=2_000_000))
    assert raised.value.minimum == 5 * (250_000 + 300_000)


async def test_both_fees_are_listed() -> None:
    call = Call(fee=40_000_000, burn_fee=30_000_000, minimum=458_000_000)
    async with replaying(Replay([(200, told(call, 430_000_000))])) as adapter:
        assert (await adapter.quote(request())).fees == (
            FeeItem(FeeType.RELAYER_SERVICE, 40_000_000, USDC_ETHEREUM),
            FeeItem(FeeType.RELAYER, 30_000_000, USDC_ARBITRUM),
        )


@pytest.mark.parametrize(
    ("call", "output", "error"),
    [
        # What the pool gets is 499.75: it may pay a hundredth more, rounded down to what both can be written in.
        (Call(), 504_747_500 - 300_000, None),
        (Call(), 504_747_501 - 300_000, UpstreamFailed),
        (Call(minimum=504_747_500), 499_100_000, None),
        (Call(minimum=504_747_501), 499_100_000, UpstreamFailed),
        # A fifth of the amount.
        (Call(fee=99_700_000), 400_000_000, None),
        (Call(fee=99_700_001), 400_000_000 - 1, BelowMinimum),
        # Dollars beyond what gas can cost, of an amount of which they are little.
        (Call(amount=10**12, fee=249_700_000), 999_000_000_000, None),
        (Call(amount=10**12, fee=249_700_001), 999_000_000_000, UpstreamFailed),
    ],
)
def test_the_bounds_are_exact(call: Call, output: int, error: type[AdapterError] | None) -> None:
    call = replace(call, minimum=min(call.minimum, output + call.burn_fee) if call.fee > 250_000 else call.minimum)
    crossing = read_crossing(replace(call, locked=call.amount).encode())
    if error is None:
        expect_fees(crossing, request(), output)
        return
    with pytest.raises(error):
        expect_fees(crossing, request(), output)


def test_fees_of_ether_are_counted_in_ether() -> None:
    ether = replace(request().origin_token, decimals=18)
    asked = request(origin_token=ether, destination_token=replace(ether, chain_id=42161))
    call = replace(ETHER, amount=10**19, locked=10**19, burn_fee=0, minimum=1)
    expect_fees(read_crossing(replace(call, fee=10**17).encode()), asked, 9 * 10**18)
    with pytest.raises(UpstreamFailed, match="can cost"):
        expect_fees(read_crossing(replace(call, fee=10**17 + 1).encode()), asked, 9 * 10**18)


def test_decimals_of_both_tokens_are_their_own() -> None:
    """USDC of six decimals for USDC of eighteen, as on BNB Chain."""
    asked = request(destination_token=replace(USDC_ARBITRUM, decimals=18))
    call = Call(burn_fee=3 * 10**17, minimum=499 * 10**18)
    expect_fees(read_crossing(call.encode()), asked, 499 * 10**18)
    with pytest.raises(UpstreamFailed):
        expect_fees(read_crossing(call.encode()), asked, 505 * 10**18)


AMOUNTS, FEES = st.integers(1, 3 * 10**9), st.integers(0, 3 * 10**8)


@given(amount=AMOUNTS, fee=FEES, burn_fee=FEES, minimum=AMOUNTS, output=AMOUNTS)
def test_what_is_accepted_can_be_kept(amount: int, fee: int, burn_fee: int, minimum: int, output: int) -> None:
    call = Call(amount=amount, locked=amount, fee=fee, burn_fee=burn_fee, minimum=minimum)
    try:
        expect_fees(read_crossing(call.encode()), request(), output)
    except (UpstreamFailed, BelowMinimum):
        return
    assert 5 * (fee + burn_fee) <= amount
    assert fee + burn_fee <= 250 * 10**6
    assert 100 * max(output + burn_fee, minimum) <= 101 * (amount - fee)
