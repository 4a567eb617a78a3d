"""The running sandbox with every upstream, a liar before each, and the service as it answers quotes."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import aiohttp
from pydantic import TypeAdapter

from attack.abis import ROOT, Compiled, compile_all
from attack.proxy import Liar, standing_before
from rhumbline.app.registry import SPECS
from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.svm.token_reader import token_readers as svm_token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.evm.pools import PRICES
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.svm.plans import PRICES as SOLANA_PRICES
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import World, running_world
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.token import Token
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.evm.permits import PermitOffers
from rhumbline.routing.fan_out import Deadlines
from rhumbline.routing.quote_service import QuoteLimits, QuoteService
from rhumbline.routing.svm.composer import SvmComposer
from rhumbline.routing.trial import MeasuredGas
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rehearsal import Rehearsal
from rhumbline.simulation.evm.rpc import RpcSimulator
from rhumbline.simulation.svm.runtime import SvmSimulator
from tests.adapters.conformance.cases import EMULATORS
from tests.adapters.onchain.adapter_fixture import adapter_of, open_adapter
from tests.routing.venues import chain_of, tokens_of

CACHE = ROOT / ".rhumbline" / "cache"
SLIPPAGE = Fraction(1, 100)
KEYS = (b"k" * 32,)
"""By which the service makes and knows its transaction IDs."""
# A busy machine is no answer to a lie.
_PATIENCE_S = 30.0
_WRAPPED = {"ETH": "WETH", "SOL": "WSOL"}


@dataclass(frozen=True)
class Upstreams:
    """One upstream: its emulator, the adapter that uses it through the liar, and the one that uses it directly."""

    emulator: Emulator
    liar: Liar
    deceived: Adapter[Any]
    honest: Adapter[Any]


@dataclass(frozen=True)
class AttackedService:
    """All that an attack needs. Chains, nodes and simulators are by chain ID, upstreams by adapter key.

    ``rpcs`` and ``simulators`` are those of EVM chains, ``svm_rpcs`` those of Solana's; ``world`` is the emulators'.
    ``measured`` is what its services know of gas, as one that runs does.
    """

    sandbox: Sandbox
    world: World
    compiled: Compiled
    chains: Mapping[int, Chain]
    tokens: tuple[Token, ...]
    rpcs: Mapping[int, EvmRpc]
    svm_rpcs: Mapping[int, SvmRpc]
    gas: Mapping[int, GasReader]
    simulators: Mapping[int, RpcSimulator]
    upstreams: Mapping[str, Upstreams]
    measured: MeasuredGas = field(default_factory=MeasuredGas)

    def chain(self, key: str) -> Chain:
        """Find a chain by its key."""
        return next(chain for chain in self.chains.values() if chain.key == key)

    def token(self, chain: str, symbol: str) -> Token:
        """Find a token of a chain by its symbol, the native asset by its own."""
        number = self.chain(chain)
        if symbol == number.native.symbol:
            return number.native
        return next(token for token in self.tokens if (token.chain_id, token.symbol) == (number.id, symbol))

    @cached_property
    def pools(self) -> Adapter[Any]:
        """The pools of both EVM chains."""
        chains = [open_adapter(each, self.rpcs[each.id], NATIVE_EVM) for each in self.sandbox.evm_chains]
        return adapter_of({each.chain.id: (each.rpc, each.deployment) for each in chains})

    @cached_property
    def rehearsals(self) -> Mapping[int, Rehearsal]:
        """Runs of what is done on arrival."""
        return {number: Rehearsal(rpc, _PATIENCE_S) for number, rpc in self.rpcs.items()}

    def service(self, adapters: tuple[Adapter[Any], ...], *, arriving: bool = False) -> QuoteService:
        """The service with these adapters, if ``arriving`` with what is needed on arrival; it stores nothing."""
        return QuoteService(
            adapters=(*adapters, self.pools) if arriving else adapters,
            tokens=TokenCatalog(
                list(self.chains.values()),
                list(self.tokens),
                {**token_readers(self.rpcs), **svm_token_readers(self.svm_rpcs)},
            ),
            integrators=_no_caller,
            simulators={
                **self.simulators,
                **{number: SvmSimulator(rpc, _PATIENCE_S) for number, rpc in self.svm_rpcs.items()},
            },
            composers={
                ChainType.EVM: EvmComposer(
                    KEYS,
                    self.gas,
                    permits=PermitOffers(self.rpcs, self.simulators, _PATIENCE_S),
                    rehearsals=self.rehearsals if arriving else {},
                ),
                ChainType.SVM: SvmComposer(KEYS, self.svm_rpcs, _PATIENCE_S),
            },
            deadlines=Deadlines(_PATIENCE_S, _PATIENCE_S),
            limits=QuoteLimits(simulation_budget_s=_PATIENCE_S),
            prices=self.price,
            keep=_forget,
            gas=self.measured,
        )

    def price(self, chain_id: int, address: str) -> PriceSnapshot | None:
        """The sandbox's own price of a token: what its pools were set up by."""
        cents = self.cents(chain_id, address)
        if cents is None:
            return None
        usd = Decimal(cents) / 100
        return PriceSnapshot(
            chain_id, address, usd, "sandbox", datetime.now(UTC), stale=False, tier=PriceTier.HOT, refreshing=False
        )

    def cents(self, chain_id: int, address: str) -> int | None:
        """What a whole token was set up to be worth, in USD cents."""
        chain = self.chains[chain_id]
        prices = SOLANA_PRICES if chain.type is ChainType.SVM else PRICES
        if address == chain.native.address:
            return prices[_WRAPPED[chain.native.symbol]]
        found = (token for token in self.tokens if (token.chain_id, token.address) == (chain_id, address))
        return next((prices.get(token.symbol) for token in found), None)


async def _no_caller(_: str) -> None:
    return None


async def _forget(_: IssuedTransaction) -> None:
    return None


@asynccontextmanager
async def open_service(keys: frozenset[str] | None = None) -> AsyncIterator[AttackedService]:
    """Start everything, for as long as the context lasts; ``keys`` are the adapters wanted, None for all."""
    compiled = await compile_all(CACHE)
    async with AsyncExitStack() as stack:
        sandbox = await stack.enter_async_context(running_sandbox(SandboxConfig(cache=CACHE)))
        async with attacked_service(sandbox, compiled, keys) as service:
            yield service


@asynccontextmanager
async def attacked_service(
    sandbox: Sandbox, compiled: Compiled, keys: frozenset[str] | None = None
) -> AsyncIterator[AttackedService]:
    """The same on a sandbox that runs already."""
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(running_world(sandbox))
        emulators = await stack.enter_async_context(running_emulators(world, EMULATORS))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        http = await stack.enter_async_context(HttpClient())
        chains = {described.id: chain_of(described) for described in sandbox.chains}
        rpcs = {described.id: EvmRpc(described.rpc_url, http, described.key) for described in sandbox.evm_chains}
        svm_rpcs = {number: node.rpc for number, node in world.nodes.items()}
        for rpc in rpcs.values():
            await rpc.call("anvil_autoImpersonateAccount", [True])
        gas = {number: GasReader(rpc) for number, rpc in rpcs.items()}
        parts = _AdapterMaker(stack, session, rpcs, svm_rpcs, chains)
        upstreams = {
            spec.key: await parts.upstreams(spec, emulators[spec.key])
            for spec in SPECS
            if keys is None or spec.key in keys
        }
        yield AttackedService(
            sandbox,
            world,
            compiled,
            chains,
            tuple(token for described in sandbox.chains for token in tokens_of(described)),
            rpcs,
            svm_rpcs,
            gas,
            {number: RpcSimulator(rpc, gas[number], _PATIENCE_S) for number, rpc in rpcs.items()},
            upstreams,
        )


@dataclass(frozen=True)
class _AdapterMaker:
    """What all adapters are made of."""

    stack: AsyncExitStack
    session: aiohttp.ClientSession
    rpcs: Mapping[int, EvmRpc]
    svm_rpcs: Mapping[int, SvmRpc]
    chains: Mapping[int, Chain]

    async def upstreams(self, spec: AdapterSpec[Any], emulator: Emulator) -> Upstreams:
        liar, credentials = Liar(), emulator.credentials()
        urls = {"": emulator.url} | {name: emulator.more_urls().get(name, emulator.url) for name in spec.more_urls}
        false = {
            url: await self.stack.enter_async_context(standing_before(url, liar, self.session))
            for url in sorted(set(urls.values()))
        }
        reader: TypeAdapter[Any] = TypeAdapter(spec.deployment)
        places = {number: reader.validate_python(facts) for number, facts in emulator.deployments().items()}

        async def opened(url: str) -> Upstream:
            return await self.stack.enter_async_context(
                open_upstream(
                    spec.key, url, headers=spec.headers(credentials), timeout_s=_PATIENCE_S,
                    largest_bytes=spec.largest_bytes,
                )
            )  # fmt: skip

        async def made(show: Callable[[str], str]) -> Adapter[Any]:
            more = {name: await opened(show(url)) for name, url in urls.items() if name}
            http = await opened(show(urls[""]))
            return spec.make(
                AdapterContext(
                    spec.key, http, places, self.rpcs, self.chains, system_clock, credentials, more,
                    svm_rpcs=self.svm_rpcs,
                )
            )  # fmt: skip

        return Upstreams(emulator, liar, await made(lambda url: false[url]), await made(lambda url: url))
