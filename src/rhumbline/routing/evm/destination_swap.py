"""A swap where a bridge pays: what the service's Receiver is told to do with the bridged tokens.

The bridge is asked with a message of the true size and gas before what it will deliver is known; then the exchange is
asked for exactly that. So the swap's calldata spends what arrives, and what relayers were asked for is what they do.
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
from rhumbline.domain.route import AdapterFilter
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, SwapAfter
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.evm.contract_checks import ContractChecks
from rhumbline.routing.evm.destination_message import message_of
from rhumbline.routing.fan_out import guarded
from rhumbline.routing.quote_context import QuoteContext, pays_nobody
from rhumbline.routing.selection import select
from rhumbline.routing.shapes import Listed
from rhumbline.routing.slippage import least_output
from rhumbline.simulation.evm.rehearsal import Rehearsal, Rehearsed


def own_exchange(adapters: Sequence[Adapter[Any]], request: QuoteRequest, choice: AdapterFilter) -> Adapter[Any] | None:
    """Return the exchange that may be asked for a swap inside one of our transactions; None without one."""
    asks = select(adapters, [request], choice).asks
    return next((ask.adapter for ask in asks if ask.adapter.info.own_calls), None)


async def answered(exchange: Adapter[Any], request: QuoteRequest, notes: CallNotes) -> Quote[Any]:
    """Return the exchange's quote; raise NoRoute or UpstreamFailed without one that takes nothing but the amount."""
    call = notes.call(Purpose.QUOTE, request)
    answer = await guarded(exchange.info.key, call, notes, partial(exchange.quote, request))
    return _sound(exchange.info.key, answer)


@dataclass(slots=True)
class SwapBeforehand:
    """What an exchange gives for the input in an anchor: asked once, for all bridges that may go on from there."""

    adapter: Adapter[Any]
    request: QuoteRequest
    notes: CallNotes
    _asked: "asyncio.Task[Quote[Any] | Refusal] | None" = field(default=None)
    _waiting: int = 0

    async def quote(self) -> Quote[Any]:
        """Return the exchange's quote; raise NoRoute or UpstreamFailed without one."""
        if self._asked is None:
            work = partial(self.adapter.quote, self.request)
            call = self.notes.call(Purpose.QUOTE, self.request)
            self._asked = asyncio.create_task(guarded(self.adapter.info.key, call, self.notes, work))
        self._waiting += 1
        try:
            # A bridge that is given up must not take the answer from the others; with the last one it is of no use.
            answer = await asyncio.shield(self._asked)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._asked.cancel()
        return _sound(self.adapter.info.key, answer)


def _sound(key: str, answer: Quote[Any] | Refusal) -> Quote[Any]:
    if isinstance(answer, Quote) and not answer.native_fee:
        return answer
    reason = answer.reason if isinstance(answer, Refusal) else "takes a fee beside the amount"
    passing = isinstance(answer, Refusal) and answer.kind == UpstreamFailed.kind
    raise (UpstreamFailed if passing else NoRoute)(f"{key}: {reason}")


LATEST_FILL_S = 86_400
"""No deposit can be filled later than that after its quote: pools take at most a few hours. The message's minimum holds
all that time, so the swap's own deadline need not be earlier."""
OUR_GAS = 250_000
"""What Receiver and Executor take around a swap that was not run: the views that a target is asked, and payments."""
MOST_SWAP_GAS = 3_000_000
LONGEST_MESSAGE = 3_072
"""In bytes: it is asked for in an address."""

Arrived = tuple[Quote[Any], int]
"""The exchange's quote for exactly what the bridge delivers, and the gas that the swap gets."""


@dataclass(frozen=True, slots=True)
class DestinationChecks:
    """What looks at destinations: for our contracts, None where they are known to be there; and how messages turn out.

    ``rehearsals`` are by chain ID.
    """

    contracts: ContractChecks | None = None
    rehearsals: Mapping[int, Rehearsal] = field(default_factory=dict)


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

    def towards(self, asked: QuoteRequest) -> QuoteRequest:
        """Return the question to a bridge that pays the Receiver."""
        return replace(asked, destination_token=self.token, payout_address=self.chain.receiver or NATIVE_EVM)

    async def crossed(self, bridge: Adapter[Any], asked: QuoteRequest, loss: Fraction) -> tuple[Quote[Any], Arrived]:
        """Return the bridge's quote for what ``asked`` says, and the exchange's for what that delivers.

        ``loss`` is the share of the output that may be lost here. Raise an AdapterError.
        """
        await self._expect_receiver()
        at_most = asked.amount * 10**self.token.decimals // 10**asked.origin_token.decimals
        about = await self._swapped(at_most)
        least = least_output(about.output_amount, loss)
        seen = await self.rehearsed(await self.swap((about, MOST_SWAP_GAS), least))
        needed = _units(about) + OUR_GAS if seen is None else seen.gas
        gas = min(needed * 3 // 2, MOST_SWAP_GAS)
        message = self.message(await self.swap((about, gas), least), asked_only=True)
        bridged = await bridge.quote(replace(self.towards(asked), message=message))
        if bridged.min_output_amount != bridged.output_amount:
            raise NoRoute("does not deliver exactly what it quotes")
        swapped = await self._swapped(bridged.output_amount)
        if 5 * _units(about) < 4 * _units(swapped):
            raise UpstreamFailed("the swap after it needs more gas than the bridge was asked with")
        output = swapped.output_amount
        if seen is not None and seen.output is not None and seen.output < about.output_amount:
            # A token that taxes transfers, say: no more is promised than was seen to arrive.
            output = output * seen.output // about.output_amount
        return bridged, (replace(swapped, output_amount=output), gas)

    async def _expect_receiver(self) -> None:
        """Raise NoRoute where our contracts are not on the chain, UpstreamFailed where its node does not tell."""
        contracts = self.checks.contracts
        try:
            if contracts is not None and not await contracts.receives(self.chain):
                raise NoRoute(f"the service's Receiver is not seen on {self.chain.name}")
        except NodeUnavailable as error:
            raise UpstreamFailed(f"cannot be asked for a swap on arrival: {error}") from error

    async def rehearsed(self, swap: SwapAfter) -> Rehearsed | None:
        """Run the Receiver with the swap's message where it will be run; None where no node tells. Raise NoRoute."""
        rehearsal = self.checks.rehearsals.get(self.chain.id)
        if rehearsal is None or self.chain.receiver is None:
            return None
        message = self.message(swap, asked_only=True)
        seen = await rehearsal.run(self.chain.receiver, self.token.address, swap.spent, message)
        if seen is not None and seen.output is None:
            raise NoRoute(f"the swap after it fails on {self.chain.name}")
        return seen

    async def swap(self, arrived: Arrived, minimum: int) -> SwapAfter:
        """Return the swap with at least ``minimum`` of output; raise an AdapterError."""
        quote, gas = arrived
        made = await self.exchange.build(replace(quote, min_output_amount=minimum))
        if not isinstance(made, EvmTransaction) or made.chain_id != self.chain.id:
            raise UpstreamFailed("the transaction is for another chain")
        return SwapAfter(made, gas, quote.request.amount, minimum)

    def message(self, swap: SwapAfter, *, asked_only: bool = False) -> bytes:
        """Return the message that has it made; where it is ``asked_only``, a stand-in receives for a placeholder.

        Raise NoRoute where it is too long for a bridge to be asked with it.
        """
        request = self.context.request
        receiver = STAND_IN if asked_only and pays_nobody(request) else request.receiver
        bought = self.question.destination_token.address
        message = message_of(receiver, bought, self.token.address, swap)
        if len(message) > LONGEST_MESSAGE:
            raise NoRoute("the swap after it is too long for a message")
        return message

    async def _swapped(self, amount: int) -> Quote[Any]:
        return await answered(self.exchange, replace(self.question, amount=amount), self.notes)


def destination_swap_of(
    far: Token,
    context: QuoteContext,
    adapters: Sequence[Adapter[Any]],
    listed: Listed,
    notes: CallNotes,
    checks: DestinationChecks,
) -> DestinationSwap | None:
    """Return the swap from an anchor into what is bought, where bridges may pay the Receiver; None where none can be.

    Bridges pay contracts the wrapped token for the native asset, so that is what is swapped.
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
    exchange = own_exchange(adapters, question, request.adapters)
    return None if exchange is None else DestinationSwap(exchange, context, token, question, notes, checks)


def _units(quote: Quote[Any]) -> int:
    if quote.gas_units is None:
        raise NoRoute("the swap after it does not say what gas it needs")
    return quote.gas_units
