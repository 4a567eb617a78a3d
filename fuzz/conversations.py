"""Whole conversations of an adapter with its upstream and with nodes: recorded once, then repeated with altered answers.

What is recorded are the answers of the sandbox's emulators and nodes, below everything that reads them: so the codec of
HTTP bodies, the fields of an answer, calldata, instructions, accounts and what a chain's node says are all read as in
the service, and all of them may be altered.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from unittest.mock import patch

from fuzz.decoder import Decoder
from fuzz.mutations import altered_body
from rhumbline.domain.adapter import is_bridge
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.http.connection import AcceptedAnswer, Reply
from rhumbline.gateways.http.pool import Pool
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.adapters.conformance.adapter_fixture import AdapterFixture
from tests.clocks import leaping

_UNKNOWN = Reply(404, {"content-type": "application/json"}, b"{}", is_large=False)
_STATUSES = (200, 200, 200, 201, 204, 302, 400, 404, 422, 429, 500, 503)


@dataclass(frozen=True)
class Heard:
    """One answer, and what it is an answer to: a method and a path, or the methods of a node's calls."""

    to: str
    reply: Reply


@dataclass
class Tape:
    """What was heard, in its order."""

    heard: list[Heard] = field(default_factory=list)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Note all that is answered over HTTP."""
        ask = Pool.ask

        async def noted(
            pool: Pool, method: str, target: str, headers: Mapping[str, str], body: bytes | None,
            accepted: AcceptedAnswer, deadline: float,
        ) -> Reply:  # fmt: skip
            reply = await ask(pool, method, target, headers, body, accepted, deadline)
            self.heard.append(Heard(_question(pool, method, target, body), reply))
            return reply

        with patch.object(Pool, "ask", noted):
            yield


@contextmanager
def repeating(heard: Sequence[Heard]) -> Iterator[None]:
    """Answer over HTTP as was heard: the next answer to the same question, the last one again where there is none."""
    left: dict[str, list[Reply]] = {}
    for each in heard:
        left.setdefault(each.to, []).append(each.reply)

    async def told(
        pool: Pool, method: str, target: str, headers: Mapping[str, str], body: bytes | None,
        accepted: AcceptedAnswer, deadline: float,
    ) -> Reply:  # fmt: skip
        replies = left.get(_question(pool, method, target, body))
        if not replies:
            return _UNKNOWN
        return replies.pop(0) if len(replies) > 1 else replies[0]

    with patch.object(Pool, "ask", told):
        yield


def _question(pool: Pool, method: str, target: str, body: bytes | None) -> str:
    words = f"{pool.origin} {method} {target.partition('?')[0]}"
    if body is not None and body.startswith((b'{"jsonrpc"', b'[{"jsonrpc"')):
        calls = json.loads(body)
        words += " " + " ".join(each["method"] for each in (calls if isinstance(calls, list) else [calls]))
    return words


def altered_tape(rng: Random, heard: Sequence[Heard], others: Sequence[Sequence[Heard]]) -> list[Heard]:
    """One or two of the answers altered, those of the upstream more often than those of nodes."""
    changed = list(heard)
    if not changed:
        return changed
    upstream = [place for place, each in enumerate(changed) if " eth_" not in each.to and " get" not in each.to]
    for _ in range(rng.choice((1, 1, 1, 2))):
        place = rng.choice(upstream) if upstream and rng.random() < 0.6 else rng.randrange(len(changed))
        reply = changed[place].reply
        if reply.body is None:
            continue
        also = [each.reply.body for tape in others[:4] for each in tape if each.reply.body is not None]
        body = altered_body(rng, reply.body, also)
        status = rng.choice(_STATUSES) if rng.random() < 0.1 else reply.status
        changed[place] = replace(changed[place], reply=replace(reply, body=body, status=status))
    return changed


@dataclass(frozen=True)
class _Question:
    """An adapter at the time when it was recorded, and what it is asked."""

    fixture: AdapterFixture
    request: QuoteRequest
    at: Any

    async def ask(self) -> Any:
        """Quote and build."""
        alone = self._alone()
        return await alone.transaction(self.request)

    async def look_after(self, transfer: Transfer) -> Any:
        """Ask for the status of a transfer."""
        return await self._alone().adapter.status(transfer)

    def _alone(self) -> AdapterFixture:
        """The same adapter made anew: it remembers nothing of the last case."""
        context = self.fixture.context
        rpcs = {
            number: EvmRpc(rpc.url, rpc.http, rpc.name, rpc.timeout_s)
            for number, rpc in self.fixture.rpcs.items()
        }  # fmt: skip
        svm_rpcs = {
            number: SvmRpc(rpc.url, rpc.http, rpc.name, rpc.timeout_s, moment=Moment(leaping()))
            for number, rpc in self.fixture.svm_rpcs.items()
        }
        fresh = replace(context, rpcs=rpcs, svm_rpcs=svm_rpcs, clock=lambda: self.at)
        return replace(self.fixture, adapter=self.fixture.case.spec.make(fresh), context=fresh)


async def recorded(fixture: AdapterFixture) -> list[Decoder]:
    """Ask an adapter all that its case says, and return what of it can be repeated: quotes with builds, and statuses."""
    found: list[Decoder] = []
    key = fixture.case.spec.key
    for ask in fixture.case.asks:
        question = _Question(fixture, fixture.request(ask), system_clock())
        tape = Tape()
        with tape.recording():
            await question.ask()
        found.append(_decoder(f"{key} {ask}", fixture, tape.heard, question.ask))
    return found


def _decoder(name: str, fixture: AdapterFixture, heard: Sequence[Heard], ask: Any) -> Decoder:
    async def read(altered: Sequence[Heard]) -> Any:
        with repeating(altered):
            return await ask()

    return Decoder(name, (), (tuple(heard),), altered_tape, read, (AdapterError,))
