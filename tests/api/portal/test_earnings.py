"""What an integrator earned: when it was paid, whatever became of the transfer, and never in look-alikes."""

from datetime import timedelta

import pytest

from rhumbline.api.portal.earnings import MOST_UNLISTED
from rhumbline.domain.tracking import RecordAmount, RouteType, TransferState, UncheckedFee
from rhumbline.tracking.collected_fees import CollectedFees, DayFees
from tests.api.api_service import SOLANA, USDC, USDT
from tests.api.portal.season import spent
from tests.api.portal.test_filters import looked_up
from tests.api.portal.test_rows import CROSSING, cells, fee, seen
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import BEGIN, ServedPortal


@pytest.mark.parametrize("state", list(TransferState))
@pytest.mark.parametrize("kind", [RouteType.BRIDGE, RouteType.BRIDGE_SWAP])
async def test_the_fee_of_a_transfer_counts_whatever_becomes_of_it(
    portal: ServedPortal, state: TransferState, kind: RouteType
) -> None:
    """It is paid where the transfer starts, in the transaction that starts it; a refund does not bring it back."""
    visitor = await owner(portal)
    await seen(portal, 1, **CROSSING | {"route_type": kind}, status=state, integrator_fee=fee(41))
    await seen(portal, 2, integrator_fee=fee(1))
    await seen(portal, 3, **CROSSING, status=state, integrator_fee=None)
    await seen(portal, 4, **CROSSING, status=state, integrator_fee=UncheckedFee(USDC, ((USDT, 1000),)))
    today = BEGIN.date()
    found = await portal.services.collected.of(NAME, BEGIN - timedelta(days=1))
    assert found == (CollectedFees(1, USDC, "USDC", 6, 42, 2, (DayFees(today, 42, 2),)),)
    page = (await visitor.get(f"{HOME}/fees")).text
    assert "0.000042 USDC" in page
    assert "from 2 transactions" in page
    assert page.count("<svg") == 1, "on the chain where it was paid, and not where the tokens went"


async def test_fees_count_when_they_were_paid(portal: ServedPortal) -> None:
    """To the wei, whatever the size; by chain and token; what failed or was not checked does not count."""
    huge, visitor = 2**255, await owner(portal)
    paid: tuple[dict[str, object], ...] = (
        {"integrator_fee": fee(huge)},
        {"integrator_fee": fee(huge + 1), "origin_time": BEGIN - timedelta(days=1)},
        {"integrator_fee": fee(5), "origin_time": BEGIN - timedelta(days=400)},
        {"integrator_fee": fee(7, USDT, "USDT")},
        {"integrator_fee": fee(3), "origin_chain_id": 8453},
        {"integrator_fee": fee(1000), "status": TransferState.BRIDGE_FAILED},
        {"integrator_fee": fee(1000), "integrator": "Stranger"},
        {"integrator_fee": UncheckedFee(USDC, ((USDT, 1000),))},
        {"integrator_fee": RecordAmount(USDC, 1000)},
        {"integrator_fee": None},
    )
    for number, changes in enumerate(paid):
        await seen(portal, number, **changes)
    since = BEGIN.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=29)
    today, yesterday = BEGIN.date(), BEGIN.date() - timedelta(days=1)
    assert await portal.services.collected.of(NAME, since) == (
        CollectedFees(1, USDC, "USDC", 6, 2 * huge + 6, 3, (DayFees(yesterday, huge + 1), DayFees(today, huge))),
        CollectedFees(1, USDT, "USDT", 6, 7, 1, (DayFees(today, 7),)),
        CollectedFees(8453, USDC, "USDbC", 6, 3, 1, (DayFees(today, 3),)),
    )
    assert await portal.services.collected.of("nobody", since) == ()
    page = (await visitor.get(f"{HOME}/fees")).text
    assert page.count("<svg") == 3
    assert f"{today.isoformat()}: 0.000007 USDT" in page
    assert "0.000007 USDT" in (await visitor.get(HOME)).text


async def test_fees_in_a_token_that_calls_itself_usdc_are_no_usdc(portal: ServedPortal) -> None:
    """Anybody can deploy one and have it paid to the integrator's wallet: it stands apart, by its address."""
    visitor = await owner(portal)
    fake = "0x" + "Fa" * 20
    await seen(portal, 1, integrator_fee=fee(3_000_000), input=fee(9_000_000, fake))
    await seen(portal, 2, integrator_fee=fee(200_000_000 * 10**6, fake))
    table = (await visitor.get(f"{HOME}/transactions")).text
    assert (cells(table, 1)[2], cells(table, 1)[4]) == ("9 0xFaFa…FaFa", "3 USDC")
    assert cells(table, 2)[4] == "200,000,000 0xFaFa…FaFa"
    await seen(portal, 3, integrator_fee=fee(10**6, fake))
    for number in range(4, 4 + MOST_UNLISTED + 4):
        await seen(portal, number, integrator_fee=fee(1, f"0x{number:040x}"))
    for page in ("", "/fees"):
        text = (await visitor.get(HOME + page)).text
        assert "3 USDC" in text
        assert "200,000,000 USDC" not in text
    overview, fees = (await visitor.get(HOME)).text, (await visitor.get(HOME + "/fees")).text
    assert fake not in overview
    assert f'200,000,001</strong> of <span class="mono whole">{fake}' in fees
    assert "from 2 transactions" in fees
    assert fees.count("<svg") == 1
    assert fees.count('of <span class="mono whole">') == MOST_UNLISTED
    assert "and 5 more" in fees


async def test_fees_are_shown_by_day_chain_and_token_with_their_value(portal: ServedPortal) -> None:
    owner = await spent(portal)
    everything = await looked_up(owner)
    page = (await owner.get(f"{HOME}/fees?days=90")).text
    paid = [
        each for each in everything if each["fee_usd"] and (each["kind"] == "bridge" or each["status"] == "success")
    ]
    cents = sum(int(each["fee_usd"].replace(".", "")) for each in paid) // 10**4
    assert f'<dd class="figure">${cents // 100:,}.{cents % 100:02d}</dd>' in page
    for words in ("Value by day", "By chain", "By token", "Amounts on Base", "had no price when they were paid"):
        assert words in page
    narrow = (await owner.get(f"{HOME}/fees?days=90&chain=base&token=usdbc")).text
    assert "Amounts on Base" in narrow
    assert "Amounts on Ethereum" not in narrow
    assert "Nothing is like this" in (await owner.get(f"{HOME}/fees?chain={SOLANA.id}")).text
