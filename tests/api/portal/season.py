"""A season of an integrator in the store, for the pages to show: three months of fees, transfers, keys and wallets."""

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import text, update

from rhumbline.accounts.key_store import api_keys
from rhumbline.accounts.key_terms import read_terms
from rhumbline.accounts.request_store import RequestWriter
from rhumbline.accounts.request_tally import RequestTally
from rhumbline.domain.account import ApiClient, Role
from rhumbline.domain.chain import ChainType
from rhumbline.domain.tracking import RecordAmount, RouteType, TransactionRecord, TransferState
from rhumbline.tracking.store import add_records
from tests.api.api_service import ACME, OTHER_WALLET, USDC, USDT
from tests.api.portal.test_views import NAME
from tests.portal.chromium import Page
from tests.portal_fixture import BEGIN, ServedPortal, Visitor
from tests.tracking.test_listing import hash_of, row

HOSTILE = "<b onmouseover=alert(1)>=1+1"
STATES = (TransferState.SUCCESS, TransferState.BRIDGE_PENDING, TransferState.REFUNDED, TransferState.BRIDGE_FAILED)
COUNT = 96
WEBHOOK = "wh_00000000000000aa"
_WEBHOOKS = (
    """
    INSERT INTO webhooks (id, integrator, url, types, secret, old_until, created_at, failing_since)
    VALUES (:webhook, :name, 'https://hooks.' || repeat('long-', 8) || 'name.acme.example/of/payments?from=rhumbline',
        '{transaction.seen,transaction.status,transaction.final,transaction.updated,transaction.withdrawn}', 'whsec_',
        '2126-01-01 10:00Z', '2026-11-20 10:00Z', '2026-11-21 10:00Z')
    """,
    """
    INSERT INTO webhooks (id, integrator, url, types, secret, created_at, off_at, off_reason)
    VALUES ('wh_00000000000000bb', :name, 'https://old.acme.example', '{transaction.final}', 'whsec_',
        '2026-11-19 10:00Z', '2026-11-21 10:00Z', 'it answered 410 Gone')
    """,
    """
    INSERT INTO webhook_deliveries (webhook, number, type, subject, state, due_at, attempts, log, created_at)
    SELECT :webhook, number, 'transaction.final', '0x' || number,
        CASE WHEN number < 22 THEN 'delivered' WHEN number < 25 THEN 'failed' ELSE 'pending' END,
        CASE WHEN number >= 25 THEN timestamptz '2026-11-21 14:00Z' END, 2, CASE WHEN number < 22
            THEN '[{"at": "2026-11-21T09:00:00+00:00", "status": 204, "error": null, "ms": 87}]'
            ELSE '[{"at": "2026-11-21T10:00:00+00:00", "status": null, "error": "no answer in time", "ms": 10003},
                {"at": "2026-11-21T10:00:02+00:00", "status": 503, "error": null, "ms": 1204}]' END::jsonb,
        timestamptz '2026-11-21 09:00Z' + number * interval '3 minutes'
    FROM generate_series(1, 28) AS number
    """,
)


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
    await furnish(portal, owner)
    rows = [_row(number) for number in range(COUNT)]
    async with portal.engine.begin() as connection:
        await add_records(connection, rows)
        # By the portal's time, which the store's own is not.
        over = update(api_keys).where(api_keys.c.id == ended.id).values(revoked_at=BEGIN - timedelta(days=1))
        await connection.execute(over)
    return owner


async def furnish(portal: ServedPortal, owner: Visitor) -> None:
    """Add members, invitations, restricted keys, what has changed, and a day of requests."""
    services = portal.services
    for seed, role in ((11, Role.DEVELOPER), (12, Role.VIEWER)):
        await services.members.put(portal.visitor(seed).address, NAME, role)
    await services.invitations.invite(NAME, Role.DEVELOPER, 7, None, owner.address)
    await services.invitations.invite(NAME, Role.VIEWER, 1, portal.visitor(13).address, owner.address)
    origins = [f"https://{'long-' * 8}name-{number}.shops-of-acme.example" for number in range(3)]
    in_browsers, _ = read_terms([], origins, [], in_browsers=True)
    own, _ = read_terms(["tracking"], [], ["203.0.113.0/24", "2001:db8:aaaa:bbbb:cccc:dddd::/96"], in_browsers=False)
    end = BEGIN + timedelta(days=40)
    for terms in (in_browsers, own):
        await services.accounts.create_key(NAME, name="Storefront", owner=owner.address, terms=terms, expires_at=end)
    async with portal.engine.begin() as connection:
        for statement in _WEBHOOKS:
            await connection.execute(text(statement), {"name": NAME, "webhook": WEBHOOK})
    tally = RequestTally(portal.clock)
    writer = RequestWriter(portal.engine, tally, portal.clock)
    now = portal.clock.now
    for hour in range(24):
        portal.clock.now = now - timedelta(hours=23 - hour)
        for number in range(1 + hour * 7 % 50):
            status = (200, 200, 200, 422, 503)[number % 5] if hour % 3 else 200
            code = "" if status == 200 else "NO_AVAILABLE_QUOTES"
            endpoint = ("/v1/quotes", "/v1/transactions/{lookupKey}/status")[number % 2]
            tally.add(ApiClient(ACME, 1), endpoint, status, 0.003 * 1.2**number, code, f"{hour:016x}{number:016x}")
        await writer.write()
    portal.clock.now = now


def _row(number: int) -> TransactionRecord:
    """Every third one is a transfer to Base; each day's fees differ; every tenth had no price."""
    token, symbol = (USDT, "USDT") if number % 4 == 0 else (USDC, "USDC")
    raw = 1_000_000 * (1 + number * 7 % 13) + 345_678
    usd = None if number % 10 == 9 else Decimal(raw).scaleb(-6)
    changes: dict[str, object] = {
        "integrator": NAME,
        "origin_time": BEGIN - timedelta(hours=number * 17),
        "input": RecordAmount(token, raw * 100, symbol, 6, usd and usd * 100),
        "integrator_fee": RecordAmount(token, raw, symbol, 6, usd),
        "output": RecordAmount(USDT, raw * 99, "USDT", 6),
    }
    if number % 3 == 0:
        state = STATES[number // 3 % len(STATES)]
        changes |= {"route_type": RouteType.BRIDGE, "protocol": "ACROSS", "destination_chain_id": 8453, "status": state}
        arrived = state is TransferState.SUCCESS
        changes |= {
            "output": RecordAmount(USDC, raw * 99, "USDbC", 6) if arrived else None,
            "destination_tx_hash": hash_of(5000 + number) if arrived else None,
        }
    if number % 5 == 1:
        changes["origin_chain_id"] = 8453
        changes["integrator_fee"] = RecordAmount(USDC, raw, "USDbC", 6, usd)
    return row(number, **changes)


async def enter(page: Page, owner: Visitor) -> None:
    """Give a browser the session of somebody who signed in."""
    for name, value in owner.cookies.items():
        await page.send("Network.setCookie", name=name, value=value, url=owner.url, httpOnly=True, sameSite="Strict")
