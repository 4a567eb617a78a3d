"""The composer for Solana: one transaction that the wallet signs."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import structlog

from rhumbline.domain.adapter import Adapter, Binder
from rhumbline.domain.chain import NATIVE_SVM, Chain
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import (
    AdapterError,
    AdaptersFailed,
    NodeRefused,
    NodeUnavailable,
    NoRoute,
    RhumblineError,
    UpstreamFailed,
)
from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.permit import Permit
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import RouteRequest, RouteWarning
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.domain.solana_terms import NOTHING_CHOSEN, SolanaTerms
from rhumbline.domain.svm import SvmDraft, SvmSealed
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.nodes.endpoints import SetAside
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from rhumbline.gateways.nodes.svm.answers import Blockhash, Epoch
from rhumbline.gateways.nodes.svm.block_pace import LIFE_BLOCKS
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.account import NoLookupTable
from rhumbline.gateways.svm.decompiler import blockhash_of, lookup_tables_of
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fees import FeeTerms
from rhumbline.routing.offer import BuiltQuote, Offer, expect_native_there
from rhumbline.routing.quote_context import Form, QuoteContext, TokenPair
from rhumbline.routing.refusals import REFUSED
from rhumbline.routing.selection import Ask
from rhumbline.routing.shapes import Listed
from rhumbline.routing.svm.assertions import Before, touched, written_by
from rhumbline.routing.svm.chain_facts import ChainFacts
from rhumbline.routing.svm.forms import INSUFFICIENT, settled
from rhumbline.routing.svm.network_price import SvmNetworkPrice, UnitPrices, recently_paid, unit_price
from rhumbline.routing.svm.wallet_transaction import LEAST_TIME_S, drafted, limited, passed_through

NOT_SIMULATED = "SOLANA_SIMULATION_FAILED"
_MOST_LOCKED = 128
"""For how many accounts a node returns priority fees."""
_UNTRIED_UNITS = 600_000
_OUR_UNITS = 40_000
"""The most units for fees, tracking, budget and assertions, beside the upstream's own estimate."""
_UNIT_PRICES = UnitPrices()
_UNTOLD = (ExecutionStatus.ERROR, ExecutionStatus.TIMEOUT, ExecutionStatus.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class SvmComposer:
    """Composes for every Solana chain that is served. ``id_keys`` sign transaction IDs, newest first.

    ``patience_s`` bounds the wait for a node beside the adapters.
    """

    id_keys: tuple[bytes, ...]
    rpcs: Mapping[int, SvmRpc]
    patience_s: float = 1.2
    unit_prices: UnitPrices = _UNIT_PRICES
    clock: Clock = system_clock

    async def settle(self, request: RouteRequest, pair: TokenPair, terms: FeeTerms, deadline: int) -> tuple[Form, ...]:
        """Return the one way to ask; raise InvalidRequest for what cannot be, AdaptersFailed without a node."""
        try:
            async with asyncio.timeout(self.patience_s):
                return (await settled(self.rpcs[request.origin.id], request, pair, terms, deadline),)
        except (NodeOnOtherChain, SetAside) as error:
            found = f"is on {error.found}, which is another chain" if isinstance(error, NodeOnOtherChain) else error.why
            words = f"The service's node for {request.origin.name} {found}: its operator must correct chains.rpc"
            raise AdaptersFailed(words) from error
        except (TimeoutError, NodeRefused, NodeUnavailable) as error:
            name = request.origin.name
            raise AdaptersFailed(f"{name}'s node does not answer, so accounts cannot be read; try again") from error

    async def objection(self, request: RouteRequest) -> RhumblineError | None:
        """Do nothing: no contract of ours is needed here."""
        return None

    def composed(
        self, context: QuoteContext, adapters: Sequence[Adapter[Any]], listed: Listed, notes: CallNotes
    ) -> tuple[Ask, ...]:
        """Return nothing: a transaction of Solana is too small for a swap and a bridge of two upstreams."""
        return ()

    async def price(self, chain: Chain) -> NetworkPrice | None:
        try:
            async with asyncio.timeout(self.patience_s):
                return SvmNetworkPrice(self.unit_prices.chosen(await recently_paid(self.rpcs[chain.id])))
        except (TimeoutError, NodeRefused, NodeUnavailable) as error:
            structlog.get_logger().warning("gas_price_unknown", chain_id=chain.id, reason=str(error))
            return None

    async def finish(self, context: QuoteContext, offer: Offer, upstream: UpstreamTransaction) -> BuiltQuote | Refusal:
        """Return our transaction made of the upstream's, with the quote's minimum; or why there is none."""
        quote = offer.quote
        try:
            async with asyncio.timeout(self.patience_s):
                return await self._finished(context, offer, upstream)
        except AdapterError as error:
            return Refusal(quote.adapter, error.kind, error.reason)
        except ValueError as error:
            return Refusal(quote.adapter, UpstreamFailed.kind, f"answered with something unreadable: {error}")
        except (TimeoutError, NodeRefused, NodeUnavailable) as error:
            name, why = context.request.origin.name, str(error) or "no answer in time"
            reason = f"its transaction could not be finished: {name}'s node does not answer ({why})"
            return Refusal(quote.adapter, UpstreamFailed.kind, reason, ours=True)

    def limited(self, built: BuiltQuote, simulation: Simulation | None) -> BuiltQuote:
        """Return it with the simulated units plus a fifth as limit; a message signed by others does not change."""
        result = None if simulation is None else simulation.result
        used = None if result is None or result.status is not ExecutionStatus.SUCCESS else result.gas_used
        stated = getattr(built.upstream, "compute_limit", None)
        untried = _UNTRIED_UNITS if stated is None else stated + _OUR_UNITS
        return limited(built, untried if used is None else used + used // 5)

    def fit(self, built: BuiltQuote, simulation: Simulation | None) -> BuiltQuote:
        """Return it with the contract's remarks about its run."""
        if simulation is None:
            return built
        result = simulation.result
        warnings: list[RouteWarning] = []
        if simulation.wallet_fault:
            words = f"The wallet cannot execute this now: {result.reason or 'its balance does not suffice'}"
            warnings = [RouteWarning(INSUFFICIENT, words)]
        elif result.status in _UNTOLD:
            warnings = [
                RouteWarning(NOT_SIMULATED, f"The transaction was not simulated: {result.reason or 'no answer'}")
            ]
        return replace(built, warnings=(*built.warnings, *warnings))

    async def permit(self, context: QuoteContext, built: BuiltQuote) -> Permit | None:
        """Return none: on Solana nothing is approved before a transaction."""
        return None

    async def bind(
        self, context: QuoteContext, built: BuiltQuote, adapter: Binder[Any], least: int
    ) -> BuiltQuote | Refusal:
        """Refuse: on Solana a deposit's amount is in its instruction, and nothing needs to be bound."""
        return Refusal(
            built.offer.quote.adapter, REFUSED, "swaps before its bridge, and nothing enforces the bridge's amount"
        )

    async def _finished(
        self, context: QuoteContext, offer: Offer, upstream: UpstreamTransaction
    ) -> BuiltQuote | Refusal:
        if not isinstance(upstream, SvmDraft | SvmSealed) or upstream.chain_id != context.request.origin.id:
            raise UpstreamFailed("the transaction is for another chain")
        now = int(self.clock().timestamp())
        if upstream.expires_at is not None and upstream.expires_at < now + LEAST_TIME_S:
            raise UpstreamFailed("answered with a transaction that expires before it could be sent")
        if context.crossing and upstream.deposit is None:
            raise UpstreamFailed("the transaction does not say how to see that its bridge took the deposit")
        if context.request.destination_gas:
            expect_native_there(offer.quote, context.request.destination_gas)
        facts = await self._facts(offer, upstream, now, context.request.solana or NOTHING_CHOSEN)
        if isinstance(upstream, SvmSealed):
            return passed_through(context, offer, upstream, facts, self.id_keys[0])
        return drafted(context, offer, upstream, facts, self.id_keys[0])

    async def _facts(self, offer: Offer, upstream: SvmDraft | SvmSealed, now: int, terms: SolanaTerms) -> ChainFacts:
        """Read the chain data for a transaction, all at once."""
        rpc, quote_request = self.rpcs[upstream.chain_id], offer.quote.request
        state, locked = SharedState(rpc), list[str]()
        seen: tuple[str, ...] = (quote_request.sender,)
        if isinstance(upstream, SvmDraft):
            tables = upstream.tables
            locked = written_by(quote_request.sender, upstream)
            seen = touched(quote_request, locked, offer.form.intake.charges)
        else:
            tables = lookup_tables_of(upstream.message)
        tokens = [
            quote_request.origin_token,
            *([quote_request.destination_token] if quote_request.destination == quote_request.origin else []),
        ]
        here = [token.address for token in tokens if token.address != NATIVE_SVM]
        try:
            (blockhash, epoch), found, paid, seen_valid, rent = await asyncio.gather(
                _present(state),
                state.seen([*seen, *here, *tables]),
                recently_paid(rpc, locked[:_MOST_LOCKED]),
                _valid_in(rpc, upstream),
                state.rent(),
            )
            known, mints = found.tables(tables), found.mints(here)
        except NoLookupTable as error:
            raise UpstreamFailed(f"answered with a lookup table that is none: {error}") from None
        mint = mints.get(quote_request.origin_token.address)
        if mint is None and quote_request.origin_token.address != NATIVE_SVM:
            raise NoRoute("has a route through a token that does not exist")
        ahead = min(max(0, seen_valid - blockhash.slot), LIFE_BLOCKS)
        programs = {address: each.program for address, each in mints.items() if each is not None}
        before = Before(found.accounts, rent, programs)
        price = unit_price(self.unit_prices, paid, terms.priority)
        return ChainFacts(blockhash, rpc.pace.block_s, known, mint, epoch.number, price, now, before, ahead, terms)


async def _present(state: SharedState) -> tuple[Blockhash, Epoch]:
    """Return a blockhash and its epoch; raise NodeUnavailable if the node's heights contradict each other."""
    blockhash, epoch = await asyncio.gather(state.blockhash(), state.epoch())
    if not epoch.has(blockhash.slot):
        state.forget_epoch()
        epoch = await state.epoch()
    blocks, slots = blockhash.height - epoch.block_height, max(0, blockhash.slot - epoch.slot)
    # Every block has a slot of its own.
    if blockhash.height > blockhash.slot or not -LIFE_BLOCKS <= blocks <= slots + LIFE_BLOCKS:
        state.forget_epoch()
        raise NodeUnavailable(f"{state.rpc.name}: the node's answers about its height contradict each other")
    return blockhash, epoch


async def _valid_in(rpc: SvmRpc, upstream: SvmDraft | SvmSealed) -> int:
    """Return the newest slot in which a sealed message's blockhash is valid; a draft has none yet."""
    if isinstance(upstream, SvmDraft):
        return 0
    slot = await rpc.slot_of_validity(blockhash_of(upstream.message))
    if slot is None:
        raise UpstreamFailed("answered with a transaction whose blockhash is unknown or expired")
    return slot
