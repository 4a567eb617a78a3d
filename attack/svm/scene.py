"""One question from Solana to one adapter: its honest answer, and what an altered answer brings."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from solders.keypair import Keypair

from attack.lies import REFUND, Lie
from attack.proxy import UpstreamAnswer
from attack.purse import Change, Place, change, has_given_back, owned, unstated
from attack.scene import Honest, Scene
from attack.svm.beforehand import set_trap, spring_trap, trap_of, trapped_mint
from attack.svm.chosen import PAYER, Purse, purse_of, robbed, terms_of
from attack.svm.facts import FEE_PAYER, STRANGER, STRANGERS_PROGRAM, SvmFacts, false_table
from attack.svm.lies import CHAIN, CHOSEN, PREFIX, TRAP, altered_answer
from attack.svm.purse import Belongings, belongings, furnish, mints_of, models_of, node_of, send, standing
from attack.svm.written import tables_of, transaction_in, walk
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.svm_table import store_table
from rhumbline.domain.chain import ChainType
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.solana_terms import SolanaTerms
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import is_address
from rhumbline.gateways.svm.programs import LOOKUP_TABLES, WRAPPED_SOL

_EVM_STRANGER = "0x00000000000000000000000000000000005712A9"
_LOOK_AGAIN_S = 0.05


@dataclass(frozen=True)
class Done:
    """The result of a transaction: ``opened``: somebody else got control of an account.

    ``held`` is what the bridge holds for it, ``beyond`` what left the wallet without being stated, both in USD cents.
    ``robbed`` says what was taken of a fee payer, or otherwise than was chosen; ``error`` is the node's, of one that
    failed.
    """

    ok: bool
    result: Change
    opened: bool
    held: Fraction
    beyond: Fraction = Fraction(0)
    robbed: str = ""
    error: str = ""


@dataclass
class SvmScene(Scene):
    """One question and all that is known of it; ``key_of_sender`` signs, ``usual`` is what an honest run changed."""

    key_of_sender: Keypair = field(default_factory=Keypair)
    mints: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    tables: dict[str, Any] = field(default_factory=dict)
    models: Mapping[str, Account] = field(default_factory=dict)
    usual: Change | None = None
    terms: SolanaTerms | None = None

    @property
    def node(self) -> SvmNode:
        """The emulators' node of Solana."""
        return node_of(self.service)

    def question(self) -> RouteRequest:
        """The caller's question, with its choices."""
        return replace(super().question(), solana=self.terms)

    @property
    def crossing(self) -> bool:
        """Whether a bridge is asked."""
        return self.ask.origin != self.ask.destination

    async def prepare(self) -> bool:
        """Hear the honest answers to this question and to others; False where the adapter does not answer it."""
        if not self.serves(self.upstreams.deceived) or (self.wants_more and not self.request().destination_gas):
            return False
        self.mints, self.models = await mints_of(self.service), await models_of(self.service)
        await self.be_rich()
        await furnish(self.service, STRANGER, self.models, 0)
        await furnish(self.service, PAYER, self.models)
        await self.node.install_program(STRANGERS_PROGRAM, "pool")
        answers = await self._asked_honestly()
        if answers is None:
            return False
        self.output, self.answers = answers
        elsewhere = STRANGER if not self.crossing else _EVM_STRANGER
        other: dict[str, dict[str, Any]] = {
            "twice": {"amount": self.ask.amount * 2},
            "half": {"amount": self.ask.amount // 2},
            "dust": {"amount": max(self.ask.amount // 50, 1)},
            "receiver": {"receiver": elsewhere, "payout_address": elsewhere},
            "sender": {"sender": STRANGER, "taker": STRANGER},
        }
        if self.pair.refunded is not None:
            other[REFUND] = {"refund_to": STRANGER}
        others = {name: await self._asked_honestly(**changes) for name, changes in other.items()}
        self.others = {name: each[1] for name, each in others.items() if each is not None}
        await self._find_tables()
        return True

    async def _asked_honestly(self, **changes: Any) -> tuple[int, tuple[UpstreamAnswer, ...]] | None:
        liar = self.upstreams.liar
        liar.begin(None)
        output = await self.built(self.request(**changes))
        return None if output is None else (output, tuple(liar.answers))

    async def _find_tables(self) -> None:
        named: set[str] = set()
        for answer in (*self.answers, *(each for answers in self.others.values() for each in answers)):
            for _, key, value in walk(answer.document):
                named |= {each for each in (key, value) if isinstance(each, str) and is_address(each)}
                data = transaction_in(value)
                named |= set() if data is None else set(tables_of(data))
        found = (await self.node.rpc.accounts(sorted(named))).found
        tables = sorted(at for at, each in found.items() if each is not None and each.owner == LOOKUP_TABLES)
        self.tables = {table.address: table for table in await SvmState(self.node.rpc).tables(tables)}
        for address in self.tables:
            await store_table(self.node, false_table(address), self._turned(address))

    def _turned(self, table: str) -> list[str]:
        """Return what a table holds, each in the place of the one before."""
        entries = [address for _, address in sorted(self.tables[table].entries.items())]
        return [*entries[1:], entries[0]]

    def shape(self) -> object:
        ask = self.ask
        return ask.origin_token, ask.destination, self.pair.sender == self.pair.receiver, ask.named, ask.gas > 0

    def svm_facts(self) -> SvmFacts:
        """What a liar knows of the question."""
        sold, bought = self.tokens
        return SvmFacts(
            self.pair.sender, self.pair.receiver, self.ask.amount, self.output, sold.address, bought.address,
            self.mints, self.tables, self.others, self.pair.refunded,
        )  # fmt: skip

    def alters(self, lie: Lie) -> bool:
        if lie.kind == PREFIX + CHAIN:
            return bool(self.tables)
        facts = self.svm_facts()
        return any(altered_answer(lie, answer, facts) is not None for answer in self.answers)

    @asynccontextmanager
    async def lying(self, lie: Lie) -> AsyncIterator[None]:
        """While it lasts the upstream tells a lie, or its table holds other things on the chain."""
        facts, turns = self.svm_facts(), lie.kind == PREFIX + CHAIN
        mint = trapped_mint(facts)
        if lie.kind == PREFIX + TRAP and mint is not None:
            await set_trap(self.node, facts, self.models[mint], trap_of(lie))

        def say(answer: UpstreamAnswer) -> Any:
            document = altered_answer(lie, answer, facts)
            return answer.document if document is None else document

        for address in self.tables if turns else ():
            await store_table(self.node, address, self._turned(address))
        self.terms = terms_of(lie.seed) if lie.kind == PREFIX + CHOSEN else None
        self.upstreams.liar.begin(say)
        try:
            yield
        finally:
            self.upstreams.liar.begin(None)
            self.terms = None
            for address, table in self.tables.items() if turns else ():
                await store_table(self.node, address, [entry for _, entry in sorted(table.entries.items())])

    async def spring(self, lie: Lie) -> None:
        """Let the liar do what can be done between the answer and the wallet's signature."""
        facts = self.svm_facts()
        mint = trapped_mint(facts)
        if lie.kind == PREFIX + TRAP and mint is not None:
            await spring_trap(self.node, facts, self.models[mint], trap_of(lie))

    @asynccontextmanager
    async def apart(self) -> AsyncIterator[None]:
        """Restore the chain afterwards; not for a bridge, whose other side would be inconsistent."""
        if self.crossing:
            yield
            return
        mark = await self.node.rpc.call("sandbox_snapshot")
        try:
            yield
        finally:
            await self.node.rpc.call("sandbox_restore", [mark])

    async def be_poor(self) -> None:
        """Leave the wallet without the input, like a client that asks before it has the funds."""
        await furnish(self.service, self.pair.sender, self.models, without=self.tokens[0].address)

    async def be_rich(self) -> None:
        """Give the wallet all that it needs."""
        await furnish(self.service, self.pair.sender, self.models)

    async def belongings(self) -> Belongings:
        """Read all that both have, and who is named for refunds."""
        there = self.service.chain(self.ask.destination)
        owners = dict.fromkeys((self.pair.sender, self.pair.receiver))
        # Unwrapped SOL is still there, unless it is the requested output.
        unwrapped = WRAPPED_SOL not in {token.address for token in self.tokens}
        if there.type is ChainType.SVM:
            return await belongings(self.node.rpc, owners, unwrapped=unwrapped)
        named = () if self.pair.refunded is None else (self.pair.refunded,)
        own = await belongings(self.node.rpc, (self.pair.sender, *named), unwrapped=unwrapped)
        return replace(own, amounts={**own.amounts, **await owned(self.service, [self.pair.receiver])})

    async def done(self, answer: RouteAnswer, least: int, *, back: bool = False) -> Done:
        """Sign and send the answered transaction, and wait for its result; ``back``: the bridge is told to fail."""
        behaviour = self.upstreams.emulator.behaviour
        behaviour.outcome = Outcome.REFUND if back else Outcome.DELIVER
        try:
            return await self._sent(answer, least, back=back)
        finally:
            behaviour.outcome = Outcome.DELIVER

    async def _sent(self, answer: RouteAnswer, least: int, *, back: bool) -> Done:
        before, purse = await self.belongings(), await self._payers_purse()
        executed = await send(self.node.rpc, self._signers(answer), answer)
        taken = robbed(answer, executed, purse, await self._payers_purse())
        # What another pays is no cost of the wallet's.
        fee = executed.fee if executed.message.payer == self.pair.sender else 0
        began = asyncio.get_running_loop().time()
        while True:
            after = await self.belongings()
            result = change(self.service, self.pair, self.tokens, *_places(before, after), fee)
            late = asyncio.get_running_loop().time() - began > self.patience_s
            failed = executed.error is not None
            has_ended = self.is_back(result) or (result.gained >= least and not back)
            if failed or not self.crossing or late or has_ended:
                held = Fraction(0)
                if not has_given_back(self.upstreams.emulator, executed.signature):
                    held = await standing(self.service, executed, self.upstreams.emulator, self.pair.receiver)
                beyond = unstated(self.service, answer, result.left, fee)
                error = str(executed.error) if failed else ""
                return Done(not failed, result, not after.doors <= before.doors, held, beyond, taken, error)
            await asyncio.sleep(_LOOK_AGAIN_S)

    def _signers(self, answer: RouteAnswer) -> list[Keypair]:
        sponsored = answer.solana is not None and answer.solana.fee_payer is not None
        return [self.key_of_sender, *([FEE_PAYER] if sponsored else ())]

    async def _payers_purse(self) -> Purse:
        own = await belongings(self.node.rpc, [PAYER])
        return purse_of(own.amounts, own.doors)

    def is_back(self, result: Change) -> bool:
        """Tell whether all was given back."""
        return result.gained == 0 and self.kept_back(result) <= self.value() / 20

    def missing(self, honest: Honest, result: Change) -> Fraction:
        """The shortfall in USD cents, beyond an honest answer's rent for accounts that it creates."""
        usual = self.usual
        if usual is None:
            return self.lacking(honest, result)
        return self.lacking(honest, result) - max(self.lacking(honest, usual), Fraction(0))


def _places(before: Belongings, after: Belongings) -> tuple[dict[Place, int], dict[Place, int]]:
    places = before.amounts.keys() | after.amounts.keys()
    had, have = ({place: each.amounts.get(place, 0) for place in places} for each in (before, after))
    return had, have
