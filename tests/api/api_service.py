"""A service to test over HTTP: the real catalogs, and a floor below that keeps what it is asked."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

from rhumbline.accounts.admission import Admission
from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.trails import MOST_WAITING, Trails
from rhumbline.api.v1.services import Services
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import ToolCatalog
from rhumbline.domain import route, tracking
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.fee import Charge, FeeItem, FeeKind, FeeType
from rhumbline.domain.followed_chain import FollowedChain
from rhumbline.domain.gas import EvmGasTerms
from rhumbline.domain.indicative import IndicativePrice, PairRequest, PairSource
from rhumbline.domain.plan import Plan, PlannedStep, StepRequest
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.quote import Refusal
from rhumbline.domain.rate import Limit
from rhumbline.domain.scorecard import RecordRanking, Scorecard, ScorecardFilter, Scorecards
from rhumbline.domain.simulation import (
    Deviation,
    ExecutionStatus,
    OutputValidation,
    Simulation,
    SimulationResult,
    SimulationSource,
)
from rhumbline.domain.token import Token
from rhumbline.domain.trail import KeptTrail
from rhumbline.domain.transaction import EvmTransaction, SvmTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

NOW = datetime(2026, 3, 4, 5, 6, 7, 89_000, UTC)
DIAMOND = "0x1111111254EEB25477B68fb85Ed929f73A960582"
WALLET = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
OTHER_WALLET = "0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B"
SOLANA_WALLET = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7"
SOLANA_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
UNLISTED = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
KEY = "rl_live_abcdefghijklmnopqrstuvwxyz012345"
UNKNOWN_KEY = "rl_live_ffffffffffffffffffffffffffffffff"
SOLANA_ID = 1000000001
TX_ID = "0x" + "ab" * 32
TX_HASH = "0x" + "cd" * 32
ACME = Integrator("Acme", OTHER_WALLET, None, NOW)

ETH = Chain(
    id=1,
    key="eth",
    name="Ethereum",
    type=ChainType.EVM,
    native=Token(1, NATIVE_EVM, "ETH", 18, "Ether", "ETH"),
    mainnet=True,
    rpc_urls=("https://public.example/eth",),
    explorer_url="https://explorer.example",
    logo_uri="https://logos.example/eth.svg",
    multicall="0xcA11bde05977b3631167028862bE2a173976CA11",
    diamond=DIAMOND,
)
BASE = Chain(
    id=8453,
    key="base",
    name="Base",
    type=ChainType.EVM,
    native=Token(8453, NATIVE_EVM, "ETH", 18, "Ether"),
    mainnet=True,
    aliases=("bas",),
)
SOLANA = Chain(
    id=SOLANA_ID,
    key="sol",
    name="Solana",
    type=ChainType.SVM,
    native=Token(SOLANA_ID, NATIVE_SVM, "SOL", 9, "Solana", "SOL"),
    mainnet=True,
)
TOKENS = (
    Token(1, USDC, "USDC", 6, "USD Coin", "USDC", "https://logos.example/usdc.svg"),
    Token(1, USDT, "USDT", 6, "Tether USD", "USDT"),
    Token(1, OTHER_WALLET, "usdc", 18, "A look-alike further down the lists"),
    Token(1, WALLET, "TWO WORDS", 18, "A symbol that no token list can hold"),
    Token(SOLANA_ID, SOLANA_USDC, "USDC", 6, "USD Coin", "USDC"),
)
PRICES: Mapping[tuple[int, str], PriceSnapshot] = {
    (1, USDC): PriceSnapshot(1, USDC, Decimal("1.00010"), "pool", NOW, False, PriceTier.HOT, True),
    (1, USDT): PriceSnapshot(1, USDT, None, None, None, True, PriceTier.HOT, True),
}
TOOLS = (
    AdapterInfo("ONCHAIN", "On-chain pools", "https://logos.example/uni.svg", Capability.EXCHANGE, (8453, 1)),
    AdapterInfo("RELAY", "Relay", "https://logos.example/relay.svg", Capability.MULTI, (1,)),
    AdapterInfo("ACROSS", "Across", "https://logos.example/across.svg", Capability.BRIDGE, (1, 8453)),
)


class ApiService:
    """The floor below the API: answers what the test put there, and keeps what it was asked."""

    def __init__(self) -> None:
        self.admission = Admission()
        self.trails = Trails(lambda: NOW)
        self.reset()

    def reset(self) -> None:
        self.admission.at_once = None
        self.failure: Exception | None = None
        self.full = True
        self.told: list[route.Estimate | Refusal] = []
        self.lets: asyncio.Event | None = None
        self.ended = asyncio.Event()
        self.store_down = False
        self.key_owner = ApiClient(ACME, 1)
        self.dependencies = {"store": "ok", "rpc:eth": "ok"}
        self.asked: list[route.RouteRequest] = []
        self.steps: list[StepRequest] = []
        self.pairs: list[PairRequest] = []
        self.most = 0
        self.pages: list[tuple[str, tracking.TransactionFilter, int, str | None]] = []
        self.found: list[tuple[str, str]] = []
        self.trails.take(MOST_WAITING)
        self.kept: list[KeptTrail] = []
        self.scored: list[ScorecardFilter] = []
        self.cards: tuple[Scorecard, ...] = ()
        self.ranking = RecordRanking(Fraction(0), ())

    async def quote(self, request: route.RouteRequest, tell: route.OnAnswer | None = None, /) -> route.RouteAnswer:
        self.asked.append(request)
        if tell is not None:
            for told in self.told:
                tell(told)
        if self.lets is not None:
            try:
                await self.lets.wait()
            finally:
                self.ended.set()
        if self.failure is not None:
            raise self.failure
        return full_answer(request) if self.full else bare_answer(request)

    @property
    def planner(self) -> "ApiService":
        return self

    async def routes(self, request: route.RouteRequest, most: int, /) -> tuple[Plan, ...]:
        answered = await self.quote(request)
        step = PlannedStep(
            request=request, origin_token=answered.origin_token, destination_token=answered.destination_token,
            adapter=answered.adapter, output_amount=answered.output_amount, quote_amount=request.amount,
            min_output_amount=answered.min_output_amount, fees=answered.fees, simulation=answered.simulation,
            price_impact=answered.price_impact, trust_assumptions=answered.trust_assumptions, parts=answered.parts,
        )  # fmt: skip
        self.most = most
        return (Plan("00000000-0000-4000-8000-000000000000", request, (step,), step.fees, (route.Order.CHEAPEST,)),)

    def known(self, request: PairRequest, /) -> IndicativePrice | None:
        return None

    async def price(self, request: PairRequest, /) -> IndicativePrice:
        if self.failure is not None:
            raise self.failure
        self.pairs.append(request)
        sold, bought = (
            _token(request.origin, request.origin_token),
            _token(request.destination, request.destination_token),
        )
        return IndicativePrice(request, sold, bought, 2_000_000, PairSource.POOLS, NOW)

    async def step(self, asked: StepRequest, /) -> route.RouteAnswer:
        self.steps.append(asked)
        return await self.quote(asked.request)

    def shown(self, record: tracking.TransactionRecord, /) -> tracking.TrackedTransaction:
        raise AssertionError("nothing here hands out events")

    def public(self, record: tracking.TransactionRecord, /) -> tracking.PublicRecord:
        raise AssertionError("nothing here hands out events")

    async def caller(self, key: str | None) -> ApiClient:
        if key is None:
            return ApiClient()
        if self.store_down:
            raise StoreUnavailable("The store does not answer")
        return self.key_owner if key == KEY else ApiClient(key_invalid=True)

    async def page(
        self, integrator: str, wanted: tracking.TransactionFilter, limit: int, cursor: str | None, /
    ) -> tracking.TransactionPage:
        self.pages.append((integrator, wanted, limit, cursor))
        if self.failure is not None:
            raise self.failure
        return tracking.TransactionPage((full_record(), bare_record()), None if cursor else "next-page")

    async def find(self, integrator: str, lookup_key: str, /) -> tracking.TrackedTransaction | None:
        self.found.append((integrator, lookup_key))
        return full_record() if lookup_key in (TX_ID, TX_HASH) else None

    async def seen(self, transaction_id: str, /) -> tracking.PublicRecord | None:
        if self.failure is not None:
            raise self.failure
        return public_record() if transaction_id.lower() == TX_ID.lower() else None

    async def of(self, request_id: str, integrator: str | None = None, /) -> tuple[KeptTrail, ...]:
        return tuple(each for each in self.kept if (each.request_id, each.integrator) == (request_id, integrator))

    async def by_day(self, wanted: ScorecardFilter, /) -> Scorecards:
        self.scored.append(wanted)
        if self.failure is not None:
            raise self.failure
        return Scorecards(self.cards, complete=not self.cards, read_at=NOW)

    async def ready(self) -> Mapping[str, str]:
        return self.dependencies


def services(
    api_service: ApiService, rpcs: Mapping[int, EvmRpc], brand: str = "Rhumbline", base_url: str = ""
) -> Services:
    chains = ChainCatalog((ETH, BASE, SOLANA))
    return Services(
        brand=brand,
        base_url=base_url or "http://127.0.0.1:8700",
        chains=chains,
        tokens=TokenCatalog(chains, TOKENS, token_readers(rpcs)),
        tools=ToolCatalog(TOOLS),
        quotes=api_service.quote,
        outputs=api_service.quote,
        planner=api_service.planner,
        pairs=api_service,
        accounts=api_service.caller,
        listing=api_service,
        prices=lambda chain_id, token: PRICES.get((chain_id, token)),
        ready=api_service.ready,
        followed=lambda: {"eth": FollowedChain("3f2a91c0", 20, 18, 1.5), "base": FollowedChain()},
        process="3f2a91c0",
        clock=lambda: NOW,
        limiter=Limiter(Tiers(Limit(10**6, 7200), Limit(10**6, 60)), LocalCounters(lambda: NOW)),
        admission=api_service.admission,
        trails=api_service.trails,
        kept_trails=api_service,
        scorecards=api_service,
        record_ranking=lambda: api_service.ranking,
    )


def _token(chain: Chain, address: str) -> Token:
    listed = {(token.chain_id, token.address): token for token in (*TOKENS, ETH.native, BASE.native, SOLANA.native)}
    return listed[chain.id, address]


def bare_answer(request: route.RouteRequest) -> route.RouteAnswer:
    """An answer with nothing optional in it."""
    origin, destination = (
        _token(request.origin, request.origin_token),
        _token(request.destination, request.destination_token),
    )
    transaction = (
        EvmTransaction(request.origin.id, DIAMOND, 0, b"\x12\x34")
        if request.origin.type is ChainType.EVM
        else SvmTransaction(request.origin.id, NATIVE_SVM, b"\x01" * 300, bytes(32), 418_958_566)
    )
    return route.RouteAnswer(
        request=request,
        origin_token=origin,
        destination_token=destination,
        adapter="ONCHAIN",
        output_amount=2_000_000,
        min_output_amount=1_990_000,
        transaction=transaction,
        transaction_id=TX_ID,
        charges=(),
        fees=route.FeeBreakdown((), 0, True),
        approval_address=None,
        gas=None,
        simulation=None,
    )


def full_answer(request: route.RouteRequest) -> route.RouteAnswer:
    """An answer with everything an EVM swap can have."""
    bare = bare_answer(request)
    run = SimulationResult(
        SimulationSource.RPC,
        ExecutionStatus.SUCCESS,
        OutputValidation.VERIFIED,
        12,
        1_999_753,
        Deviation.between(1_999_753, 2_000_000),
        140_000,
        "as expected",
    )
    return route.RouteAnswer(
        request=bare.request,
        origin_token=bare.origin_token,
        destination_token=bare.destination_token,
        adapter=bare.adapter,
        output_amount=bare.output_amount,
        min_output_amount=bare.min_output_amount,
        transaction=bare.transaction,
        transaction_id=TX_ID,
        charges=(Charge(FeeKind.INTEGRATOR, OTHER_WALLET, 10_001),),
        fees=route.FeeBreakdown(
            (
                FeeItem(FeeType.APP, 10_001, bare.origin_token, Decimal("1.0001")),
                FeeItem(FeeType.GAS, 7, ETH.native, Decimal("3000.5"), included=False),
            ),
            10_002,
            complete=True,
            unit_usd=Decimal("1.0001"),
        ),
        approval_address=DIAMOND,
        gas=EvmGasTerms(max_fee=2_000_000_000, max_priority_fee=1, limit=180_000),
        simulation=Simulation(run, 2_000_000, (run,)),
        seconds=42,
        warnings=(route.RouteWarning("INTEGRATOR_WALLET_NOT_CONFIGURED_FEE_SKIPPED", "Acme has no wallet there"),),
        prices=(PRICES[1, USDC], PRICES[1, USDT]),
        expires_at=int(NOW.timestamp()) + 1200,
        approvals=(EvmTransaction(1, USDC, 0, b"\x09\x5e"),),
        price_impact=Fraction(1234567, 10**9),
        trust_assumptions=("Somebody's word.",),
        parts=(
            route.RoutePart("ONCHAIN", bare.origin_token, Token(1, USDT, "USDT", 6, "Tether USD"), 1_000_000, 999_000),
            route.RoutePart(
                "ACROSS", Token(1, USDT, "USDT", 6, "Tether USD"), bare.destination_token, 998_000, 997_000
            ),
        ),
    )


def bare_record() -> tracking.TrackedTransaction:
    """A record of which as little as possible is known."""
    record = tracking.TransactionRecord(
        id="1-cd-1",
        transaction_id=None,
        origin_chain_id=1,
        origin_tx_hash=TX_HASH,
        origin_log_index=tracking.NO_EVENT,
        origin_block_number=10,
        origin_block_hash=TX_HASH,
        origin_time=NOW,
        sender=WALLET,
        receiver=None,
        integrator="Acme",
        protocol="GENERIC_SWAP",
        route_type=tracking.RouteType.UNKNOWN,
        has_destination_call=False,
        input=None,
        created_at=NOW,
        updated_at=NOW,
    )
    return tracking.TrackedTransaction(record, origin_network="eth", destination_network=None)


def public_record() -> tracking.PublicRecord:
    shown = full_record()
    full = shown.record
    return tracking.PublicRecord(
        id=full.id,
        transaction_id=TX_ID,
        origin_chain_id=full.origin_chain_id,
        origin_tx_hash=full.origin_tx_hash,
        origin_time=full.origin_time,
        destination_chain_id=full.destination_chain_id,
        destination_tx_hash=full.destination_tx_hash,
        destination_time=full.destination_time,
        protocol=full.protocol,
        route_type=full.route_type,
        status=full.status,
        substatus=full.substatus,
        status_source=full.status_source,
        bridge_scan_url=full.bridge_scan_url,
        updated_at=full.updated_at,
        input=shown.input,
        output=shown.output,
        output_raw=None if shown.output is None else shown.output.raw,
        origin_gas_fee=shown.origin_gas_fee,
        integrator_fee=shown.integrator_fee,
        service_fee=shown.service_fee,
    )


def full_record() -> tracking.TrackedTransaction:
    """A record of a swap with everything known."""
    amount = tracking.TokenAmount(1, USDC, "USDC", 6, 1_500_000, Decimal("1.50015"))
    record = replace(
        bare_record().record,
        id="1-cd-0",
        transaction_id=TX_ID,
        origin_log_index=0,
        origin_block_number=11,
        destination_chain_id=1,
        destination_tx_hash=TX_HASH,
        destination_time=NOW,
        receiver=OTHER_WALLET,
        route_type=tracking.RouteType.SWAP,
        status=tracking.TransferState.SUCCESS,
        substatus="done",
        status_source=tracking.StatusSource.ANALYTICS,
        last_receipt_checked_at=NOW,
    )
    return tracking.TrackedTransaction(
        record,
        origin_network="eth",
        destination_network="eth",
        input=amount,
        output=amount,
        origin_gas_fee=tracking.TokenAmount(1, NATIVE_EVM, "ETH", 18, 21_000),
        integrator_fee=amount,
        service_fee=amount,
    )
