"""JSON-RPC to one node of Solana, method by method: solana.com/docs/rpc/http, read 2026-11-22."""

from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from msgspec.json import Decoder
from msgspec.structs import replace

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.json_rpc import Answer, AnswerTooLarge, UnexpectedAnswer
from rhumbline.gateways.nodes.svm.answers import (
    AccountsAt,
    AccountShape,
    Blockhash,
    Epoch,
    PriorityFee,
    SignatureInfo,
    SignatureStatus,
    Simulation,
    SimulationShape,
    read_accounts,
    read_simulation,
)
from rhumbline.gateways.nodes.svm.batches import AnswerOrError, Method, ask_several
from rhumbline.gateways.nodes.svm.block_pace import BlockPace
from rhumbline.gateways.nodes.svm.calls import SvmCalls, as_it_is
from rhumbline.gateways.nodes.svm.fields import At, Count
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.transactions import (
    LARGEST_ANSWER,
    ExecutedTransaction,
    FetchedShape,
    FetchedTransaction,
    read_fetched,
)
from rhumbline.gateways.svm.account import Account, Rent
from rhumbline.gateways.svm.decompiler import NEWEST
from rhumbline.gateways.svm.messages import signature_of

LARGEST_PAGE = 4 * 1024 * 1024
"""Room for a page of signatures: a thousand transactions without memos have 200 kB."""
MOST_ACCOUNTS = 100
MOST_SIGNATURES = 1000
MOST_STATUSES = 256
_CONFIRMED, _TRANSACTION = "confirmed", "getTransaction"
_COUNT = Decoder(Answer[Count])
_EPOCH, _FEES = Decoder(Answer[Epoch]), Decoder(Answer[tuple[PriorityFee, ...]])
_BLOCKHASH, _TRUTH = Decoder(Answer[At[Blockhash]]), Decoder(Answer[At[bool]])
_ACCOUNT: Decoder[Answer[At[AccountShape | None]]] = Decoder(Answer[At[AccountShape | None]])
_ACCOUNTS: Decoder[Answer[At[list[AccountShape | None]]]] = Decoder(Answer[At[list[AccountShape | None]]])
_STATUSES: Decoder[Answer[At[tuple[SignatureStatus | None, ...]]]] = Decoder(
    Answer[At[tuple[SignatureStatus | None, ...]]]
)
_SIGNATURES, _SIMULATION = Decoder(Answer[tuple[SignatureInfo, ...]]), Decoder(Answer[At[SimulationShape]])
_FETCHED: Decoder[Answer[FetchedShape | None]] = Decoder(Answer[FetchedShape | None])


@dataclass(frozen=True, slots=True)
class SvmRpc(SvmCalls):
    """A node behind ``url``. ``name`` is the chain's key, used in errors and logs; times are in seconds.

    Every method raises SvmRpcError if the node refuses, NodeUnavailable if it does not answer, or its answer is not one
    to the request. State is read at ``commitment``; confirmed means that two thirds of the stake voted on it. ``pace``
    is informed of each confirmed height, ``moment`` holds the calls that quotes share. Without ``cluster`` the node may
    be on any.
    """

    commitment: str = _CONFIRMED
    pace: BlockPace = field(default_factory=BlockPace, repr=False, compare=False)
    moment: Moment = field(default_factory=Moment, repr=False, compare=False)

    async def slot(self) -> int:
        """Ask for the latest slot."""
        return await self.count("getSlot", [self._at()])

    async def block_height(self) -> int:
        """Ask how many blocks there are; what ``last_valid_block_height`` is compared with."""
        return self._noted(await self.count("getBlockHeight", [self._at()]))

    async def epoch(self) -> Epoch:
        """Ask where the chain is; Token-2022 changes its fees by epochs."""
        return await self.ask(_EPOCH, as_it_is, "getEpochInfo", [self._at()])

    async def latest_blockhash(self) -> Blockhash:
        """Ask for a blockhash to build a transaction on; it is valid for 150 blocks (see ``pace`` for the seconds)."""
        answer = await self.ask(_BLOCKHASH, as_it_is, "getLatestBlockhash", [self._at()])
        found = replace(answer.value, slot=answer.context.slot)
        self._noted(found.height)
        return found

    async def slot_of_validity(self, blockhash: str) -> int | None:
        """Return the newest processed slot in which a transaction may name a blockhash; None when it may not."""
        # Processed ones count too: the hash may come from another node, which is ahead.
        answer = await self.ask(_TRUTH, as_it_is, "isBlockhashValid", [blockhash, {"commitment": "processed"}])
        return answer.context.slot if answer.value else None

    async def rent(self) -> Rent:
        """Ask what an account must hold to be kept."""
        return await self.ask(_COUNT, Rent.of_nothing, "getMinimumBalanceForRentExemption", [0, self._at()])

    async def account(self, address: str) -> Account | None:
        """Return an account, None when it is not there."""
        answer = await self.ask(_ACCOUNT, as_it_is, "getAccountInfo", [address, self._at(encoding="base64")])
        return read_accounts([answer.value])[0]

    async def accounts(self, addresses: Sequence[str], *, most_bytes: int | None = None) -> AccountsAt:
        """Return up to 100 accounts of one slot, each with at most ``most_bytes`` of its data; ValueError for more."""
        distinct = list(dict.fromkeys(addresses))
        if len(distinct) > MOST_ACCOUNTS:
            raise ValueError(f"a node tells {MOST_ACCOUNTS} accounts at once")
        options = self._at(encoding="base64")
        if most_bytes is not None:
            options["dataSlice"] = {"offset": 0, "length": most_bytes}
        return await self.ask(_ACCOUNTS, partial(AccountsAt.read, distinct), "getMultipleAccounts", [distinct, options])

    async def signatures(
        self, address: str, *, before: str | None = None, until: str | None = None, limit: int = MOST_SIGNATURES
    ) -> tuple[SignatureInfo, ...]:
        """Return up to ``limit`` transactions that name an address, newest first.

        ``before`` and ``until`` are signatures: only older ones than the former and newer ones than the latter. A node
        drops old transactions without saying so, and shortens a page that would be too large: each entry has a memo, up
        to 4,000 bytes of unknown origin, six times as many if each is a control character. Raise ValueError for a limit
        beyond 1 to 1,000.
        """
        if not 1 <= limit <= MOST_SIGNATURES:
            raise ValueError(f"a node tells 1 to {MOST_SIGNATURES} transactions at once")
        options = self._at(limit=limit, **{k: v for k, v in (("before", before), ("until", until)) if v is not None})

        def read(page: tuple[SignatureInfo, ...]) -> tuple[SignatureInfo, ...]:
            if len(page) > limit:
                raise ValueError("more than was asked for")
            return page

        try:
            return await self.ask(
                _SIGNATURES, read, "getSignaturesForAddress", [address, options], largest_bytes=LARGEST_PAGE
            )
        except AnswerTooLarge:
            if limit == 1:
                raise
            return await self.signatures(address, before=before, until=until, limit=max(1, limit // 8))

    async def statuses(self, signatures: Sequence[str]) -> tuple[SignatureStatus | None, ...]:
        """Return the status of up to 256 transactions, in order, old ones too; None for an unknown one."""
        if len(signatures) > MOST_STATUSES:
            raise ValueError(f"a node tells {MOST_STATUSES} statuses at once")

        def read(answer: At[tuple[SignatureStatus | None, ...]]) -> tuple[SignatureStatus | None, ...]:
            if len(answer.value) != len(signatures):
                raise ValueError("not the statuses asked for")
            return answer.value

        options = {"searchTransactionHistory": True}
        return await self.ask(_STATUSES, read, "getSignatureStatuses", [list(signatures), options])

    async def transaction(self, signature: str) -> ExecutedTransaction | None:
        """Return an executed transaction, None when the node does not know it; it must be the one asked for.

        One of a version that is not read is refused by the node with code -32015.
        """
        found = await self.fetch(signature)
        return None if found is None else found.read()

    async def fetch(self, signature: str) -> FetchedTransaction | None:
        """Return a node's answer about a transaction, parsed only as far as to see whose it is.

        None where it does not know it, and another endpoint, if there is one, does not show it either.
        """
        (found,) = await self.fetch_several([signature])
        if isinstance(found, NodeRefused | NodeUnavailable):
            raise found
        return found

    async def fetch_several(self, signatures: Sequence[str]) -> list[AnswerOrError[FetchedTransaction | None]]:
        """Like ``fetch`` for several, with errors in their places; raise NodeUnavailable if none is answered."""
        with reading() as calls:
            found = await self._fetch(signatures)
            missing = [n for n, each in enumerate(found) if each is None or isinstance(each, NodeUnavailable)]
            others = self.other_than(calls.names(self.name)[:1]) if missing else None
            if others is not None:
                with suppress(NodeRefused, NodeUnavailable):
                    for place, each in zip(missing, await others._fetch([signatures[n] for n in missing]), strict=True):
                        found[place] = each if isinstance(each, FetchedTransaction) else found[place]
        return found

    async def _fetch(self, signatures: Sequence[str]) -> list[AnswerOrError[FetchedTransaction | None]]:
        options = self._at(encoding="base64", maxSupportedTransactionVersion=NEWEST)
        method = Method(_TRANSACTION, _FETCHED, read_fetched, LARGEST_ANSWER)
        found = await ask_several(self, method, [[each, options] for each in signatures], self.timeout_s)
        return [self._same(*each) for each in zip(signatures, found, strict=True)]

    def _same(
        self, signature: str, found: AnswerOrError[FetchedTransaction | None]
    ) -> AnswerOrError[FetchedTransaction | None]:
        if isinstance(found, FetchedTransaction) and found.signature != signature:
            return UnexpectedAnswer(f"{self.name}: the node answered another transaction than was asked for")
        return found

    async def priority_fees(self, accounts: Sequence[str] = ()) -> tuple[PriorityFee, ...]:
        """Return the recent priority fees, by slot, for write locks on all of up to 128 accounts."""
        return await self.ask(_FEES, as_it_is, "getRecentPrioritizationFees", [list(accounts)])

    async def simulate(self, transaction: bytes, accounts: Sequence[str] = ()) -> Simulation:
        """Simulate a transaction without signatures on the node's state, and return the ``accounts`` afterwards.

        The latest blockhash replaces its own. A failed transaction is an answer: see ``error``. Only a transaction that
        cannot run at all raises, and a request for more ``accounts`` than the message has.
        """
        options = self._at(encoding="base64", sigVerify=False, replaceRecentBlockhash=True)
        if accounts:
            options["accounts"] = {"encoding": "base64", "addresses": list(accounts)}
        read = partial(read_simulation, count=len(accounts))
        return await self.ask(_SIMULATION, read, "simulateTransaction", [_text(transaction), options])

    async def send(self, transaction: bytes, *, preflight: bool = True) -> str:
        """Hand a signed transaction to the node and return its signature; it may still never be executed.

        ValueError for a transaction that its payer has not signed.
        """
        signature = signature_of(transaction)
        options: dict[str, object] = {
            "encoding": "base64", "skipPreflight": not preflight, "preflightCommitment": self.commitment,
        }  # fmt: skip
        answer = await self.call("sendTransaction", [_text(transaction), options])
        if answer != signature:
            raise NodeUnavailable(f"{self.name}: the node answered another signature than the transaction has")
        return signature

    def _noted(self, height: int) -> int:
        if self.commitment == _CONFIRMED:
            self.pace.note(height)
        return height

    def _at(self, **options: object) -> dict[str, object]:
        return {"commitment": self.commitment, **options}


def _text(transaction: bytes) -> str:
    return b64encode(transaction).decode()
