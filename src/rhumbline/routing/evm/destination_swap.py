"""A swap on arrival, which the service's Receiver makes with the bridged tokens.

The bridge is first asked with a message of the true size and gas, before its output is known; then the exchange is
asked for exactly that output. So the swap's calldata spends what arrives, and relayers priced the work they will do.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, SwapAfter
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.evm.contract_checks import ContractChecks
from rhumbline.routing.evm.destination_message import LONGEST_MESSAGE, message_of, with_room
from rhumbline.routing.fan_out import guarded
from rhumbline.routing.quote_context import QuoteContext, pays_nobody
from rhumbline.routing.selection import select
from rhumbline.routing.shapes import Listed
from rhumbline.routing.slippage import least_output
from rhumbline.simulation.evm.rehearsal import Rehearsal, Rehearsed


def own_exchange(adapters: Sequence[Adapter[Any]], request: QuoteRequest, context: QuoteContext) -> Adapter[Any] | None:
    """Return the exchange for a swap inside one of the context's transactions, None without one."""
    asks = select(adapters, [request], context.request.adapters, context.pauses).asks
    return next((ask.adapter for ask in asks if ask.adapter.info.own_calls), None)


async def answered(exchange: Adapter[Any], request: QuoteRequest, notes: CallNotes) -> Quote[Any]:
    """Return the exchange's quote; raise NoRoute or UpstreamFailed unless one takes nothing but the amount."""
    call = notes.call(Purpose.QUOTE, request)
    answer = await guarded(exchange.info.key, call, notes, partial(exchange.quote, request))
    return _sound(exchange.info.key, answer)


async def made_on(chain_id: int, exchange: Adapter[Any], quote: Quote[Any]) -> EvmTransaction:
    """Return the exchange's transaction for a quote with its minimum; raise an AdapterError."""
    made = await exchange.build(quote)
    if not isinstance(made, EvmTransaction) or made.chain_id != chain_id:
        raise UpstreamFailed("the transaction is for another chain")
    return made


@dataclass(slots=True)
class SwapBeforehand:
    """An exchange's quote of the input for an anchor: requested once, for all bridges that can continue from there."""

    adapter: Adapter[Any]
    request: QuoteRequest
    notes: CallNotes
    _task: "asyncio.Task[Quote[Any] | Refusal] | None" = field(default=None)
    _waiting: int = 0

    async def quote(self) -> Quote[Any]:
        """Return the exchange's quote; raise NoRoute or UpstreamFailed without one."""
        if self._task is None:
            work = partial(self.adapter.quote, self.request)
            call = self.notes.call(Purpose.QUOTE, self.request)
            self._task = asyncio.create_task(guarded(self.adapter.info.key, call, self.notes, work))
        self._waiting += 1
        try:
            # A bridge that is given up must not take the answer from the others; with the last one it is of no use.
            answer = await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._task.cancel()
        return _sound(self.adapter.info.key, answer)


def _sound(key: str, answer: Quote[Any] | Refusal) -> Quote[Any]:
    if isinstance(answer, Quote) and not answer.native_fee:
        return answer
    reason = answer.reason if isinstance(answer, Refusal) else "takes a fee beside the amount"
    passing = isinstance(answer, Refusal) and answer.kind == UpstreamFailed.kind
    raise (UpstreamFailed if passing else NoRoute)(f"{key}: {reason}")


LATEST_FILL_S = 86_400
"""No deposit can be filled later after its quote: pools allow at most a few hours. The message's minimum holds all that
time, so the swap's own deadline need not be earlier.
"""
OUR_GAS = 250_000
"""The gas of Receiver and Executor around a swap that was not simulated: view calls of the target, and payments."""
MOST_SWAP_GAS = 3_000_000

Arrived = tuple[Quote[Any], int]
"""The exchange's quote for exactly what the bridge delivers, and the swap's gas."""


@dataclass(frozen=True, slots=True)
class DestinationChecks:
    """Checks of destinations: our contracts (None where they are known to be there), and rehearsals of messages.

    ``rehearsals`` are by chain ID.
    """

    contracts: ContractChecks | None = None
    rehearsals: Mapping[int, Rehearsal] = field(default_factory=dict)

    async def expect_receiver(self, chain: Chain) -> None:
        """Raise NoRoute if our contracts are not on the chain, UpstreamFailed if its node does not answer."""
        contracts = self.contracts
        try:
            if contracts is not None and not await contracts.receives(chain):
                raise NoRoute(f"the service's Receiver was not found on {chain.name}")
        except NodeUnavailable as error:
            raise UpstreamFailed(f"cannot be asked for a swap on arrival: {error}") from error

    async def rehearsed(self, chain: Chain, token: Token, amount: int, message: bytes) -> Rehearsed | None:
        """Rehearse a message with the Receiver, which is paid ``amount`` raw units; None if no node can."""
        rehearsal = self.rehearsals.get(chain.id)
        if rehearsal is None or chain.receiver is None:
            return None
        return await rehearsal.run(chain.receiver, token.address, amount, message)


@dataclass(frozen=True, slots=True)
class DestinationSwap:
    """One swap of what bridges deliver in ``token``, by ``exchange``, for a request's receiver."""

    exchange: Adapter[Any]
    context: QuoteContext
    token: Token
    question: QuoteRequest
    notes: CallNotes
    checks: DestinationChecks

    @property
    def chain(self) -> Chain:
        return self.question.origin

    @property
    def swaps(self) -> bool:
        """Whether the output is swapped into: always."""
        return True

    @property
    def way(self) -> str:
        """What is done there, as a part of a reason."""
        return f"before a swap out of {self.token.symbol}"

    def towards(self, quote_request: QuoteRequest) -> QuoteRequest:
        """Return the request to a bridge that pays the Receiver."""
        return replace(quote_request, destination_token=self.token, payout_address=self.chain.receiver or NATIVE_EVM)

    async def crossed(
        self, bridge: Adapter[Any], quote_request: QuoteRequest, loss: Fraction
    ) -> tuple[Quote[Any], Arrived]:
        """Return the bridge's quote for ``quote_request``, and the exchange's quote for what the bridge delivers.

        ``loss`` is the share of the output that may be lost here. Raise an AdapterError.
        """
        await self.checks.expect_receiver(self.chain)
        at_most = quote_request.amount * 10**self.token.decimals // 10**quote_request.origin_token.decimals
        about = await self.swapped(at_most)
        least = least_output(about.output_amount, loss)
        seen = await self.rehearsed(await self.swap((about, MOST_SWAP_GAS), least))
        needed = _units(about) + OUR_GAS if seen is None else seen.gas
        gas = min(needed * 3 // 2, MOST_SWAP_GAS)
        message = self.message(await self.swap((about, gas), least), asked_only=True)
        bridged = await bridge.quote(replace(self.towards(quote_request), message=with_room(message)))
        if bridged.min_output_amount != bridged.output_amount:
            raise NoRoute("does not deliver exactly what it quotes")
        swapped = await self.swapped(bridged.output_amount)
        self.expect_no_more_gas(about, swapped)
        output = swapped.output_amount
        if seen is not None and seen.output is not None and seen.output < about.output_amount:
            # A token that taxes transfers, say: no more is promised than was seen to arrive.
            output = output * seen.output // about.output_amount
        return bridged, (replace(swapped, output_amount=output), gas)

    async def rehearsed(self, swap: SwapAfter) -> Rehearsed | None:
        """Rehearse the swap's message with the Receiver; None if no node can. Raise NoRoute."""
        message = self.message(swap, asked_only=True)
        seen = await self.checks.rehearsed(self.chain, self.token, swap.spent, message)
        if seen is not None and seen.output is None:
            raise NoRoute(f"the swap on arrival fails on {self.chain.name}")
        return seen

    async def swap(self, arrived: Arrived, minimum: int) -> SwapAfter:
        """Return the swap with at least ``minimum`` of output; raise an AdapterError."""
        quote, gas = arrived
        made = await made_on(self.chain.id, self.exchange, replace(quote, min_output_amount=minimum))
        return SwapAfter(made, gas, quote.request.amount, minimum)

    def attached(self, bridge: EvmTransaction, swap: SwapAfter) -> EvmTransaction:
        return replace(bridge, swap_after=swap)

    def message(self, swap: SwapAfter, *, asked_only: bool = False) -> bytes:
        """Return the message that requests the swap; with ``asked_only`` a stand-in replaces a placeholder.

        Raise NoRoute if it is too long for a bridge.
        """
        request = self.context.request
        receiver = STAND_IN if asked_only and pays_nobody(request) else request.receiver
        bought = self.question.destination_token.address
        message = message_of(receiver, bought, self.token.address, swap)
        if len(message) > LONGEST_MESSAGE:
            raise NoRoute("the swap on arrival is too long for a message")
        return message

    def expect_no_more_gas(self, about: Quote[Any], swapped: Quote[Any]) -> None:
        """Raise UpstreamFailed if the swap needs much more gas than the bridge was asked for, ``about``'s."""
        if 5 * _units(about) < 4 * _units(swapped):
            raise UpstreamFailed("the swap on arrival needs more gas than the bridge was asked for")

    async def swapped(self, amount: int) -> Quote[Any]:
        """Return the exchange's quote for ``amount`` raw units of what arrives; raise an AdapterError."""
        return await answered(self.exchange, replace(self.question, amount=amount), self.notes)


def destination_swap_of(
    far: Token,
    context: QuoteContext,
    adapters: Sequence[Adapter[Any]],
    listed: Listed,
    notes: CallNotes,
    checks: DestinationChecks,
) -> DestinationSwap | None:
    """Return the swap from an anchor into the output, if bridges may pay the Receiver; None if there is none.

    Bridges pay contracts the wrapped token for the native asset, so that is the token swapped.
    """
    request, form = context.request, context.forms[0].request
    there, bought = request.destination, context.pair.destination
    wrapped = None if there.wrapped_native is None else listed(there, there.wrapped_native)
    token = wrapped if far.address == NATIVE_EVM else far
    if there.receiver is None or there.executor is None or token is None:
        return None
    # The Receiver refuses to pay a token that it handles.
    if token.address in (bought.address, request.receiver):
        return None
    question = QuoteRequest(
        origin=there,
        destination=there,
        origin_token=token,
        destination_token=bought,
        amount=1,
        sender=request.receiver,
        receiver=request.receiver,
        taker=there.executor,
        payout_address=there.executor,
        slippage=form.slippage,
        deadline=form.deadline + LATEST_FILL_S,
    )
    exchange = own_exchange(adapters, question, context)
    return None if exchange is None else DestinationSwap(exchange, context, token, question, notes, checks)


def _units(quote: Quote[Any]) -> int:
    if quote.gas_units is None:
        raise NoRoute("the swap on arrival has no gas estimate")
    return quote.gas_units
