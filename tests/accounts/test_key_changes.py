"""Keys with terms: made, changed, rotated and ended, and true in every process within a second."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from rhumbline.accounts.key_store import api_keys
from rhumbline.accounts.key_terms import read_terms
from rhumbline.accounts.service import Accounts
from rhumbline.domain.account import UNRESTRICTED, ApiClient, KeyScope, KeyTerms
from rhumbline.domain.errors import InvalidRequest, NotFound
from tests.clocks import Seconds

IN_PAGES = KeyTerms(frozenset({KeyScope.QUOTES}), ("https://app.example",), (), in_browsers=True)


@pytest.fixture
async def accounts(accounts: Accounts) -> Accounts:
    await accounts.create_integrator("acme", None, None)
    return accounts


async def test_a_key_for_browsers_has_a_form_of_its_own(accounts: Accounts) -> None:
    key, text = await accounts.create_key("acme", terms=IN_PAGES)
    assert text.startswith("rl_pub_")
    assert (len(text), key.prefix) == (39, text[:11])
    acme = await accounts.integrator("acme")
    assert await accounts.caller(text) == ApiClient(acme, key.id, terms=IN_PAGES)
    assert (await accounts.caller("rl_live_" + text[7:])).key_invalid
    new, again = await accounts.rotate_key(key.id, 60)
    assert again.startswith("rl_pub_")
    assert new.terms == IN_PAGES
    assert (await accounts.caller(again)).terms == IN_PAGES


async def test_terms_are_kept_and_changed_everywhere(accounts: Accounts, elsewhere: Accounts, seconds: Seconds) -> None:
    terms, _ = read_terms(["quotes"], ["https://a.example"], ["10.0.0.0/8", "2001:db8::/32"], in_browsers=False)
    end = datetime(2100, 1, 1, tzinfo=UTC)
    key, text = await accounts.create_key("acme", terms=terms, expires_at=end)
    assert (await accounts.list_keys("acme")) == (key,)
    assert (key.terms, key.expires_at, key.ends_at) == (terms, end, end)
    assert (await elsewhere.caller(text)).terms == terms
    assert (await accounts.set_key_terms(key.id, UNRESTRICTED, None)).expires_at is None
    assert (await accounts.caller(text)).terms is None
    assert (await elsewhere.caller(text)).terms == terms, "another process knows it for half a second"
    seconds.now += 0.6
    assert (await elsewhere.caller(text)).terms is None


async def test_the_kind_of_a_key_never_changes(accounts: Accounts) -> None:
    for made, other in ((IN_PAGES, UNRESTRICTED), (UNRESTRICTED, IN_PAGES)):
        key, text = await accounts.create_key("acme", terms=made)
        with pytest.raises(InvalidRequest, match="key: one for browsers stays one"):
            await accounts.set_key_terms(key.id, other, None)
        assert ((await accounts.caller(text)).terms or UNRESTRICTED) == made
    with pytest.raises(NotFound):
        await accounts.set_key_terms(999, UNRESTRICTED, None)


async def test_a_key_ends_when_it_was_to_end(accounts: Accounts) -> None:
    """By the store's clock, like a revocation."""
    key, text = await accounts.create_key("acme", expires_at=datetime(2100, 1, 1, tzinfo=UTC))
    assert not (await accounts.caller(text)).key_invalid
    async with accounts.engine.begin() as connection:
        past = update(api_keys).values(expires_at=datetime.now(UTC) - timedelta(seconds=1))
        await connection.execute(past)
    (ended,) = await accounts.list_keys("acme")
    assert not ended.is_live(datetime.now(UTC))
    fresh = Accounts(accounts.engine, accounts.clock)
    assert await fresh.caller(text) == ApiClient(key_invalid=True)
    with pytest.raises(InvalidRequest, match="is already revoked or replaced"):
        await accounts.rotate_key(key.id, 60)
    await accounts.create_key("acme", most=1)


async def test_a_rotation_keeps_terms_and_end(accounts: Accounts) -> None:
    terms, _ = read_terms(["tracking"], [], ["10.0.0.1"], in_browsers=False)
    end = datetime(2100, 1, 1, tzinfo=UTC)
    key, _ = await accounts.create_key("acme", terms=terms, expires_at=end)
    new, text = await accounts.rotate_key(key.id, 60)
    assert (new.terms, new.expires_at) == (terms, end)
    old = next(each for each in await accounts.list_keys("acme") if each.id == key.id)
    assert old.ends_at is not None
    assert old.ends_at < end
    assert (await accounts.caller(text)).terms == terms
