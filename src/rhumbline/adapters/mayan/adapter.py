"""Quotes, transactions and status of Mayan, of one kind of transfer or of all."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from rhumbline.adapters.mayan.bytes32 import marker_of
from rhumbline.adapters.mayan.checking import native_fee, verify_call
from rhumbline.adapters.mayan.client import SDK_VERSION, ask_quotes, ask_swap, ask_transfer, quotes_query
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.deposit import deposit_of
from rhumbline.adapters.mayan.forwarder import PROTOCOLS, ROUTERS, Call, Swap, decode, encode
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.adapters.mayan.plan import Places, Plan, fees_of, kind_of, plan_of
from rhumbline.adapters.mayan.served_kinds import WALLETS_ONLY, carries, contracts_of, is_served, reaches
from rhumbline.adapters.mayan.svm.checking import verify_draft
from rhumbline.adapters.mayan.svm.draft import draft_of
from rhumbline.adapters.mayan.transfer_status import transfer_status
from rhumbline.adapters.mayan.wire import QuotesSaid, TransferSaid
from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.chain import NATIVE_EVM, ChainType
from rhumbline.domain.delegation import is_contract
from rhumbline.domain.errors import AdapterError, NodeUnavailable, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.expectations import expect_at_least
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.http.upstream import Upstream
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT
from rhumbline.gateways.upstreams.spec import AdapterContext

DIRECT_GAS, SWAP_GAS = 300_000, 550_000
"""Rough estimates of the Forwarder's calls, without and with a swap on the origin."""
SOLANA_UNITS = 80_000
"""What an order takes of Solana's compute budget: 61,000 in a transaction of SWIFT (slot 449137703)."""


@dataclass(frozen=True, slots=True)
class MayanAdapter:
    """A ``Bridge``. ``kinds`` are those that are asked for; ``random`` makes that many bytes, for an order's ID."""

    info: AdapterInfo
    context: AdapterContext[Deployment]
    explorer: Upstream
    kinds: tuple[Kind, ...]
    version: str = SDK_VERSION
    random: Callable[[int], bytes] = secrets.token_bytes

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept what one of the kinds may carry from an EVM chain to another chain, whoever calls."""
        return bool(self._kinds(request))

    async def quote(self, request: QuoteRequest, /) -> Quote[Plan]:
        """Ask for quotes and keep the one with the largest expected output; raise an AdapterError when there is none.

        ``min_output_amount`` is what the finished calldata guarantees. A WORMHOLE or MCTP transfer to a contract is
        refused where a node of ours shows one.
        """
        here, there = self._places(request)
        # All adapters of Mayan's ask for all kinds that go there: they share one question and its answer.
        every = [kind for kind in Kind if reaches(kind, here, there) and carries(kind, request, here)]
        query = quotes_query(request, every, (here, there), self.version)
        http = self.context.http
        question = (http.url, *http.query.items(), *query)
        with self.context.joined.join(question, partial(ask_quotes, http, request, query, self.version)) as answering:
            kinds, unseen = await self._open(request)
            answer: QuotesSaid = await answering
        places = Places(here, there, int(self.context.clock().timestamp()), self.random)
        try:
            plan = _best(answer, kinds, request, places)
        except NoRoute as none:
            # A kind that was left out for want of a node may have had one.
            raise unseen or none from None
        return Quote(
            self.info.key,
            request,
            plan.output,
            plan,
            min_output_amount=plan.order.guaranteed,
            native_fee=native_fee(plan.order, request),
            fees=fees_of(plan, request, here),
            seconds=plan.seconds,
            gas_units=_units(plan.order),
        )

    async def build(self, quote: Quote[Plan], /) -> EvmTransaction | SvmDraft:
        """Make the Forwarder's call, with a swap on the origin where the order needs one; raise an AdapterError.

        On Solana the calls that pay into the order's own account and start it. What was made is read back and compared
        with the request before it is handed out.
        """
        request, order = quote.request, quote.payload.order
        here, _ = self._places(request)
        if quote.min_output_amount is None or quote.min_output_amount <= 0:
            raise RequestRejected("min_output_amount: a positive minimum must be set first")
        expect_at_least("guaranteed output", order.guaranteed, quote.min_output_amount)
        if order.ledger is not None:
            draft = draft_of(order, order.ledger, request.sender, here, request.origin.id)
            verify_draft(draft, order, request, here)
            return draft
        await self._allow(request, PROTOCOLS, order.contract, contracts_of(order.kind, here))
        swap = None
        if order.swaps:
            slippage = quote.payload.slippage_bps
            said = await ask_swap(self.context.http, request, order, here, slippage, self.version)
            await self._allow(request, ROUTERS, said.swap_router_address, here.routers)
            swap = Swap(said.swap_router_address, said.swap_router_calldata, order.input_token, order.min_middle)
        token = marker_of(request.origin_token.address, request.origin.type)
        call = Call(token, order.amount, order.contract, order.data, order.message_fee, swap)
        data, native = encode(call), request.origin_token.address == NATIVE_EVM
        verify_call(data, call.value, order, request)
        return EvmTransaction(
            request.origin.id,
            here.forwarder,
            call.value,
            data,
            None if native else here.forwarder,
            reference=order.reference,
            expires_at=order.deadline,
            input_taken=order.amount if order.amount != request.amount else None,
            deposit=deposit_of(order, call, here, request.origin),
        )

    def bind(self, transaction: EvmTransaction, quote: Quote[Plan], least: int, /) -> EvmTransaction:
        """Return the same transaction, whose swap on the origin must bring ``least``; see ``Binder``.

        The Forwarder itself reverts with less. Raise UpstreamFailed where nothing is swapped and that is less.
        """
        deposit = transaction.deposit
        if deposit is None:
            raise UpstreamFailed("answered nothing that could be bound")
        if least <= deposit.least:
            return transaction
        call = decode(transaction.data, transaction.value)
        if call.swap is None or least > LARGEST_AMOUNT:
            raise UpstreamFailed("hands on less than must be handed on")
        data = encode(replace(call, swap=replace(call.swap, minimum=least)))
        verify_call(data, transaction.value, quote.payload.order, quote.request)
        return replace(transaction, data=data, deposit=replace(deposit, least=least))

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask the explorer, by the order's hash where there is one, else by the origin's transaction."""
        names = [transfer.tx_hash] if transfer.reference is None else [transfer.reference, transfer.tx_hash]
        for name in names:
            said = await ask_transfer(self.explorer, name)
            if said is not None:
                here, there = (
                    self.context.deployments.get(chain)
                    for chain in (transfer.origin_chain_id, transfer.destination_chain_id)
                )
                destination = self.context.chains.get(transfer.destination_chain_id)
                status = transfer_status(said, transfer, here, there, destination)
                return replace(status, names=_names(said, transfer, name))
        return TransferStatus(TransferState.UNKNOWN, StatusSource.BRIDGE_API)

    def _kinds(self, request: QuoteRequest) -> tuple[Kind, ...]:
        here, there = (self.context.deployments.get(chain.id) for chain in (request.origin, request.destination))
        if here is None or there is None or not is_served(request):
            return ()
        return tuple(kind for kind in self.kinds if reaches(kind, here, there) and carries(kind, request, here))

    def _places(self, request: QuoteRequest) -> tuple[Deployment, Deployment]:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id], self.context.deployments[request.destination.id]

    async def _open(self, request: QuoteRequest) -> tuple[tuple[Kind, ...], UpstreamFailed | None]:
        """Return the kinds that may pay this receiver, and why others were left out that might pay it as well.

        Raise NoRoute for none, UpstreamFailed if no node tells.
        """
        kinds = self._kinds(request)
        rpc = self.context.rpcs.get(request.destination.id)
        if rpc is None or request.destination.type is not ChainType.EVM or not WALLETS_ONLY.intersection(kinds):
            return kinds, None
        others = tuple(kind for kind in kinds if kind not in WALLETS_ONLY)
        try:
            code = await rpc.code(request.receiver)
        except (RpcError, NodeUnavailable) as error:
            reason = f"cannot tell whether the receiver is a contract: {rpc.name}'s node does not answer"
            unseen = UpstreamFailed(reason)
            if others:
                return others, unseen
            raise unseen from error
        if not is_contract(code):
            return kinds, None
        if not others:
            raise NoRoute("this kind of transfer cannot pay a contract, and the receiver is one")
        return others, None

    async def _allow(self, request: QuoteRequest, question: Function, contract: str, pinned: tuple[str, ...]) -> None:
        """Raise UpstreamFailed unless a contract is pinned, or on the Forwarder's own list, which it enforces."""
        if contract.lower() in {each.lower() for each in pinned}:
            return
        rpc = self.context.rpcs.get(request.origin.id)
        if rpc is None:
            raise UpstreamFailed("answered with a contract that is not among those known")
        forwarder = self.context.deployments[request.origin.id].forwarder
        try:
            listed = await rpc.eth_call(forwarder, question.encode(contract))
        except (RpcError, NodeUnavailable) as error:
            raise UpstreamFailed("cannot tell whether a contract is Mayan's: the Forwarder does not answer") from error
        if listed != (1).to_bytes(32):
            raise UpstreamFailed("answered with a contract that is not among those known")


def _units(order: Order) -> int:
    if order.ledger is not None:
        return SOLANA_UNITS
    return SWAP_GAS if order.swaps else DIRECT_GAS


def _names(said: TransferSaid, transfer: Transfer, asked_by: str) -> tuple[str, ...]:
    """Return what names the one transfer that was told of: its order's hash, else its transaction and what was asked.

    A transaction may have started several, of which the explorer tells one.
    """
    if said.order_hash:
        return (said.order_hash,)
    started = f"{transfer.origin_chain_id}:{transfer.tx_hash}"
    return (started,) if asked_by == transfer.tx_hash else (started, asked_by)


def _best(answer: QuotesSaid, kinds: tuple[Kind, ...], request: QuoteRequest, places: Places) -> Plan:
    """Return the plan with the largest output; one sound quote is enough, and without any the first fault counts."""
    plans, faults = [], list[AdapterError]()
    for document in answer.quotes:
        kind = kind_of(document)
        if kind is None or kind not in kinds:
            continue
        try:
            plans.append(plan_of(kind, document, request, places))
        except (UpstreamFailed, NoRoute) as fault:
            faults.append(fault)
    if not plans:
        raise faults[0] if faults else NoRoute("no route between the two tokens for this amount")
    return max(plans, key=lambda plan: (plan.output, plan.order.guaranteed))
