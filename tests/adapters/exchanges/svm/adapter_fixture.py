"""An exchange's adapter against its emulator on the sandbox's Solana chain: quotes, drafts executed, balances."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest_asyncio

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.wallet import balance_of
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.svm_fixture import Executed, Solana, executed
from tests.clocks import leaping

SENDER, FRIEND = (str(keypair(index).pubkey()) for index in (1, 2))
HALF_A_PERCENT = Fraction(5, 1000)


@dataclass(frozen=True)
class AdapterFixture:
    adapter: Adapter[Any]
    emulator: Emulator
    solana: Solana

    def request(
        self, origin: str, destination: str, amount: int, receiver: str | None = None, *, wallet: int = 1
    ) -> QuoteRequest:
        chain, sender = self.solana.chain, self.solana.wallet(wallet)
        return QuoteRequest(
            chain, chain, self.solana.token(origin), self.solana.token(destination), amount, sender=sender,
            receiver=receiver or sender, taker=sender, payout_address=receiver or sender, slippage=HALF_A_PERCENT,
            deadline=int(system_clock().timestamp()) + 1200,
        )  # fmt: skip

    async def drafted(self, request: QuoteRequest) -> tuple[Quote[Any], SvmDraft]:
        quote = await self.adapter.quote(request)
        return quote, await self.built(quote)

    async def built(self, quote: Quote[Any]) -> SvmDraft:
        draft = await self.adapter.build(quote)
        assert isinstance(draft, SvmDraft)
        return draft

    async def execute(self, draft: SvmDraft, wallet: int = 1) -> Executed:
        return await executed(self.solana.node.rpc, draft, wallet)

    async def balance(self, owner: str, symbol: str) -> int:
        """Lamports, wrapped ones as well, or raw units of a token."""
        held = await balance_of(self.solana.node.rpc, self.solana.token(symbol).address, owner)
        return held + (await self.balance(owner, "WSOL") if symbol == "SOL" else 0)

    async def gained(self, quote: Quote[Any], draft: SvmDraft, receiver: str = SENDER) -> int:
        """Execute, and return what the receiver has more of the output."""
        bought = quote.request.destination_token.symbol
        before = await self.balance(receiver, bought)
        await self.execute(draft)
        await self.solana.node.rpc.call("sandbox_advanceSlots", [1])
        return await self.balance(receiver, bought) - before


@asynccontextmanager
async def open_adapter(
    solana: Solana, spec: AdapterSpec[Any], emulator_class: type[Emulator]
) -> AsyncIterator[AdapterFixture]:
    async with running_emulators(solana.world, [emulator_class]) as emulators:
        emulator = emulators[spec.key]
        credentials = emulator.credentials()
        async with open_upstream(
            spec.key, emulator.url, headers=spec.headers(credentials), timeout_s=spec.timeout_s
        ) as http:
            places = {number: spec.deployment(**fields) for number, fields in emulator.deployments().items()}
            number = solana.chain.id
            context = AdapterContext(
                spec.key, http, places, {}, {number: solana.chain}, system_clock, credentials,
                svm_rpcs={number: replace(solana.node.rpc, moment=Moment(leaping()))},
            )  # fmt: skip
            yield AdapterFixture(spec.make(context), emulator, solana)


def solana_of(spec: AdapterSpec[Any], emulator_class: type[Emulator]) -> Any:
    """The fixture ``solana`` of one adapter, for the conftest of its tests."""

    @pytest_asyncio.fixture
    async def solana(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
        async with (
            running_world(restored_sandbox) as world,
            open_adapter(Solana(world), spec, emulator_class) as opened,
        ):
            yield opened

    return solana
