"""What an operator sets at the command line holds in two services and a worker, each a process of its own."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.clock import system_clock
from rhumbline.domain.fee import FeeRule
from rhumbline.domain.operator import Operator
from rhumbline.steering.changes import SteeringChanges
from tests.app.service_process import COMMAND
from tests.tracking.processes import PATIENCE_S, Process, running_on

PORTS = """
[server]
port = {server}
[metrics]
port = {metrics}
"""
ASKED = ("KYBERSWAP", "ACROSS")
SECRET = "hidden-word"


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def message(self) -> str:
        return str(self.body.get("message", ""))


@dataclass
class Steered:
    """Two services and a worker on one store, and a command line."""

    sandbox: Sandbox
    services: list[Process]
    worker: Process
    dsn: str
    engine: AsyncEngine

    @property
    def changes(self) -> SteeringChanges:
        """What the commands do, without the seconds that it takes to start one."""
        return SteeringChanges(self.engine, Operator("alice", SECRET))

    async def command(self, *words: str) -> str:
        """Run a command as an operator does; return what it tells."""
        ran = await asyncio.create_subprocess_exec(
            *(str(COMMAND), *words, "--config", str(self.worker.folder / "rhumbline.toml")),
            env={**os.environ, "RHUMBLINE_STORE__DSN": self.dsn},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, told = await ran.communicate()
        assert ran.returncode == 0, told.decode()
        return (out + told).decode()

    async def get(self, process: Process, path: str, key: str | None = None, **parameters: str) -> Answer:
        headers = {} if key is None else {"x-api-key": key}
        url = f"http://127.0.0.1:{process.server}{path}"
        async with process.session.get(url, params=parameters, headers=headers) as answer:
            return Answer(answer.status, dict(answer.headers), await answer.json())

    async def quote(self, process: Process, key: str | None = None, *, to: str = "sbxa", **more: str) -> Answer:
        here, there = self.sandbox.chain("sbxa"), self.sandbox.chain(to)
        token = "WETH" if to == "sbxa" else "USDC"
        parameters = {
            "senderAddress": sandbox_account(4).address,
            "originChainId": str(here.id),
            "destinationChainId": str(there.id),
            "originCurrency": here.tokens["USDC"].address,
            "destinationCurrency": there.tokens[token].address,
            "amount": "100000000",
        }
        return await self.get(process, "/v1/quotes", key, **parameters, **more)

    async def until_all(self, holds: Callable[[Process], Awaitable[bool]]) -> None:
        """Wait until something holds in both services."""
        async with asyncio.timeout(PATIENCE_S):
            for service in self.services:
                while True:
                    if await holds(service):
                        break
                    await asyncio.sleep(0.05)

    async def until_all_tell(self, text: str) -> None:
        """Wait until the logs of all processes have a text."""
        async with asyncio.timeout(PATIENCE_S):
            for process in (*self.services, self.worker):
                while True:
                    if text in process.log:
                        break
                    await asyncio.sleep(0.05)

    async def until_quoted(self, status: int, **more: str) -> list[Answer]:
        """Wait until both services answer a quote with this status; return the answers."""

        async def holds(service: Process) -> bool:
            return (await self.quote(service, **more)).status == status

        await self.until_all(holds)
        return [await self.quote(service, **more) for service in self.services]

    def delays_ms(self) -> list[int]:
        """Return what the processes measured themselves: how old a change was when it was taken over."""
        logs = (process.log for process in (*self.services, self.worker))
        return [int(found) for log in logs for found in re.findall(r'"after_ms": (\d+)', log)]


@pytest.fixture
async def steered(
    sandbox: Sandbox, emulators: Mapping[str, Emulator], store_dsn: str, store_engine: AsyncEngine, tmp_path: Path
) -> AsyncIterator[Steered]:
    asked = [emulators[key] for key in ASKED]
    text = sandbox_settings(sandbox, tmp_path, "http://127.0.0.1:1", sandbox_account(61).address, asked)
    text = re.sub(r'^base_url = ".*"\n', "", text, flags=re.M)
    text = text.replace('level = "warning"', 'level = "info"\nformat = "json"')
    async with AsyncExitStack() as stack:

        async def start(command: str, name: str) -> Process:
            running = running_on(command, text, tmp_path / name, store_dsn, settings=PORTS)
            return await stack.enter_async_context(running)

        # The first one migrates nothing, so all may start at once.
        commands = {"first": "serve", "second": "serve", "worker": "worker"}
        started = await asyncio.gather(*(start(command, name) for name, command in commands.items()))
        yield Steered(sandbox, started[:2], started[2], store_dsn, store_engine)


async def test_what_is_set_holds_in_all_processes_within_two_seconds(steered: Steered) -> None:
    await pauses_hold(steered)
    await limits_and_fees_hold(steered)
    await log_levels_hold(steered)
    delays = steered.delays_ms()
    # Seven changes in two services, which were waited for; the worker may see two at once. Of the last one, at the
    # level of errors, there is no line.
    assert len(delays) >= 14
    assert median(delays) < 2000


async def pauses_hold(steered: Steered) -> None:
    assert {answer.body["adapter"] for answer in await steered.until_quoted(200, includeExchanges="KYBERSWAP")} == {
        "KYBERSWAP"
    }
    # An adapter on one chain.
    await steered.command("adapters", "pause", "KYBERSWAP", "--chain", "sbxa", "--reason", SECRET)
    for answer in await steered.until_quoted(422, includeExchanges="KYBERSWAP"):
        assert answer.body["code"] == "NO_AVAILABLE_QUOTES"
        assert "KYBERSWAP: is paused by the operator on " in answer.message
        assert SECRET not in json.dumps(answer.body)
    assert {answer.body["adapter"] for answer in await steered.until_quoted(200)} == {"ONCHAIN"}
    for service in steered.services:
        assert (await service.measured())['rhumbline_paused{kind="adapter_on_chain",name="KYBERSWAP:sbxa"}'] == 1
    here, there = (steered.sandbox.chain(key).id for key in ("sbxa", "sbxb"))
    await steered.changes.resume("KYBERSWAP", here, "")
    await steered.until_quoted(200, includeExchanges="KYBERSWAP")
    # A chain: nothing goes there, and what stays here is answered.
    await steered.until_quoted(200, to="sbxb")
    await steered.changes.pause(None, there, "")
    for answer in await steered.until_quoted(422, to="sbxb"):
        assert answer.body["code"] == "NO_AVAILABLE_QUOTES"
        assert "the operator has paused it" in answer.message
        assert SECRET not in json.dumps(answer.body)
    await steered.until_quoted(200)
    await steered.changes.resume(None, there, "")
    await steered.until_quoted(200, to="sbxb")
    # All of it.
    moving = replace(steered.changes, operator=Operator("alice", "we move house"))
    await moving.pause(None, None, "", public=True)
    for answer in await steered.until_quoted(503):
        assert (answer.body["code"], answer.headers["Retry-After"]) == ("UNKNOWN", "60")
        assert "The operator has paused quoting: we move house" in answer.message
    for service in steered.services:
        status, told = await service.ready()
        assert (status, told["dependencies"]["quoting"]) == (200, "degraded: the operator has paused it")
        shown = (await steered.get(service, "/status.json")).body
        assert [(each["name"], each["reason"]) for each in shown["paused"]] == [("Quoting", "we move house")]
        assert (await service.measured())['rhumbline_paused{kind="quoting",name="all"}'] == 1
    # Of a process that starts now the first answer is that of the others.
    async with AsyncExitStack() as stack:
        folder = steered.worker.folder
        text = (folder / "rhumbline.toml").read_text().partition(f"port = {steered.worker.metrics}\n")[2]
        late = running_on("serve", text, folder.with_name("late"), steered.dsn, settings=PORTS)
        assert (await steered.quote(await stack.enter_async_context(late))).status == 503
    await steered.changes.resume(None, None, "")
    await steered.until_quoted(200)


async def limits_and_fees_hold(steered: Steered) -> None:
    accounts = Accounts(steered.engine, system_clock)
    await accounts.create_integrator("acme", None, None)
    made, key = await accounts.create_key("acme")

    async def limit_is(number: str, service: Process) -> bool:
        return (await steered.quote(service, key)).headers["X-RateLimit-Limit"] == number

    async def fee_is(amount: str, service: Process) -> bool:
        quote = (await steered.quote(service, key)).body
        return [each["amount"] for each in quote["fees"]["breakdown"] if each["type"] == "app"] == [amount]

    await steered.until_all(lambda service: fee_is("100000", service))
    await steered.command("keys", "limits", str(made.id), "--quotes", "5000", "--reason", "they asked", "--by", "alice")
    await steered.until_all(lambda service: limit_is("5000", service))
    await accounts.set_rule("acme", FeeRule(Fraction(2, 1000)))
    await steered.until_all(lambda service: fee_is("200000", service))
    await accounts.set_key_rule(made.id, FeeRule(Fraction(3, 1000)))
    await steered.until_all(lambda service: fee_is("300000", service))


async def log_levels_hold(steered: Steered) -> None:
    async def logs_requests(service: Process) -> bool:
        before = service.log.count('"event":"request"')
        await steered.get(service, "/v1/chains")
        await asyncio.sleep(0.1)
        return service.log.count('"event":"request"') > before

    await steered.until_all(logs_requests)
    await steered.changes.set_log_level("error", None)
    await steered.until_all_tell('"log_level": "error"')
    for service in steered.services:
        assert not await logs_requests(service)
    # For three seconds, then as the settings say, by itself.
    await steered.changes.set_log_level("warning", 3)
    await steered.until_all(logs_requests)
