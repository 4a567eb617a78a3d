"""The lines of docs/ for Debian, word by word in a folder, and every part killed in turn: `make operations`.

First deployment.md; then, on the service that this ends in, backup.md, upgrade.md and rotation.md. After each step a
swap is quoted, sent and recorded, and all that were recorded before still are.
"""

import asyncio
import re
import shutil
import socket
import ssl
import sys
import tomllib
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg
import pytest

from rhumbline.tracking.record_events.restored_store import APART
from tests.deploy.customer import PAYER, Customer
from tests.deploy.files import DEPLOY, ROOT
from tests.deploy.load import PASSING
from tests.deploy.machine import HOST, INSTANCES, Machine, blocks, four_digits
from tests.deploy.next_version import REVISION, add_migration
from tests.deploy.servers import debians_valkey, postgres, valkey
from tests.e2e.own_chain import own_chain
from tests.e2e.real_servers import free_port
from tests.patience import until

DEPLOYMENT = ("deployment.md", "Debian with systemd")


@pytest.fixture
async def machine(tmp_path: Path) -> AsyncIterator[Machine]:
    """A folder with what an operator has in it, and servers that are not started yet."""
    for name in ("home", "chain", "valkey", "var/lib/rhumbline", "etc/ssl/rhumbline"):
        (tmp_path / name).mkdir(parents=True)
    async with AsyncExitStack() as stack:
        chain = await stack.enter_async_context(own_chain(tmp_path / "chain"))
        made = Machine(tmp_path, chain, stack)
        store, dsn = await stack.enter_async_context(postgres("unused", "postgres"))
        redis = free_port()
        made.parts |= {
            "postgres": store,
            "valkey": valkey(tmp_path / "valkey", ["valkey-server"], redis, server=await debians_valkey()),
        }
        made.ports |= {"6379": str(redis), "5432": dsn.rpartition(":")[2].partition("/")[0]}
        for instance in INSTANCES:
            made.ports[instance] = four_digits(set(made.ports.values()))
        made.ports |= {f"nginx {port}": str(free_port()) for port in ("80", "443")}
        shutil.copytree(DEPLOY, made.home / "deploy")
        shutil.copy(ROOT / "requirements-service.lock", made.home)
        build = (".venv/bin/uv", "build", "--quiet", "--wheel", "--build-constraints", "requirements.lock")
        await made.run(["env", "-C", str(ROOT), *build, "--require-hashes", "--out-dir", str(made.home)])
        (written,) = blocks(*DEPLOYMENT, "toml")
        text = made.here(written).replace("host=/run/postgresql", f"host={store.folder}&port={made.ports['5432']}")
        assert tomllib.loads(text)["base_url"] == f"https://{HOST}"
        more = '\n[prices]\nsources = ["onchain"]\n'
        text = text.replace("[limits]", "[limits]\nunauthenticated_requests = 1000000")
        (made.home / "rhumbline.toml").write_text(text + more + chain.settings, "utf-8")
        pair = ("-keyout", "etc/ssl/rhumbline/privkey.pem", "-out", "etc/ssl/rhumbline/fullchain.pem")
        request = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}")
        await made.run(["env", "-C", str(tmp_path), *request, "-addext", f"subjectAltName=DNS:{HOST}", *pair])
        try:
            yield made
        finally:
            for part in reversed(made.parts.values()):
                await part.end()


@dataclass
class Operated:
    """The service of the page, with a customer who has swapped now and then."""

    machine: Machine
    customer: Customer
    swaps: list[str] = field(default_factory=list)

    async def serves(self) -> None:
        """It answers, follows the chain, and knows all that it has known."""
        record = await self.customer.swaps()
        self.swaps.append(record["transactionId"])
        for identifier in self.swaps:
            found = await self.customer.get(f"/v1/status/{identifier}")
            assert (found["transactionId"], found["status"]) == (identifier, "success")

    async def asked(self, statement: str) -> Any:
        """Ask the store for a value."""
        store = self.machine.parts["postgres"]
        connection = await asyncpg.connect(
            host=str(store.folder), port=int(self.machine.ports["5432"]), user="postgres", database="rhumbline"
        )
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()

    @asynccontextmanager
    async def answering(self) -> AsyncIterator[None]:
        """Ask all the time: no request may fail, but with a documented 503 that says when to come again."""
        seen: Counter[int] = Counter()

        async def ask() -> None:
            while True:
                asked = self.customer.session.get(f"{self.customer.url}/v1/quotes", params=self.customer.question)
                async with asked as answer:
                    seen[answer.status] += 1
                    assert answer.status == 200 or (answer.status in PASSING and "retry-after" in answer.headers), (
                        f"{answer.status}: {await answer.text()}"
                    )
                await asyncio.sleep(0.05)

        asking = asyncio.create_task(ask())
        yield
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert asking.cancelled(), asking.exception()
        assert seen[200] > 0, seen


async def kills(operated: Operated) -> None:
    """Each part, which is then started again."""
    for part in operated.machine.parts.values():
        await part.kill()
        if part in operated.machine.services:
            # Nobody notices: the other one answers, and the other one follows.
            async with operated.answering():
                await operated.serves()
        await part.start()
        await operated.serves()


async def restores_a_dump(operated: Operated) -> None:
    """What was swapped after the dump is found on the chain."""
    machine = operated.machine
    dump, restoration = blocks("backup.md", "A dump")
    await machine.follow(dump)
    await operated.serves()
    await machine.follow(restoration)
    await operated.serves()
    assert any("store_was_restored" in part.log for part in machine.services)
    assert await operated.asked("SELECT last_value FROM event_numbers") > APART


async def recovers_a_moment(operated: Operated) -> None:
    machine = operated.machine
    archive, recovery = blocks("backup.md", "Point-in-time recovery")
    await machine.follow(archive)
    await operated.serves()
    records = "SELECT count(*) FROM transactions"
    before = await operated.asked(records)
    machine.texts["2026-11-28 12:00:00+00"] = str(await operated.asked("SELECT clock_timestamp()"))
    await operated.serves()
    # The service is started last: look at what the server has come back with.
    lines = recovery.splitlines()
    await machine.follow("\n".join(lines[:-1]))
    assert await operated.asked(records) == before
    await machine.follow(lines[-1])
    await operated.serves()
    assert await operated.asked(records) == len(operated.swaps)
    assert await operated.asked("SELECT last_value FROM event_numbers") > 2 * APART


async def upgrades(operated: Operated) -> None:
    """To this version with a migration more, and no request fails."""
    machine = operated.machine
    (lines,) = blocks("upgrade.md", "One after the other")
    packages = Path(machine.here("/opt/rhumbline/lib"))
    async with operated.answering():
        for line in lines.splitlines():
            await machine.follow(line)
            if "--force-reinstall" in line:
                (package,) = packages.glob("python3*/site-packages/rhumbline")
                add_migration(package)
            # The processes are restarted one right after the other, as the lines are pasted.
            if "systemctl restart" not in line:
                await operated.serves()
        await operated.serves()
    assert await operated.asked("SELECT version_num FROM alembic_version") == REVISION


async def rotates(operated: Operated) -> None:
    """Every secret, and no request fails."""
    machine = operated.machine
    file = machine.home / "rhumbline.toml"
    await machine.rhumbline("keys", "create", "--integrator", "acme", "--evm-wallet", "0x" + "ac" * 20)
    added = await machine.rhumbline("webhooks", "add", "https://example.com/hooks", "--integrator", "acme")
    (machine.texts["wh_0123456789abcdef"],) = set(re.findall(r"wh_[0-9a-f]{16}", added))
    async with operated.answering():
        await machine.follow(*blocks("rotation.md", "The service's own"))
        await machine.follow(*blocks("rotation.md", "Keys of integrators"))
        await machine.follow(*blocks("rotation.md", "Sessions of the portal"))
        await operated.serves()
        # A node's second key, in its URL.
        url = machine.chain.rpc.url
        file.write_text(file.read_text("utf-8").replace(f'"{url}"', f'"{url}?key=the-second-one"'), "utf-8")
        reload = blocks("rotation.md", "Keys of others")[0]
        await machine.follow(reload)

        async def all_have_read_it() -> bool:
            return all("settings_reloaded" in part.log for part in machine.services)

        await until(all_have_read_it)
        await operated.serves()
        await machine.follow(*blocks("rotation.md", "Valkey's password"))
        make, replace = blocks("rotation.md", "The store's password")
        await machine.follow(make)
        install, _ = reload.splitlines()
        text = file.read_text("utf-8")
        text = re.sub(r"^dsn = .*$", f'dsn = "{SECOND_LOGIN.format(port=machine.ports["5432"])}"', text, flags=re.M)
        redis = f"redis://127.0.0.1:{machine.ports['6379']}"
        assert redis in text
        file.write_text(text.replace(redis, redis.replace("//", "//:the-second-one@")), "utf-8")
        await machine.follow(install)
        for line in replace.splitlines():
            await machine.follow(line)
            await operated.serves()
    assert "redis ok answers" in " ".join((await machine.rhumbline("doctor")).split())


SECOND_LOGIN = "postgresql://rhumbline_2:the-second-one@127.0.0.1:{port}/rhumbline"


async def test_debian_word_by_word_and_every_part_killed(machine: Machine) -> None:
    await machine.follow(*blocks(*DEPLOYMENT))
    key = machine.home / "key.txt"
    key.write_text(PAYER.private_key, "utf-8")
    await machine.rhumbline("contracts", "deploy", "--chain", "own", "--key-file", str(key), "--yes")
    trusted = ssl.create_default_context(cafile=str(machine.root / "etc/ssl/rhumbline/fullchain.pem"))
    port = int(machine.ports["nginx 443"])
    connector = aiohttp.TCPConnector(ssl=trusted, resolver=Local())
    async with aiohttp.ClientSession(connector=connector) as session:
        operated = Operated(machine, Customer(machine.chain, f"https://{HOST}:{port}", session))
        await operated.serves()
        for step in (kills, restores_a_dump, recovers_a_moment, upgrades, rotates):
            began = asyncio.get_running_loop().time()
            await step(operated)
            took_s = asyncio.get_running_loop().time() - began
            sys.stdout.write(f"{step.__name__}: {took_s:.0f} s, {len(operated.swaps)} swaps so far\n")
            sys.stdout.flush()
    assert list((machine.root / "var" / "lib" / "rhumbline").iterdir()) == []


class Local(aiohttp.abc.AbstractResolver):
    """Every name is this machine."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[aiohttp.abc.ResolveResult]:
        return [
            aiohttp.abc.ResolveResult(
                hostname=host, host="127.0.0.1", port=port, family=socket.AF_INET, proto=0, flags=socket.AI_NUMERICHOST
            )
        ]

    async def close(self) -> None:
        """Nothing is open."""
