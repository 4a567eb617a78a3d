"""What people know a key by: its name, and when it was last used."""

import pytest

from rhumbline.accounts.keys import key_name_faults
from rhumbline.accounts.service import Accounts
from rhumbline.domain.errors import InvalidRequest, NotFound


async def test_a_key_has_a_name_that_a_rotation_keeps(accounts: Accounts) -> None:
    await accounts.create_integrator("Named", None, None)
    key, _ = await accounts.create_key("Named", name="Checkout, eu-west")
    assert (key.name, key.last_used_at) == ("Checkout, eu-west", None)
    named = await accounts.name_key(key.id, "Checkout")
    assert named.name == "Checkout"
    rotated, _ = await accounts.rotate_key(key.id, 60)
    assert rotated.name == "Checkout"
    assert (await accounts.name_key(key.id, None)).name is None
    assert [each.name for each in await accounts.list_keys("Named")] == [None, "Checkout"]
    for number in (0, -1, 10**6, 2**63):
        with pytest.raises(NotFound):
            await accounts.name_key(number, "x")


@pytest.mark.parametrize("name", ["", " x", "x ", "x" * 41, "a\nb", "a\x00b", "\u202egnp.exe", "a\u2028b", "\ud800"])
async def test_a_name_is_one_line_that_can_be_seen(accounts: Accounts, name: str) -> None:
    assert key_name_faults(name)
    await accounts.ensure_integrator("Named", None, None)
    key, _ = await accounts.create_key("Named")
    for refused in (accounts.create_key("Named", name=name), accounts.name_key(key.id, name)):
        with pytest.raises(InvalidRequest) as told:
            await refused
        assert told.value.faults[0].startswith("name: must have")
    for good in ("x", "x" * 40, "<b>&amp;", "=cmd|' /C calc'!A0", "Größe 世界 🧭"):
        assert key_name_faults(good) == ()
