"""Questions that the demo's chapters ask, and ways to ask them."""

import asyncio
import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp

from chaos.service_world import INTEGRATOR, ServiceWorld
from rhumbline.devnet.scenarios import NATIVE, Scenario, chapters_of
from rhumbline.domain.chain import ChainType, native_marker

_PATIENCE_S = 30.0


@dataclass(frozen=True)
class Reply:
    """An answer; 0 where there was none."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def message(self) -> str:
        return str(self.body.get("message")) if isinstance(self.body, dict) else ""


async def ask(world: ServiceWorld, path: str, query: Mapping[str, str], key: str | None = None) -> Reply:
    """Ask the service once."""
    headers, timeout = {"x-api-key": world.key if key is None else key}, aiohttp.ClientTimeout(total=_PATIENCE_S)
    with contextlib.suppress(aiohttp.ClientError, TimeoutError, OSError):
        async with world.session.get(world.url + path, params=query, headers=headers, timeout=timeout) as answer:
            return Reply(answer.status, json.loads(await answer.read() or b"{}"), dict(answer.headers))
    return Reply(0, {"message": "no answer"}, {})


async def insist(world: ServiceWorld, path: str, query: Mapping[str, str], patience_s: float) -> Reply:
    """Ask until it is answered well; return the last answer after so long."""
    loop = asyncio.get_running_loop()
    end = loop.time() + patience_s
    while True:
        reply = await ask(world, path, query)
        if reply.status == 200 or loop.time() > end:
            return reply
        await asyncio.sleep(0.5)


async def chapters(world: ServiceWorld) -> tuple[Scenario, ...]:
    """Return the demo's chapters for what the service offers."""
    return chapters_of((await insist(world, "/v1/tools", {}, _PATIENCE_S)).body)


def question(world: ServiceWorld, way: Scenario, account: int, less: int = 0) -> dict[str, str]:
    """Return a chapter's question for a quote from an account's wallet, whoever may answer; of a little ``less``."""
    here, there = (world.described["chains"][key] for key in (way.chain, way.there))
    sender = accounts(world, ChainType(here["type"]))[account].address
    receiver = sender if way.to_self else accounts(world, ChainType(there["type"]))[(account + 1) % 8].address
    return {
        "senderAddress": sender,
        "receiverAddress": receiver,
        "originChainId": str(here["id"]),
        "destinationChainId": str(there["id"]),
        "amount": str(way.amount - less),
        "originCurrency": _token(world, way.chain, way.origin),
        "destinationCurrency": _token(world, way.there, way.destination),
        "integrator": INTEGRATOR,
    }


def accounts(world: ServiceWorld, chain_type: ChainType) -> Sequence[Any]:
    """Return the funded accounts of a type of chain."""
    return [each for each in world.sandbox.accounts if each.type is chain_type]


def _token(world: ServiceWorld, chain: str, symbol: str) -> str:
    described = world.sandbox.chain(chain)
    return native_marker(described.type) if symbol in NATIVE else described.tokens[symbol].address
