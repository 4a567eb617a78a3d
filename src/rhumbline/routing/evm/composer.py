"""The composer for EVM chains: a call to the service's contracts, or the wallet's own call, with its approvals."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from rhumbline.domain.adapter import Adapter, Binder
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import AdapterError, InvalidRequest, NodeUnavailable, RhumblineError, UpstreamFailed
from rhumbline.domain.gas import NetworkPrice
from rhumbline.domain.permit import Permit
from rhumbline.domain.quote import QuoteRequest, Refusal
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import CallKind, EvmTransaction, UpstreamTransaction
from rhumbline.domain.unowned_addresses import is_unowned
from rhumbline.gateways.chain_types.bytes32 import address_word
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.evm.call_targets import call_objection
from rhumbline.routing.evm.composed import composed_asks
from rhumbline.routing.evm.contract_checks import ContractChecks
from rhumbline.routing.evm.destination_swap import DestinationChecks
from rhumbline.routing.evm.permits import PermitOffers
from rhumbline.routing.evm.router_call import name_word
from rhumbline.routing.evm.verification import CallMismatch
from rhumbline.routing.evm.wallet_transaction import finished
from rhumbline.routing.fees import FeeTerms, Intake, divide, fee_skipped
from rhumbline.routing.offer import BuiltQuote, Offer
from rhumbline.routing.quote_context import Form, QuoteContext, TokenPair, pays_nobody, sends_nobody, wallets_own
from rhumbline.routing.refusals import REFUSED
from rhumbline.routing.selection import Ask
from rhumbline.routing.shapes import Listed
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rehearsal import Rehearsal

LEAST_TIME_S = 15
"""A transaction that expires sooner is useless: one block of the slowest chain takes nearly as long."""
_REFERENCE = re.compile(r"[0-9A-Za-z._:+/=-]{1,200}", re.ASCII)


@dataclass(frozen=True, slots=True)
class EvmComposer:
    """Composes for every EVM chain. ``id_keys`` sign transaction IDs, newest first; ``gas`` is read by chain ID.

    ``checks`` verifies the contracts on chain, None if they are known; ``rehearsals``, by chain ID, simulate
    destination calls. ``patience_s`` bounds the wait for a gas price. ``permits`` offers signatures in place of
    approvals, None for none.
    """

    id_keys: tuple[bytes, ...]
    gas: Mapping[int, GasReader] = field(default_factory=dict)
    checks: ContractChecks | None = None
    patience_s: float = 1.2
    clock: Clock = system_clock
    rehearsals: Mapping[int, Rehearsal] = field(default_factory=dict)
    permits: PermitOffers | None = None

    async def settle(self, request: RouteRequest, pair: TokenPair, terms: FeeTerms, deadline: int) -> tuple[Form, ...]:
        """Return the forms in which to ask, as ``forms`` does."""
        return forms(request, pair, terms, deadline)

    async def objection(self, request: RouteRequest) -> RhumblineError | None:
        call, there = request.destination_call, request.destination
        found = None if self.checks is None else await self.checks.objection(request)
        if found is not None or call is None:
            return found
        return await call_objection(there, call, self.rehearsals.get(there.id))

    def composed(
        self, context: QuoteContext, adapters: Sequence[Adapter[Any]], listed: Listed, notes: CallNotes
    ) -> tuple[Ask, ...]:
        """Return the requests for a swap and a bridge in one transaction, as ``composed_asks`` does."""
        return composed_asks(context, adapters, listed, notes, DestinationChecks(self.checks, self.rehearsals))

    async def price(self, chain: Chain) -> NetworkPrice | None:
        reader = self.gas.get(chain.id)
        if reader is None:
            return None
        try:
            async with asyncio.timeout(self.patience_s):
                return await reader.read()
        except (TimeoutError, RpcError, NodeUnavailable) as error:
            structlog.get_logger().warning("gas_price_unknown", chain_id=chain.id, reason=str(error))
            return None

    async def finish(self, context: QuoteContext, offer: Offer, upstream: UpstreamTransaction) -> BuiltQuote | Refusal:
        """Return our transaction with the upstream's in it and the quote's minimum; or why there is none."""
        quote = offer.quote
        try:
            if not isinstance(upstream, EvmTransaction):
                raise UpstreamFailed("the transaction is for another type of chain")
            self._check(quote.request, upstream)
            return finished(context, offer, upstream, self.id_keys[0])
        except AdapterError as error:
            return Refusal(quote.adapter, error.kind, error.reason)
        except CallMismatch as error:
            structlog.get_logger().error("call_mismatch", adapter=quote.adapter, reason=str(error))
            return Refusal(quote.adapter, REFUSED, "the finished transaction does not match the request")

    def limited(self, built: BuiltQuote, simulation: Simulation | None) -> BuiltQuote:
        """Return it as it is: a wallet sets its gas limit itself."""
        return built

    def fit(self, built: BuiltQuote, simulation: Simulation | None) -> BuiltQuote:
        """Return it with the approvals that it needs; the gas limit is answered beside the transaction."""
        return with_approvals(built, reset=simulation is not None and simulation.reset)

    async def permit(self, context: QuoteContext, built: BuiltQuote) -> Permit | None:
        """Return the permit that its caller asked for, for a call to the Diamond with a token."""
        is_ours = built.offer.form.terms is not None and built.approval_address is not None
        if self.permits is None or not is_ours or context.shown_only or is_unowned(context.request.sender):
            return None
        return await self.permits.offer(built)

    async def bind(
        self, context: QuoteContext, built: BuiltQuote, adapter: Binder[Any], least: int
    ) -> BuiltQuote | Refusal:
        """Return the same, which reverts unless the bridge takes ``least`` (raw units of what its deposit names)."""
        quote, upstream = built.offer.quote, built.upstream
        try:
            if not isinstance(upstream, EvmTransaction):
                raise UpstreamFailed("the transaction is for another type of chain")
            bound = adapter.bind(upstream, quote, least)
        except AdapterError as error:
            return Refusal(quote.adapter, error.kind, error.reason)
        if bound.deposit is None or bound.deposit.least < least:
            return Refusal(quote.adapter, REFUSED, "its transaction does not enforce the simulated output of its swap")
        return await self.finish(context, built.offer, bound)

    def _check(self, quote_request: QuoteRequest, upstream: EvmTransaction) -> None:
        """Refuse a transaction that expires too soon, and an invalid ID of the transfer."""
        if upstream.expires_at is not None and upstream.expires_at < self.clock().timestamp() + LEAST_TIME_S:
            raise UpstreamFailed("answered with a transaction that expires before it could be sent")
        if upstream.reference is not None and not _REFERENCE.fullmatch(upstream.reference):
            raise UpstreamFailed("answered with an invalid ID of the transfer")
        if quote_request.origin.id == quote_request.destination.id:
            return
        if upstream.kind not in (CallKind.CALL, CallKind.PAY):
            raise UpstreamFailed("the transaction gives nothing to a bridge")
        if upstream.deposit is None:
            raise UpstreamFailed("the transaction does not say how to see that its bridge took the deposit")


RESET_FIRST = frozenset({"USDT", "KNC"})
"""Listed tokens whose ``approve`` reverts while another allowance stands (github.com/d-xo/weird-erc20, "Approval Race
Protections", read 2026-11)."""


def with_approvals(built: BuiltQuote, *, reset: bool) -> BuiltQuote:
    """Return the same with the exact approvals that its transaction needs; none for the native asset.

    An approval of 0 goes first where the token may need it, and where the run was seen to (``reset``).
    """
    spender, offer = built.approval_address, built.offer
    if spender is None:
        return built
    token, intake = offer.quote.request.origin_token, offer.form.intake
    taken = built.upstream.input_taken if offer.form.terms is None else None
    amount = intake.net + sum(charge.amount for charge in intake.charges) if taken is None else taken
    amounts = (0, amount) if reset or _resets(token) else (amount,)
    return replace(built, approvals=tuple(_approval(token, spender, each) for each in amounts))


def _resets(token: Token) -> bool:
    """Return whether an allowance must be 0 before it is set; for an unlisted token it is assumed."""
    return not token.listed or token.symbol.upper() in RESET_FIRST


def _approval(token: Token, spender: str, amount: int) -> EvmTransaction:
    data = encode_call("approve(address,uint256)", ["address", "uint256"], [spender, amount])
    return EvmTransaction(token.chain_id, token.address, 0, data)


def forms(request: RouteRequest, pair: TokenPair, terms: FeeTerms, deadline: int) -> tuple[Form, ...]:
    """Return the ways to ask, the better one first; ``deadline`` in Unix seconds.

    First a transaction that the service's contracts make, net of fees, where the chain has them. Then the upstream's
    own, made by the wallet (the direct form), but not where that would give away protection: on one chain the contracts
    hold the minimum. Raise InvalidRequest for fees beyond the bounds, and for a receiver that would lose the output.
    """
    chain = request.origin
    crossing = chain.id != request.destination.id
    ours, tokens = (chain.diamond, chain.executor), (pair.origin.address, pair.destination.address)
    refused = frozenset(address for address in (*ours, chain.receiver, *tokens) if address is not None)
    terms = replace(terms, refused=refused | {NATIVE_EVM})
    there = request.destination
    theirs = frozenset(each for each in (there.diamond, there.executor, there.receiver) if each is not None)
    _check_receiver(request, (refused | theirs) - {NATIVE_EVM})
    name_word(terms.name or "", "integrator")
    # The service's contracts refuse to pay a placeholder that they know, a bridge's own transaction would.
    lost = pays_nobody(request) and not sends_nobody(request)
    if lost and (None in ours or not is_unowned(address_word(request.destination, request.receiver).hex())):
        raise InvalidRequest(["receiverAddress: must be a wallet that somebody can sign for"])
    plain = wallets_own(request, pair, deadline)
    if chain.diamond is None or chain.executor is None:
        return (Form(plain, _untouched(request), None),)
    intake = divide(request.amount, chain, terms)
    recipient = request.receiver if crossing else chain.executor
    routed = Form(replace(plain, amount=intake.net, taker=chain.executor, payout_address=recipient), intake, terms)
    if lost or not crossing:
        return (routed,)
    return routed, Form(plain, _untouched(request), None, forgoes_fee=bool(intake.charges))


def _check_receiver(request: RouteRequest, refused: frozenset[str]) -> None:
    """Refuse receivers that would lose the output; as the sender's own they are placeholders, and harmless."""
    if request.receiver == request.sender or request.destination.type is not ChainType.EVM:
        return
    if request.receiver in refused:
        raise InvalidRequest(["receiverAddress: must be a wallet, not a token of the route or the service's contract"])


def _untouched(request: RouteRequest) -> Intake:
    """Take no fees: in the direct form no contract can take them."""
    if not request.fee_share:
        return Intake(request.amount)
    return Intake(request.amount, warnings=(fee_skipped("this route does not go through the service's contract"),))
