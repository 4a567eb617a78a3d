"""Builds what a quote needs from the settings."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from fractions import Fraction
from typing import Any

from rhumbline.app.frequent_lines import call_log
from rhumbline.app.quote_section import QuoteSettings
from rhumbline.app.scorecards import ScorecardParts
from rhumbline.app.sections import TenderlySettings
from rhumbline.app.settings import Settings
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.fee import ChainWallets, FeeRule
from rhumbline.domain.metrics import Metrics
from rhumbline.domain.pauses import NOTHING_PAUSED, Pauses
from rhumbline.gateways.nodes.endpoint import Use
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.upstreams.guard.guards import UpstreamGuards
from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.deviations import Deviations
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.evm.contract_checks import ContractChecks
from rhumbline.routing.evm.permits import PermitOffers
from rhumbline.routing.fan_out import Deadlines
from rhumbline.routing.fees import FeeSettings
from rhumbline.routing.preparer import IntegratorReader
from rhumbline.routing.quote_prices import PriceReader
from rhumbline.routing.quote_service import BuildKeeper, QuoteLimits, QuoteService, nobody_waits
from rhumbline.routing.slippage import PairKind
from rhumbline.routing.svm.composer import SvmComposer
from rhumbline.routing.svm.network_price import UnitPrices
from rhumbline.routing.value_limits import LARGEST_GAIN, SideCostLimits, ValueLimits
from rhumbline.simulation.evm import tenderly
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rehearsal import Rehearsal
from rhumbline.simulation.evm.rpc import RpcSimulator
from rhumbline.simulation.evm.tenderly import TenderlySimulator
from rhumbline.simulation.svm.runtime import SvmSimulator


def build_quotes(
    settings: Settings,
    adapters: tuple[Adapter[Any], ...],
    tokens: TokenCatalog,
    rpcs: Mapping[int, EvmRpc],
    svm_rpcs: Mapping[int, SvmRpc],
    integrators: IntegratorReader,
    id_keys: tuple[bytes, ...],
    metrics: Metrics,
    prices: PriceReader,
    keep: BuildKeeper,
    tenderly: Upstream | None = None,
    clock: Clock = system_clock,
    may_answer: Callable[[], None] = lambda: None,
    handed_out: Callable[[int, datetime, bool], None] = nobody_waits,
    pauses: Callable[[], Pauses] = lambda: NOTHING_PAUSED,
    scorecards: ScorecardParts | None = None,
) -> QuoteService:
    """Build the service that answers quotes; each chain simulates on its own node, EVM chains at Tenderly as well."""
    fees, terms, unit = settings.fees, settings.quotes, settings.quotes.solana_unit_price
    gas = {chain: GasReader(rpc) for chain, rpc in rpcs.items()}
    budget_s = terms.simulation_budget_ms / 1000
    deadlines = Deadlines(terms.soft_deadline_ms / 1000, terms.hard_deadline_ms / 1000)
    runs = {chain: rpc.of(Use.SIMULATION) for chain, rpc in rpcs.items()}
    simulators = {chain: RpcSimulator(rpc, gas[chain], budget_s) for chain, rpc in runs.items()}
    svm_simulators = {chain: SvmSimulator(rpc.of(Use.SIMULATION), budget_s) for chain, rpc in svm_rpcs.items()}
    rule = FeeRule(Fraction(fees.service_share), Fraction(fees.largest_integrator_share))
    return QuoteService(
        adapters=adapters,
        tokens=tokens,
        integrators=integrators,
        simulators={**simulators, **svm_simulators},
        second_simulators=_seconds(settings.tenderly, tenderly, simulators, budget_s),
        composers={
            ChainType.EVM: EvmComposer(
                *(id_keys, gas, ContractChecks(rpcs, deadlines.hard_s), deadlines.soft_s),
                rehearsals={chain: Rehearsal(rpc, budget_s) for chain, rpc in runs.items()},
                permits=PermitOffers(runs, simulators, budget_s),
                clock=clock,
            ),
            ChainType.SVM: SvmComposer(
                id_keys, svm_rpcs, deadlines.hard_s, UnitPrices(unit.least, unit.most), clock=clock
            ),
        },
        fees=FeeSettings(rule, ChainWallets(fees.evm_wallet, fees.svm_wallet)),
        deadlines=deadlines,
        notes=CallNotes(metrics, call_log()),
        deviations=Deviations(metrics),
        prices=prices,
        keep=keep,
        origins=frozenset(rpcs) | frozenset(svm_rpcs),
        clock=clock,
        may_answer=may_answer,
        handed_out=handed_out,
        pauses=pauses,
        scores=None if scorecards is None else scorecards.tally,
        handicaps={} if scorecards is None else scorecards.records.costs,
        limits=QuoteLimits(terms.transaction_ttl_s, budget_s, value_limits(terms)),
    )


def _seconds(
    settings: TenderlySettings, upstream: Upstream | None, simulators: Mapping[int, RpcSimulator], budget_s: float
) -> Mapping[int, TenderlySimulator]:
    if upstream is None or settings.account is None or settings.project is None:
        return {}
    account, project = settings.account, settings.project
    return {
        chain: TenderlySimulator(upstream, account, project, simulator.prepared, budget_s)
        for chain, simulator in simulators.items()
    }


def value_limits(settings: QuoteSettings) -> ValueLimits:
    gain = settings.largest_gain
    named = {
        PairKind.SAME_ASSET: gain.same_asset,
        PairKind.STABLE: gain.stable,
        PairKind.MAJOR: gain.major,
        PairKind.LONG_TAIL: gain.long_tail,
    }
    gains = {**LARGEST_GAIN, **{kind: Fraction(share) for kind, share in named.items()}}
    beside = SideCostLimits(settings.largest_side_cost.usd, Fraction(settings.largest_side_cost.share))
    return ValueLimits(Fraction(settings.largest_loss), gains, side_cost=beside)


@asynccontextmanager
async def opened_tenderly(settings: TenderlySettings, guards: UpstreamGuards) -> AsyncIterator[Upstream | None]:
    """Offer the upstream, behind its host's guard; None without an account."""
    if settings.access_key is None:
        yield None
        return
    url = settings.url or tenderly.URL
    headers = {tenderly.KEY_HEADER: settings.access_key.get_secret_value()}
    async with open_upstream("tenderly", url, headers=headers, guard=guards.of(url, "tenderly")) as upstream:
        yield upstream
