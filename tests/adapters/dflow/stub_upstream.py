"""The adapter against a recorded answer, and a node that knows the accounts that it is about."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from rhumbline.adapters.dflow import SPEC
from rhumbline.adapters.dflow.adapter import DflowAdapter
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import SvmDraft, SvmInstruction
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.dflow.orders import ENTRIES, NUMBER, REQUEST, SOLANA, TABLE, USDC, USDT, Trade, answered, whole
from tests.adapters.exchanges.recorded import Recorded, recorded_upstream
from tests.adapters.svm_accounts import KnownAccounts, known_accounts, mint, table


@dataclass(frozen=True)
class StubUpstream:
    adapter: DflowAdapter
    upstream: Recorded
    node: KnownAccounts

    def says(self, *instructions: SvmInstruction, request: QuoteRequest = REQUEST) -> None:
        self.upstream.says("/order", answered(whole(*instructions), request))

    async def built(self, request: QuoteRequest = REQUEST) -> SvmDraft:
        made = await self.adapter.build(await self.adapter.quote(request))
        assert isinstance(made, SvmDraft)
        return made

    def without_node(self) -> DflowAdapter:
        return DflowAdapter(replace(self.adapter.context, svm_rpcs={}))


@asynccontextmanager
async def open_stub() -> AsyncIterator[StubUpstream]:
    async with recorded_upstream() as recorded, known_accounts() as (known, rpc):
        recorded.says("/order", answered(whole(Trade().instruction())))
        known.accounts |= {each: mint(6) for each in (USDC.address, USDT.address)}
        known.accounts |= {WRAPPED_SOL: mint(9), TABLE: table(ENTRIES)}
        async with open_upstream(SPEC.key, recorded.url, headers=SPEC.headers({"api_key": "sesame"})) as http:
            parts = AdapterContext(
                SPEC.key, http, SPEC.deployments, {}, {NUMBER: SOLANA}, system_clock, svm_rpcs={NUMBER: rpc}
            )
            yield StubUpstream(DflowAdapter(parts), recorded, known)
