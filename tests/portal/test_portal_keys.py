"""An integrator's keys in the portal: shown once, replaced, ended, and never more than there may be."""

import asyncio
import re

from rhumbline.accounts.store import live_keys
from rhumbline.api.portal.keys import MOST_KEYS
from tests.portal.conftest import Port
from tests.portal.test_forms import HOME, NAME, owner

KEY = re.compile(r'<code id="key">(rl_live_[0-9A-Za-z]{32})</code>')


async def test_a_key_is_shown_once_and_works_until_it_ends(port: Port) -> None:
    visitor = await owner(port)
    accounts = port.services.accounts
    made = await visitor.follow_form(f"{HOME}/keys", await visitor.csrf())
    assert (made.status, made.headers["cache-control"]) == (200, "no-store")
    first = KEY.findall(made.text)[0]
    caller = await accounts.caller(first)
    assert caller.integrator is not None
    assert caller.integrator.name == NAME
    listed = await visitor.get(f"{HOME}/keys")
    assert first not in listed.text
    assert first[:12] in listed.text
    path = f"{HOME}/keys/{caller.key_id}"
    for overlap in ("", "-1", "5", "1e3", "86400.0"):
        assert (await visitor.send_form(f"{path}/rotate", await visitor.csrf(), overlap=overlap)).status == 400
    rotated = await visitor.follow_form(f"{path}/rotate", await visitor.csrf(), overlap="86400")
    second = KEY.findall(rotated.text)[0]
    assert (await accounts.caller(first)).integrator == (await accounts.caller(second)).integrator
    again = await visitor.send_form(f"{path}/rotate", await visitor.csrf(), overlap="0")
    assert (again.status, "replaced already" in again.text) == (400, True)
    gone = await visitor.send_form(f"{path}/revoke", await visitor.csrf())
    assert (gone.status, gone.headers["location"]) == (303, f"{HOME}/keys")
    assert (await accounts.caller(first)).key_invalid
    assert not (await accounts.caller(second)).key_invalid
    for key in ("0", "-1", "999999999999999999999", "x", "1e0"):
        assert (await visitor.send_form(f"{HOME}/keys/{key}/revoke", await visitor.csrf())).status == 404


async def test_keys_are_bounded(port: Port) -> None:
    visitor = await owner(port)
    for _ in range(MOST_KEYS):
        await port.services.accounts.create_key(NAME)
    answer = await visitor.send_form(f"{HOME}/keys", await visitor.csrf())
    assert (answer.status, "revoke one" in answer.text) == (400, True)
    assert len(await port.services.accounts.list_keys(NAME)) == MOST_KEYS


async def test_keys_are_bounded_however_they_are_made(port: Port) -> None:
    """By many requests at once, and by rotations whose old keys go on."""
    visitor = await owner(port)
    csrf, accounts = await visitor.csrf(), port.services.accounts
    answers = await asyncio.gather(*(visitor.send_form(f"{HOME}/keys", csrf) for _ in range(2 * MOST_KEYS)))
    assert sorted(answer.status for answer in answers) == [303] * MOST_KEYS + [400] * MOST_KEYS
    keys = await accounts.list_keys(NAME)
    assert len(keys) == MOST_KEYS
    path = f"{HOME}/keys/{keys[0].id}"
    refused = await visitor.send_form(f"{path}/rotate", csrf, overlap="604800")
    assert (refused.status, "have the old one end at once, or revoke one" in refused.text) == (400, True)
    assert not KEY.findall(refused.text)
    assert await accounts.list_keys(NAME) == keys, "the old key goes on as it was"
    replaced = await visitor.follow_form(f"{path}/rotate", csrf, overlap="0")
    assert (replaced.status, len(KEY.findall(replaced.text))) == (200, 1)
    await visitor.send_form(f"{HOME}/keys/{keys[1].id}/revoke", csrf)
    for number, status in ((2, 303), (3, 400)):
        asked = await visitor.send_form(f"{HOME}/keys/{keys[number].id}/rotate", csrf, overlap="3600")
        assert asked.status == status
    async with port.engine.connect() as connection:
        assert await live_keys(connection, NAME) == MOST_KEYS
