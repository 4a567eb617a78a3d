"""How many keys an integrator may have, against the real store."""

import asyncio
from collections.abc import Awaitable

import pytest

from rhumbline.accounts.service import Accounts
from rhumbline.domain.errors import InvalidRequest


async def fault(asked: Awaitable[object]) -> str:
    with pytest.raises(InvalidRequest) as caught:
        await asked
    (told,) = caught.value.faults
    return told


async def test_a_bound_on_keys_holds_for_many_processes(accounts: Accounts, elsewhere: Accounts) -> None:
    """For those who ask for it: the operator's own commands do not."""
    await accounts.create_integrator("Acme", None, None)
    await accounts.create_integrator("other", None, None)
    first, _ = await accounts.create_key("acme", most=5)
    both = (accounts, elsewhere)
    wanted = [each.create_key(name, most=5) for each in both for name in ("acme", "ACME", "Acme")]
    rotated = [each.rotate_key(first.id, 60, most=5) for each in both]
    outcome = await asyncio.gather(*wanted, *rotated, return_exceptions=True)
    made = [each for each in outcome if isinstance(each, tuple)]
    refused = [each for each in outcome if isinstance(each, InvalidRequest)]
    assert (len(made), len(refused)) == (4, 4)
    assert len(await accounts.list_keys("acme")) == 5
    await accounts.create_key("other", most=1)
    assert "revoke one" in await fault(accounts.create_key("other", most=1))
    newest = max(key.id for key in await accounts.list_keys("acme"))
    assert "end at once" in await fault(accounts.rotate_key(newest, 60, most=5))
    assert [key.revoked_at for key in await accounts.list_keys("acme") if key.id == newest] == [None]
    replaced, _ = await accounts.rotate_key(newest, 0, most=5)
    assert "revoke one" in await fault(accounts.create_key("acme", most=5))
    await accounts.create_key("acme")
    await accounts.rotate_key(replaced.id, 60)
