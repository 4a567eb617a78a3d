"""A season of an integrator in the store, for the pages to show: three months of fees, transfers, keys and wallets."""

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import update

from rhumbline.accounts.key_store import api_keys
from rhumbline.domain.chain import ChainType
from rhumbline.domain.tracking import KeptAmount, RouteType, TransactionRecord, TransferState
from rhumbline.tracking.store import add_records
from tests.api.api_service import OTHER_WALLET, USDC, USDT
from tests.api.portal.test_views import NAME
from tests.portal.chromium import Page
from tests.portal_fixture import BEGIN, ServedPortal, Visitor
from tests.tracking.test_listing import hash_of, row

HOSTILE = "<b onmouseover=alert(1)>=1+1"
STATES = (TransferState.SUCCESS, TransferState.BRIDGE_PENDING, TransferState.REFUNDED, TransferState.BRIDGE_FAILED)
COUNT = 96


async def spent(portal: ServedPortal, seed: int = 1) -> Visitor:
    """An owner who is signed in, with keys of which one is used and one has ended, a fee wallet, and records."""
    owner = portal.visitor(seed)
    await owner.sign_in()
    await owner.register(NAME)
    accounts = portal.services.accounts
    await accounts.set_wallet(NAME, ChainType.EVM, OTHER_WALLET)
    _, used = await accounts.create_key(NAME, name="Checkout, Europe")
    await accounts.caller(used)
    await accounts.create_key(NAME, name=HOSTILE)
    ended, _ = await accounts.create_key(NAME)
    rows = [_row(number) for number in range(COUNT)]
    async with portal.engine.begin() as connection:
        await add_records(connection, rows)
        # By the portal's time, which the store's own is not.
        over = update(api_keys).where(api_keys.c.id == ended.id).values(revoked_at=BEGIN - timedelta(days=1))
        await connection.execute(over)
    return owner


def _row(number: int) -> TransactionRecord:
    """Every third one is a transfer to Base; each day's fees differ; every tenth had no price."""
    token, symbol = (USDT, "USDT") if number % 4 == 0 else (USDC, "USDC")
    raw = 1_000_000 * (1 + number * 7 % 13) + 345_678
    usd = None if number % 10 == 9 else Decimal(raw).scaleb(-6)
    changes: dict[str, object] = {
        "integrator": NAME,
        "origin_time": BEGIN - timedelta(hours=number * 17),
        "input": KeptAmount(token, raw * 100, symbol, 6, usd and usd * 100),
        "integrator_fee": KeptAmount(token, raw, symbol, 6, usd),
        "output": KeptAmount(USDT, raw * 99, "USDT", 6),
    }
    if number % 3 == 0:
        state = STATES[number // 3 % len(STATES)]
        changes |= {"route_type": RouteType.BRIDGE, "protocol": "ACROSS", "destination_chain_id": 8453, "status": state}
        arrived = state is TransferState.SUCCESS
        changes |= {
            "output": KeptAmount(USDC, raw * 99, "USDbC", 6) if arrived else None,
            "destination_tx_hash": hash_of(5000 + number) if arrived else None,
        }
    if number % 5 == 1:
        changes["origin_chain_id"] = 8453
        changes["integrator_fee"] = KeptAmount(USDC, raw, "USDbC", 6, usd)
    return row(number, **changes)


async def enter(page: Page, owner: Visitor) -> None:
    """Give a browser the session of somebody who signed in."""
    for name, value in owner.cookies.items():
        await page.send("Network.setCookie", name=name, value=value, url=owner.url, httpOnly=True, sameSite="Strict")
