"""`rhumbline secrets rotate` on a real store."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service_keys import CURSORS, TRANSACTION_IDS, load_keys
from tests.app.conftest import Command


async def test_both_purposes_get_new_secrets(rhumbline: Command, store_engine: AsyncEngine) -> None:
    before = [await load_keys(store_engine, purpose) for purpose in (TRANSACTION_IDS, CURSORS)]
    ran = await asyncio.to_thread(rhumbline, "secrets", "rotate")
    assert (ran.code, ran.out) == (0, "")
    assert "after 60 s" in ran.err
    after = [await load_keys(store_engine, purpose) for purpose in (TRANSACTION_IDS, CURSORS)]
    assert [len(keys) for keys in after] == [2, 2]
    assert [keys[0] for keys in after] == [keys[0] for keys in before], "the new ones spread first"
