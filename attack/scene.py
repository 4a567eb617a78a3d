"""One question to one adapter: its honest answer, what in it can be altered, and what an answer brings."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from attack.facts import STRANGER, Facts, all_addresses, calls_below
from attack.lies import REFUND, Lie, altered_answer
from attack.proxy import UpstreamAnswer
from attack.purse import Change, Pair, Sent, change, fund, holdings, send, worth
from attack.questions import asked_of_adapter, asked_of_service
from attack.service import SLIPPAGE, AttackedService, Upstreams
from attack.tree import read
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import AdapterError, RhumblineError
from rhumbline.domain.fee import FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import RpcError, hex_bytes
from rhumbline.routing.exact_output import ExactOutput
from rhumbline.routing.slippage import least_output
from tests.adapters.conformance.case import Ask

REFUND_FEES = Fraction(6, 100)
"""What bringing a refund may cost: a twentieth, and what the pools take of a swap before the bridge."""
_LOOK_AGAIN_S = 0.03
_TRIES = 3
SLOT_S = 0.5


@dataclass(frozen=True)
class Honest:
    """What the honest upstream's answer promises, guarantees and takes beside the amount, in raw units.

    ``gas`` is its network fee in USD cents.
    """

    output: int
    minimum: int
    native_fee: int
    approval: str | None
    gas: Fraction = Fraction(0)


@dataclass
class Scene:
    """One question and all that is known of it. ``patience_s`` is how long a bridge may take to settle."""

    service: AttackedService
    key: str
    ask: Ask
    pair: Pair
    patience_s: float
    answers: tuple[UpstreamAnswer, ...] = ()
    others: Mapping[str, tuple[UpstreamAnswer, ...]] = field(default_factory=dict)
    coded: tuple[str, ...] = ()
    output: int = 0
    standing: set[str] = field(default_factory=set)

    @property
    def upstreams(self) -> Upstreams:
        """The adapter's upstream."""
        return self.service.upstreams[self.key]

    @property
    def tokens(self) -> tuple[Token, Token]:
        """The token paid and the token bought."""
        ask = self.ask
        return self.service.token(ask.origin, ask.origin_token), self.service.token(
            ask.destination, ask.destination_token
        )

    @property
    def wants_more(self) -> bool:
        """Whether something is wanted on arrival beside the output."""
        return self.ask.gas > 0 or self.ask.calls

    def request(self, **changes: Any) -> QuoteRequest:
        """The question as an adapter is asked it."""
        known = self.service, self.ask, self.pair, self.tokens, self.upstreams.deceived.info
        return replace(asked_of_adapter(*known), **changes)

    def question(self) -> RouteRequest:
        """The question as the caller asks it."""
        return asked_of_service(self.service, self.ask, self.pair, self.tokens)

    async def answered(self, *adapters: Adapter[Any]) -> RouteAnswer | None:
        """Ask the service with these adapters; None where it has no answer."""
        try:
            service = self.service.service(adapters, arriving=self.wants_more)
            return await service.answer(self.question())
        except RhumblineError:
            return None

    async def answered_output(self, wanted: int, *adapters: Adapter[Any]) -> RouteAnswer | None:
        """Ask the service for an output with these adapters; None where it has no answer."""
        question = replace(self.question(), amount=0, wanted_output=wanted)
        try:
            return await ExactOutput(self.service.service(adapters, arriving=self.wants_more)).answer(question)
        except RhumblineError:
            return None

    async def answered_at_last(self, adapter: Adapter[Any]) -> RouteAnswer | None:
        """Ask the service with this adapter up to three times, as a busy machine may answer too late.

        On Solana a wallet's balances are cached for a slot: a wallet that was just funded is asked for again after one.
        """
        for _ in range(_TRIES):
            answer = await self.answered(adapter)
            if answer is not None:
                return answer
            await asyncio.sleep(SLOT_S)
        return None

    async def honest(self, adapter: Adapter[Any] | None = None) -> Honest | None:
        """The present answer without lies."""
        answer = await self.answered_at_last(adapter or self.upstreams.honest)
        if answer is None:
            return None
        value = getattr(answer.transaction, "value", 0)
        fee = value - (self.ask.amount if self.tokens[0].address == NATIVE_EVM else 0)
        gas = self.gas_of(answer)
        return Honest(answer.output_amount, answer.min_output_amount, fee, answer.approval_address, gas)

    def gas_of(self, answer: RouteAnswer) -> Fraction:
        """What the answer states for the network fee of its transaction, in USD cents."""
        items = [item for item in answer.fees.items if item.type is FeeType.GAS]
        return sum(
            (worth(self.service, item.token.chain_id, item.token.address, item.amount) for item in items), Fraction(0)
        )

    def received(self, amount: int) -> Fraction:
        """What an amount of the output is worth, in USD cents."""
        return worth(self.service, self.tokens[1].chain_id, self.tokens[1].address, amount)

    def serves(self, adapter: Adapter[Any]) -> bool:
        """Return whether an adapter may be asked, as the service decides."""
        request = self.request()
        named = request.refund_to is None or request.origin.type in adapter.info.refunds_named
        return named and adapter.supports(request)

    async def prepare(self) -> bool:
        """Hear the honest answers to this question and to others; False where the adapter does not answer it."""
        liar = self.upstreams.liar
        if not self.serves(self.upstreams.deceived):
            return False
        brings = self.upstreams.deceived.info.carries_messages or self.request().destination_gas
        if self.wants_more and not brings:
            return False
        liar.begin(None)
        if (output := await self.built(self.request())) is None:
            return False
        self.output, self.answers = output, tuple(liar.answers)
        other = {
            "twice": self.request(amount=self.ask.amount * 2),
            "half": self.request(amount=self.ask.amount // 2),
            "dust": self.request(amount=max(self.ask.amount // 50, 1)),
            "receiver": self._for_stranger(),
            "sender": self.request(sender=checksummed(STRANGER)),
            **({} if self.pair.refunded is None else {REFUND: self.request(refund_to=checksummed(STRANGER))}),
        }
        answers = {}
        for name, request in other.items():
            liar.begin(None)
            await self.built(request)
            answers[name] = tuple(liar.answers)
        self.others, self.coded = answers, await self._with_code()
        return True

    def _for_stranger(self) -> QuoteRequest:
        stranger = checksummed(STRANGER)
        return self.request(receiver=stranger, payout_address=stranger)

    async def built(self, request: QuoteRequest) -> int | None:
        """Quote and build as routing does; the promised output, None where the adapter refuses."""
        adapter = self.upstreams.deceived
        try:
            quote = await adapter.quote(request)
            least = least_output(quote.output_amount, SLIPPAGE)
            fixed = quote.min_output_amount
            await adapter.build(replace(quote, min_output_amount=least if fixed is None else fixed))
        except AdapterError:
            return None
        return quote.output_amount

    async def _with_code(self) -> tuple[str, ...]:
        known = self.service.compiled.known
        named = sorted({each for answer in self.answers for each in all_addresses(read(answer.document, known))})
        rpc = self.service.rpcs[self.service.chain(self.ask.origin).id]
        codes = await rpc.batch([("eth_getCode", [address, "latest"]) for address in named])
        return tuple(
            address
            for address, code in zip(named, codes, strict=True)
            if not isinstance(code, RpcError) and hex_bytes(code)
        )

    def shape(self) -> object:
        """What its honest answer is like: questions of one shape are answered by the same calls."""
        known = self.service.compiled.known
        calls = {
            call.function.signature
            for answer in self.answers
            for call in calls_below(read(answer.document, known).root)
        }
        ask = self.ask
        return (
            ask.origin == ask.destination,
            (ask.direct, ask.named, ask.gas > 0, ask.calls, ask.bridged),
            self.tokens[0].address == NATIVE_EVM,
            frozenset(calls),
        )

    def facts(self) -> Facts:
        """What a liar knows of the question."""
        request = self.request()
        friends = {*self.pair.all, *self._contracts()}
        return Facts(
            self.service.compiled,
            self.ask.amount,
            self.output,
            (request.origin_token.decimals, request.destination_token.decimals),
            request.origin_token.address.lower(),
            tuple(sorted(each.lower() for each in friends)),
            frozenset(token.address.lower() for token in self.service.tokens),
            tuple(self.service.chains),
            int(system_clock().timestamp()),
            self.coded,
            self.others,
            refunded=self.pair.refunded and self.pair.refunded.lower(),
        )

    def _contracts(self) -> list[str]:
        chain = self.service.chain(self.ask.origin)
        return [each for each in (chain.diamond, chain.executor) if each is not None]

    def alters(self, lie: Lie) -> bool:
        """Return whether a lie changes any of the honest answers."""
        facts = self.facts()
        return any(altered_answer(lie, answer, facts) is not None for answer in self.answers)

    async def executed(
        self,
        answer: RouteAnswer,
        least: int,
        *,
        back: bool = False,
        patience_s: float | None = None,
        is_unfilled: Callable[[Sent, Change], bool] = lambda sent, result: False,
    ) -> tuple[Sent, Change]:
        """Send the answered transaction and wait until its result is there, or for as long as a bridge may take.

        With ``back`` the bridge is told to fail, and the result is a refund of the input. A deposit that
        ``is_unfilled`` is awaited a sixth as long.
        """
        service, pair = self.service, self.pair
        await fund(service, pair, self.tokens[0], answer.request.amount)
        before = await holdings(service, pair)
        self.upstreams.emulator.behaviour.outcome = Outcome.REFUND if back else Outcome.DELIVER
        sent = await send(service, answer, self.pair.signer)
        patience_s = patience_s or self.patience_s
        began = asyncio.get_running_loop().time()
        while True:
            result = change(service, pair, self.tokens, before, await holdings(service, pair), sent.cost)
            waited = asyncio.get_running_loop().time() - began
            late = waited > patience_s or self.ask.origin == self.ask.destination
            late = late or (waited > patience_s / 6 and is_unfilled(sent, result))
            enough = self.kept_back(result) <= self.value() * REFUND_FEES if back else result.gained >= least
            if not sent.ok or enough or late:
                self.upstreams.emulator.behaviour.outcome = Outcome.DELIVER
                return sent, result
            await asyncio.sleep(_LOOK_AGAIN_S)

    def kept_back(self, result: Change) -> Fraction:
        """What neither the wallet nor the receiver has any more, in USD cents."""
        origin, destination = self.tokens
        arrived = worth(self.service, destination.chain_id, destination.address, result.gained)
        return worth(self.service, origin.chain_id, origin.address, result.spent) - result.beside - arrived

    def lacking(self, honest: Honest, result: Change) -> Fraction:
        """The shortfall in USD cents: of the honest minimum, and native, for what was spent, or of any other token."""
        origin, destination = self.tokens
        # What stays with the sender was not spent, so nothing is expected for it.
        spent = max(min(result.spent, self.ask.amount), 0)
        expected = honest.minimum * spent // self.ask.amount
        missing = worth(self.service, destination.chain_id, destination.address, max(expected - result.gained, 0))
        missing += worth(self.service, destination.chain_id, NATIVE_EVM, self.ask.gas * spent // self.ask.amount)
        more = max(result.spent - self.ask.amount, 0)
        fee = worth(self.service, origin.chain_id, NATIVE_EVM, honest.native_fee)
        return missing + worth(self.service, origin.chain_id, origin.address, more) - result.beside - fee

    def value(self) -> Fraction:
        """What the input was set up to be worth, in USD cents."""
        return worth(self.service, self.tokens[0].chain_id, self.tokens[0].address, self.ask.amount)
