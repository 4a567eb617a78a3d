"""Reads executed transactions of a list from a node, in batches, and only as far as they are needed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge, UnexpectedAnswer
from rhumbline.gateways.nodes.svm.answers import SignatureInfo
from rhumbline.gateways.nodes.svm.batches import AnswerOrError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import LARGEST_ANSWER, ExecutedTransaction, Execution, FetchedTransaction
from rhumbline.tracking.svm.read_budget import ReadBudget
from rhumbline.tracking.svm.unread import Unread

AT_ONCE = 25
_UNREADABLE = (UnexpectedAnswer, AnswerTooLarge)
_Answered = AnswerOrError[FetchedTransaction | None]


@dataclass(frozen=True, slots=True)
class TransactionReader:
    """Reads the transactions of one chain."""

    rpc: SvmRpc
    unread: Unread
    budget: ReadBudget = field(default_factory=ReadBudget)

    async def transactions(
        self, listed: Sequence[SignatureInfo], wanted: Callable[[Execution], bool]
    ) -> list[FetchedTransaction]:
        """Return those that can be ours: that succeeded, and of which who signed and what they call is ``wanted``.

        Of the others nothing is read. One that cannot be read now is noted as unread, and holds up nothing. Raise
        NodeUnavailable where the node does not answer.
        """
        self.unread.tidy()
        due = [each for each in listed if each.error is None and not self.unread.rests(each.signature)]
        found: list[FetchedTransaction] = []
        for start in range(0, len(due), AT_ONCE):
            part = due[start : start + AT_ONCE]
            answers = await self._asked(part)
            self._note(part, answers)
            shown = [each for each in answers if isinstance(each, FetchedTransaction)]
            found += filter(wanted, shown)
            await self.budget.spend(*(len(each.body) for each in shown), *[LARGEST_ANSWER] * (len(part) - len(shown)))
        return found

    def whole(self, told: FetchedTransaction) -> ExecutedTransaction | None:
        """Return all of a transaction; None where it cannot be read, which is noted."""
        try:
            return told.read()
        except UnexpectedAnswer as error:
            self.unread.missed(told.signature, told.slot, str(error))
            return None

    async def _asked(self, listed: Sequence[SignatureInfo]) -> Sequence[_Answered]:
        try:
            return await self.rpc.fetch_several([each.signature for each in listed])
        except (NodeRefused, NodeUnavailable) as error:
            return [error] * len(listed)

    def _note(self, part: Sequence[SignatureInfo], answers: Sequence[_Answered]) -> None:
        for listed, answer in zip(part, answers, strict=True):
            if isinstance(answer, FetchedTransaction):
                self.unread.shown(listed.signature)
        for listed, answer in zip(part, answers, strict=True):
            if not isinstance(answer, FetchedTransaction):
                # Nodes have many codes for what they have thrown away, and one for a version that is not read.
                self.unread.missed(listed.signature, listed.slot, str(answer or "not known"))
        away = [each for each in answers if isinstance(each, NodeUnavailable) and not isinstance(each, _UNREADABLE)]
        if away and len(away) == len(answers):
            raise away[0]
