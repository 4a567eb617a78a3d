"""What upstreams answer, as their adapters, routing and tracking read it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from fuzz.conversations import recorded
from fuzz.decoder import Decoder
from fuzz.nodes import NODE_ERRORS, of_nodes
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.domain.adapter import is_bridge
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import AdapterError, RhumblineError
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import IssuedTransaction, Transfer
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.tracking.raw_status import printable_word, shown
from tests.adapters.conformance.adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.conformance.case import Ask
from tests.adapters.conformance.cases import CASES, EMULATORS
from tests.adapters.onchain.adapter_fixture import open_adapter as open_onchain
from tests.clocks import leaping

CACHE = Path(__file__).parents[1] / ".rhumbline" / "cache"
_SETTLES_S = 60.0
_SENT_NOWHERE = "0x" + "9a" * 32


@dataclass(frozen=True)
class Asking:
    """An adapter, its nodes and its clock as they are at one moment; whatever is asked is asked of one made anew."""

    fixture: AdapterFixture
    at: datetime

    def anew(self) -> AdapterFixture:
        """The same adapter and nodes; they remember nothing of the last case."""
        old = self.fixture
        rpcs = {number: EvmRpc(rpc.url, rpc.http, rpc.name, rpc.timeout_s) for number, rpc in old.rpcs.items()}
        svm_rpcs = {
            number: SvmRpc(rpc.url, rpc.http, rpc.name, rpc.timeout_s, moment=Moment(leaping()))
            for number, rpc in old.svm_rpcs.items()
        }
        context = replace(old.context, rpcs=rpcs, svm_rpcs=svm_rpcs, clock=lambda: self.at)
        return replace(old, adapter=old.case.spec.make(context), context=context, rpcs=rpcs, svm_rpcs=svm_rpcs, ran=[])


@asynccontextmanager
async def sandboxed() -> AsyncIterator[tuple[Sandbox, Mapping[str, Emulator]]]:
    """Local chains with every upstream's emulator."""
    async with (
        running_sandbox(SandboxConfig(cache=CACHE)) as sandbox,
        running_world(sandbox) as world,
        running_emulators(world, EMULATORS) as emulators,
    ):
        yield sandbox, emulators


async def of_adapters(
    sandbox: Sandbox, emulators: Mapping[str, Emulator], *, whole: bool, keys: tuple[str, ...] = tuple(CASES)
) -> list[Decoder]:
    """Ask every adapter all that its conformance case says: quotes with builds, and statuses.

    With ``whole`` each is also asked through all of routing and simulation, one transfer a bridge is sent and followed,
    and the chains' nodes are asked what tracking asks.
    """
    found: list[Decoder] = []
    async with AsyncExitStack() as stack:
        for key in keys:
            case = CASES[key]
            emulator = emulators[case.emulator.key]
            emulator.reset()
            fixture = await stack.enter_async_context(open_adapter(sandbox, emulator, case))
            asking = Asking(fixture, system_clock())
            for ask in case.asks:
                found.append(await _quote(asking, ask))
            if whole:
                found += [await _answer(asking, ask) for ask in _first_of_each(case.asks)]
            if is_bridge(fixture.adapter):
                for ask in _first_of_each(case.asks):
                    found += await _status(asking, ask, sent=whole)
        if whole:
            found += await of_nodes(fixture)
    return found


def _first_of_each(asks: tuple[Ask, ...]) -> list[Ask]:
    """One question from each chain type."""
    by_type = {ask.origin == "sbxs": ask for ask in reversed(asks)}
    return list(by_type.values())


async def _quote(asking: Asking, ask: Ask) -> Decoder:
    request = asking.fixture.request(ask)

    async def question() -> Any:
        return await asking.anew().transaction(request)

    return await recorded(f"{asking.fixture.case.spec.key} {ask}", question, (AdapterError,))


async def _answer(asking: Asking, ask: Ask) -> Decoder:
    request = asking.fixture.question(ask)

    async def question() -> Any:
        return (await asking.anew().service([]).answer(request)).transaction

    return await recorded(f"{asking.fixture.case.spec.key} {ask}, routed", question, (RhumblineError,), repeats=False)


async def _status(asking: Asking, ask: Ask, *, sent: bool) -> list[Decoder]:
    fixture = asking.fixture
    kept: list[IssuedTransaction] = []
    answer = await fixture.service(kept).answer(fixture.question(ask))
    transfers = [fixture.transfer(kept[0], _SENT_NOWHERE)]
    if sent:
        tx_hash = await fixture.execute(answer)
        place = -1 if kept[0].wallet_call else await fixture.last_log(tx_hash)
        transfers.append(fixture.transfer(kept[0], tx_hash, place))
        await _settled(fixture, transfers[-1])
    return [
        await recorded(
            f"{fixture.case.spec.key} {ask}, status of {what}",
            _status_of(asking, transfer),
            (AdapterError, *NODE_ERRORS),
        )
        for what, transfer in zip(("nothing", "a transfer"), transfers, strict=False)
    ]


def _status_of(asking: Asking, transfer: Transfer) -> Any:
    async def question() -> Any:
        adapter = asking.anew().adapter
        assert is_bridge(adapter)
        status = await adapter.status(transfer)
        # As the status worker keeps it.
        return replace(status, raw=shown(status.raw), substatus=printable_word(status.substatus))

    return question


async def _settled(fixture: AdapterFixture, transfer: Transfer) -> None:
    """Wait until the bridge says that it has delivered."""
    adapter = fixture.adapter
    assert is_bridge(adapter)
    async with asyncio.timeout(_SETTLES_S):
        while True:
            if (await adapter.status(transfer)).state is TransferState.SUCCESS:
                return
            await asyncio.sleep(0.05)


async def of_pools(sandbox: Sandbox, http: HttpClient) -> list[Decoder]:
    """Ask for quotes of on-chain liquidity: pools found, and read by the lens."""
    chain = sandbox.evm_chains[0]

    async def question(sold: str, bought: str, amount: int) -> Any:
        fixture = open_onchain(chain, EvmRpc(chain.rpc_url, http, chain.key, 30.0), sandbox.accounts[0].address)
        quote = await fixture.quote(sold, bought, amount)
        return await fixture.build(quote)

    return [
        await recorded(
            f"ONCHAIN {sold}-{bought}", partial(question, sold, bought, amount), (AdapterError, *NODE_ERRORS)
        )
        for sold, bought, amount in (("WETH", "USDC", 10**18), ("USDC", "DAI", 10**9), ("ETH", "USDT", 10**17))
    ]
