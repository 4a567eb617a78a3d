"""Quoting as a whole is paused and resumed on the command line."""

import asyncio
import json

import asyncpg

from tests.app.conftest import Command
from tests.app.test_cli import failed


def test_quoting_is_paused_once_and_lists_say_so(rhumbline: Command) -> None:
    done = rhumbline("quoting", "pause", "--reason", "we move house", "--public", "--by", "alice")
    assert (done.code, done.err) == (0, "quoting is paused: all processes take it over within 2 s\n")
    again = rhumbline("quoting", "pause", "--reason", "x")
    failed(again, 1, "quoting is paused since ", "by alice: we move house (public); to change that, resume it")
    for words in (("adapters", "list"), ("chains", "list")):
        assert "quoting is paused since " in rhumbline(*words).err
    rhumbline("chains", "pause", "base", "--reason", "x")
    resumed = rhumbline("quoting", "resume")
    assert resumed.err == "quoting is resumed: all processes take it over within 2 s; still paused: base\n"
    failed(rhumbline("quoting", "resume"), 1, "quoting is not paused; still paused: base")
    assert rhumbline("adapters", "list").err == ""


def test_a_store_of_a_newer_version_is_left_alone(rhumbline: Command, store_dsn: str) -> None:
    async def make_newer(*statements: str) -> None:
        connection = await asyncpg.connect(store_dsn)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(make_newer("UPDATE alembic_version SET version_num = 'of the future'"))
    let = rhumbline("migrate")
    assert (let.code, let.out) == (0, "")
    assert "the store is of a newer version" in let.err
    assert "replace this process by one of the newer version" in let.err
    assert json.loads(rhumbline("adapters", "list", "--json").out)
    asyncio.run(make_newer("DELETE FROM schema_compatible"))
    for words in (("quoting", "pause", "--reason", "x"), ("adapters", "list"), ("log-level", "debug"), ("audit",)):
        failed(rhumbline(*words), 1, "was made by a newer version, which does not let this one")
