"""The adapter of Mayan, for one kind of transfer or for all: quotes, transactions and status."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rhumbline.adapters.mayan.checking import native_fee
from rhumbline.adapters.mayan.client import SDK_VERSION, ask_quotes, ask_transfer, quotes_query
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.gas_drop import brought
from rhumbline.adapters.mayan.kinds.order import Kind, Places
from rhumbline.adapters.mayan.plan import Plan, best_plan, fees_of
from rhumbline.adapters.mayan.served_kinds import is_served, kinds_for, kinds_that_pay
from rhumbline.adapters.mayan.svm.checking import verify_draft
from rhumbline.adapters.mayan.svm.draft import draft_of
from rhumbline.adapters.mayan.transaction import bound, forwarder_call
from rhumbline.adapters.mayan.transfer_status import drops, names_of, transfer_status
from rhumbline.adapters.mayan.wire import QuotesReply
from rhumbline.domain.adapter import AdapterInfo
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.expectations import expect_at_least
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import NOT_KNOWN, Transfer, TransferStatus
from rhumbline.gateways.nodes.evm.native_gain import native_gain
from rhumbline.gateways.upstreams.spec import AdapterContext, UpstreamAdapter


class MayanAdapter(UpstreamAdapter[Deployment]):
    """A ``Bridge``. ``kinds`` are the kinds it requests; ``random`` returns so many bytes, for an order's ID."""

    def __init__(
        self,
        context: AdapterContext[Deployment],
        info: AdapterInfo,
        kinds: tuple[Kind, ...],
        version: str = SDK_VERSION,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        super().__init__(context, info)
        self.kinds = kinds
        self.version = version
        self.random = random

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept what one of the kinds may move from an EVM chain to another chain, for any caller."""
        places = self.known_deployments(request)
        return places is not None and is_served(request) and bool(kinds_for(self.kinds, request, places))

    async def quote(self, request: QuoteRequest, /) -> Quote[Plan]:
        """Ask for quotes and keep the one with the largest expected output; raise an AdapterError when there is none.

        ``min_output_amount`` is what the finished calldata guarantees. A WORMHOLE or MCTP transfer to a contract is
        refused where a node of ours shows one.
        """
        here, there = self.both_deployments(request)
        # All adapters of Mayan's ask for all kinds that go there: they share one question and its answer.
        query = quotes_query(request, kinds_for(Kind, request, (here, there)), (here, there), self.version)
        http = self.context.http
        question = (http.url, *http.query.items(), *query)
        with self.context.joined.join(question, partial(ask_quotes, http, request, query, self.version)) as answering:
            own_kinds = kinds_for(self.kinds, request, (here, there))
            kinds, unseen = await kinds_that_pay(own_kinds, request, self.context.rpcs.get(request.destination.id))
            answer: QuotesReply = await answering
        places = Places(here, there, int(self.context.clock().timestamp()), self.random)
        try:
            plan = best_plan(answer, kinds, request, places)
        except NoRoute as none:
            # A kind that was left out for want of a node may have had one.
            raise unseen or none from None
        gas, items = brought(request, there)
        return Quote(
            self.info.key,
            request,
            plan.output,
            plan,
            min_output_amount=plan.order.guaranteed,
            native_fee=native_fee(plan.order, request),
            fees=(*fees_of(plan, request, here), *items),
            seconds=plan.seconds,
            gas_units=plan.order.gas_units,
            gas_on_arrival=gas,
        )

    async def build(self, quote: Quote[Plan], /) -> EvmTransaction | SvmDraft:
        """Make the Forwarder's call, with a swap on the origin if the order needs one; raise an AdapterError.

        On Solana: the instructions that pay into the order's own account and start it. The result is decoded and
        compared with the request before it is returned.
        """
        request, order, here = quote.request, quote.payload.order, self.context.deployments[quote.request.origin.id]
        expect_at_least("guaranteed output", order.guaranteed, quote.min_output_amount or 0)
        quote.required_minimum()
        if order.ledger is None:
            return await forwarder_call(self.context, request, quote.payload, self.version)
        draft = draft_of(order, order.ledger, request.sender, here, request.origin.id)
        verify_draft(draft, order, request, here)
        return draft

    def bind(self, transaction: EvmTransaction, quote: Quote[Plan], least: int, /) -> EvmTransaction:
        """Return the same transaction, whose swap on the origin must bring ``least``; see ``Binder``."""
        return bound(transaction, quote, least)

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Ask the explorer, by the order's hash if there is one, otherwise by the origin's transaction."""
        names = [transfer.tx_hash] if transfer.reference is None else [transfer.reference, transfer.tx_hash]
        ids = transfer.origin_chain_id, transfer.destination_chain_id
        here, there = (self.context.deployments.get(chain) for chain in ids)
        for name in names:
            reply = await ask_transfer(self.context.more["explorer"], name)
            if reply is not None:
                status = transfer_status(reply, transfer, here, there, self.context.chains.get(ids[1]))
                status = replace(status, names=names_of(reply, transfer, name))
                return await self._with_gas(status, transfer) if drops(reply) else status
        return NOT_KNOWN

    async def _with_gas(self, status: TransferStatus, transfer: Transfer) -> TransferStatus:
        """Return the status with the native that a node of the destination shows to have arrived with the output."""
        rpc, tx_hash = self.context.rpcs.get(transfer.destination_chain_id), status.destination_tx_hash
        if status.state is not TransferState.SUCCESS or rpc is None or tx_hash is None:
            return status
        gained = await native_gain(rpc, transfer.receiver, tx_hash)
        return status if gained is None else replace(status, raw={**status.raw, "destinationGas": str(gained)})
