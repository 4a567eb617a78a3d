"""A store of the version before keeps its owners and keys, who can do after it what they could before."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.keys import digest
from rhumbline.accounts.members import Members
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import UNRESTRICTED, ApiClient, Role
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import NEWEST, current, migrate
from tests.gateways.postgres.older_store import migrate_to
from tests.postgres_fixture import Databases

BEFORE = "pools"
OWNER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
OTHER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
LIVE, ENDED, ENDING = ("rl_live_" + letter * 32 for letter in "abc")


@pytest.fixture
async def older(postgres_databases: Databases) -> AsyncIterator[AsyncEngine]:
    """A store as the version before leaves it, with two owners and three keys."""
    dsn = postgres_databases.create("template0")
    engine = create_engine(dsn)
    await migrate_to(engine, BEFORE)
    async with engine.begin() as connection:
        await connection.execute(text("INSERT INTO integrators (name, created_at) VALUES ('Acme', now())"))
        for number, address in enumerate((OWNER, OTHER)):
            owned = text("INSERT INTO portal_owners VALUES (:address, 'Acme', now() + :number * interval '1 minute')")
            await connection.execute(owned, {"address": address, "number": number})
        for key, days in ((LIVE, None), (ENDED, -1), (ENDING, 1)):
            added = text(
                "INSERT INTO api_keys (integrator, digest, prefix, created_at, revoked_at, owner, quote_limit)"
                " VALUES ('Acme', :digest, :prefix, now(), now() + :days * interval '1 day', :owner, 500)"
            )
            values = {"digest": digest(key), "prefix": key[:12], "owner": OWNER, "days": days}
            await connection.execute(added, values)
    yield engine
    await engine.dispose()
    postgres_databases.drop(dsn)


async def test_what_was_there_goes_on(older: AsyncEngine) -> None:
    assert await current(older) == BEFORE
    await migrate(older)
    assert await current(older) == NEWEST
    members, accounts = Members(older, system_clock), Accounts(older, system_clock)
    found = await members.members_of("Acme")
    assert [(each.address, each.role) for each in found] == [(OWNER, Role.OWNER), (OTHER, Role.OWNER)]
    assert (await members.find(OTHER, "Acme")) == (await accounts.integrator("Acme"), Role.OWNER)
    keys = await accounts.list_keys("Acme")
    assert [(key.terms, key.expires_at, key.quote_limit) for key in keys] == [(UNRESTRICTED, None, 500)] * 3
    acme = await accounts.integrator("Acme")
    for number, key in ((1, LIVE), (3, ENDING)):
        assert await accounts.caller(key) == ApiClient(acme, number, quote_limit=500, owner=OWNER)
    assert await accounts.caller(ENDED) == ApiClient(key_invalid=True)
    assert [key.is_live(datetime.now(UTC)) for key in keys] == [True, False, True]
    new, text_of_new = await accounts.rotate_key(1, 60)
    assert (new.quote_limit, new.owner, (await accounts.caller(text_of_new)).terms) == (500, OWNER, None)
    await members.remove(OTHER, "Acme", OWNER)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO portal_members VALUES ('{wallet}', 'Acme', now(), 'admin')",
        "INSERT INTO portal_invitations (digest, integrator, role, invited_by, created_at, expires_at)"
        " VALUES (sha256(''), 'Acme', 'admin', 'x', now(), now())",
        "INSERT INTO portal_invitations (digest, integrator, role, invited_by, created_at, expires_at)"
        " VALUES (sha256(''), 'nobody', 'owner', 'x', now(), now())",
        "UPDATE api_keys SET scopes = '{{}}'",
        "UPDATE api_keys SET scopes = '{{everything}}'",
        "UPDATE api_keys SET prefix = 'rl_pub_abcd'",
        "UPDATE api_keys SET prefix = 'rl_pub_abcd', scopes = '{{quotes}}'",
        "UPDATE api_keys SET prefix = 'rl_pub_abcd', origins = '{{https://a.example}}'",
    ],
)
async def test_the_database_itself_refuses_nonsense(older: AsyncEngine, statement: str) -> None:
    await migrate(older)
    with pytest.raises(IntegrityError):
        async with older.begin() as connection:
            await connection.execute(text(statement.format(wallet="0x" + "1" * 40)))
