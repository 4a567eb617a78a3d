"""JSON-RPC to one node of Solana.

Errors name the chain, never the URL: an operator's endpoint may carry a key. Methods, parameters and error codes:
solana.com/docs/rpc/http and github.com/anza-xyz/agave, rpc-client-api/src/custom_error.rs, read 2026-11-22.
"""

from base64 import b64encode
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.nodes.json_rpc import OVERLOADED, AnswerTooLarge, post, result_of, told
from rhumbline.gateways.nodes.svm.answers import (
    AccountsAt,
    Blockhash,
    Epoch,
    PriorityFee,
    SignatureInfo,
    SignatureStatus,
    Simulation,
    read_account,
    read_blockhash,
    read_context,
    read_epoch,
    read_priority_fee,
    read_signature_info,
    read_simulation,
    read_status,
)
from rhumbline.gateways.nodes.svm.block_pace import BlockPace
from rhumbline.gateways.nodes.svm.cluster import Cluster
from rhumbline.gateways.nodes.svm.history_page import LARGEST_PAGE, read_page
from rhumbline.gateways.nodes.svm.reading import NotUnderstood, Reader
from rhumbline.gateways.nodes.svm.told_transaction import LARGEST_ANSWER, ToldTransaction, glance
from rhumbline.gateways.nodes.svm.transaction_answers import ExecutedTransaction
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, read_error
from rhumbline.gateways.svm.account import Account, Rent
from rhumbline.gateways.svm.decompiling import NEWEST
from rhumbline.gateways.svm.messages import signature_of

MAX_ANSWER_BYTES = 16 * 1024 * 1024
"""Room for the largest account, 10 MiB in base64; a hundred lookup tables have 1 MB, a transaction some 100 KB."""
MOST_ACCOUNTS = 100
MOST_SIGNATURES = 1000
MOST_STATUSES = 256
# The node is behind, has not reached the slot asked for, or wants to be left alone: another time it would answer.
_PASSING = frozenset({-32005, -32016, 429})
_SOUND = 200
_CONFIRMED, _GENESIS = "confirmed", "getGenesisHash"
_SIGNATURES, _TRANSACTION = "getSignaturesForAddress", "getTransaction"
_Answer = TypeVar("_Answer")


class SvmRpcError(NodeRefused):
    """A node understood the call and refused it.

    ``error`` is why the runtime would refuse the transaction, and ``logs`` what its programs wrote, where the call was
    about one (code -32002).
    """

    def __init__(
        self, code: int, message: str, error: TransactionError | None = None, logs: tuple[str, ...] = ()
    ) -> None:
        """Keep the node's code and words, the runtime's error and the programs' lines."""
        super().__init__(message)
        self.code = code
        self.error = error
        self.logs = logs


@dataclass(frozen=True, slots=True)
class SvmRpc:
    """A node behind ``url``. ``name`` is the chain's key, used in errors and logs; times are in seconds.

    Every method raises SvmRpcError when the node refuses, NodeUnavailable when it does not answer, or answers something
    that is not what was asked for. State is read at ``commitment``; confirmed is what two thirds of the stake voted on.
    ``pace`` is told of each confirmed height. Without ``cluster`` the node may be on any.
    """

    url: str = field(repr=False)
    http: HttpClient = field(repr=False)
    name: str = "svm"
    timeout_s: float = 10.0
    commitment: str = _CONFIRMED
    pace: BlockPace = field(default_factory=BlockPace, repr=False, compare=False)
    cluster: Cluster | None = field(default=None, repr=False, compare=False)

    async def call(self, method: str, params: Sequence[object] = (), timeout_s: float | None = None) -> object:
        """Make one call and return its ``result``; raise OtherCluster where the node is not of this chain."""
        return await self._of_this_cluster(method, self._asked(method, params, timeout_s))

    async def _of_this_cluster(self, method: str, asking: Awaitable[_Answer]) -> _Answer:
        if self.cluster is None or method == _GENESIS:
            return await asking
        return await self.cluster.vouched(self.name, self.genesis_hash, asking)

    async def _asked(self, method: str, params: Sequence[object], timeout_s: float | None) -> object:
        return self._result(*await self._answer(method, params, timeout_s, MAX_ANSWER_BYTES))

    async def _answer(
        self, method: str, params: Sequence[object], timeout_s: float | None, largest: int
    ) -> tuple[int, bytes]:
        timeout_s = timeout_s or self.timeout_s
        body = {"jsonrpc": "2.0", "id": 0, "method": method, "params": list(params)}
        status, raw = await post(self.http, self.url, self.name, body, timeout_s=timeout_s, largest_bytes=largest)
        if status in OVERLOADED:
            raise NodeUnavailable(f"{self.name}: the node asks to be left alone (HTTP {status})")
        return status, raw

    def _result(self, status: int, raw: bytes) -> object:
        try:
            answer = read_json(raw)
        except ValueError:
            # Without its cause, which may show parts of the answer.
            words = f"{self.name}: the node's answer is not JSON (HTTP {status})"
            raise (NotUnderstood(words) if status == _SOUND else NodeUnavailable(words)) from None
        return result_of(answer, self.name, self.url, self._refusal)

    async def genesis_hash(self) -> str:
        """Ask for the hash of the first block, which tells the cluster (``CLUSTERS``)."""
        return Reader("a blockhash").address(await self.call(_GENESIS))

    async def slot(self) -> int:
        """Ask for the latest slot."""
        return Reader("a slot").integer(await self.call("getSlot", [self._at()]))

    async def block_height(self) -> int:
        """Ask how many blocks there are; what ``last_valid_block_height`` is compared with."""
        return self._noted(Reader("a block height").integer(await self.call("getBlockHeight", [self._at()])))

    async def epoch(self) -> Epoch:
        """Ask where the chain is; Token-2022 changes its fees by epochs."""
        return read_epoch(await self.call("getEpochInfo", [self._at()]))

    async def latest_blockhash(self) -> Blockhash:
        """Ask for a blockhash to build a transaction on; it serves for 150 blocks (``pace`` tells how long that is)."""
        slot, value = read_context(await self.call("getLatestBlockhash", [self._at()]))
        found = read_blockhash(value, slot)
        self._noted(found.height)
        return found

    async def slot_of_validity(self, blockhash: str) -> int | None:
        """Return the newest processed slot in which a transaction may name a blockhash; None when it may not."""
        # What was processed only counts too: who made the hash may have asked another node, which is ahead.
        answer = await self.call("isBlockhashValid", [blockhash, {"commitment": "processed"}])
        slot, value = read_context(answer)
        return slot if Reader("whether a blockhash is valid").truth(value) else None

    async def rent(self) -> Rent:
        """Ask what an account must hold to be kept."""
        minimum = Reader("a balance").integer(await self.call("getMinimumBalanceForRentExemption", [0, self._at()]))
        try:
            return Rent.of_nothing(minimum)
        except ValueError as error:
            raise NodeUnavailable(f"{self.name}: {error}") from None

    async def account(self, address: str) -> Account | None:
        """Return an account, None when it is not there."""
        _, value = read_context(await self.call("getAccountInfo", [address, self._at(encoding="base64")]))
        return read_account(value)

    async def accounts(self, addresses: Sequence[str], *, most_bytes: int | None = None) -> AccountsAt:
        """Return up to 100 accounts of one slot, each with at most ``most_bytes`` of its data; ValueError for more."""
        asked = list(dict.fromkeys(addresses))
        if len(asked) > MOST_ACCOUNTS:
            raise ValueError(f"a node tells {MOST_ACCOUNTS} accounts at once")
        options = self._at(encoding="base64")
        if most_bytes is not None:
            options["dataSlice"] = {"offset": 0, "length": most_bytes}
        slot, value = read_context(await self.call("getMultipleAccounts", [asked, options]))
        reader = Reader("a list of the accounts asked for")
        found = [read_account(each) for each in reader.items(value)]
        if len(found) != len(asked):
            raise reader.refuse()
        return AccountsAt(slot, MappingProxyType(dict(zip(asked, found, strict=True))))

    async def signatures(
        self, address: str, *, before: str | None = None, until: str | None = None, limit: int = MOST_SIGNATURES
    ) -> tuple[SignatureInfo, ...]:
        """Return up to ``limit`` transactions that name an address, the newest first.

        ``before`` and ``until`` are signatures: those that are older than the one and newer than the other. A node
        forgets what is old, and then answers less without saying so; so does one whose page would be too large.
        ValueError for a limit beyond 1 to 1,000.
        """
        if not 1 <= limit <= MOST_SIGNATURES:
            raise ValueError(f"a node tells 1 to {MOST_SIGNATURES} transactions at once")
        options = self._at(limit=limit, **{k: v for k, v in (("before", before), ("until", until)) if v is not None})
        asking = self._answer(_SIGNATURES, [address, options], None, LARGEST_PAGE)
        try:
            status, raw = await self._of_this_cluster(_SIGNATURES, asking)
        except AnswerTooLarge:
            if limit == 1:
                raise
            return await self.signatures(address, before=before, until=until, limit=max(1, limit // 8))
        found, reader = read_page(raw), Reader("a list of transactions")
        listed = reader.items(self._result(status, raw)) if found is None else found
        if len(listed) > limit:
            raise reader.refuse()
        return tuple(map(read_signature_info, listed)) if found is None else found

    async def statuses(self, signatures: Sequence[str]) -> tuple[SignatureStatus | None, ...]:
        """Return how far up to 256 transactions are, in order, old ones too; None for one that is not known."""
        if len(signatures) > MOST_STATUSES:
            raise ValueError(f"a node tells {MOST_STATUSES} statuses at once")
        options = {"searchTransactionHistory": True}
        _, value = read_context(await self.call("getSignatureStatuses", [list(signatures), options]))
        reader = Reader("a list of the statuses asked for")
        found = reader.items(value)
        if len(found) != len(signatures):
            raise reader.refuse()
        return tuple(read_status(each) for each in found)

    async def transaction(self, signature: str) -> ExecutedTransaction | None:
        """Return an executed transaction, None when the node does not know it; it must be the one asked for.

        One of a version that is not read is refused by the node with code -32015.
        """
        told = await self.told(signature)
        return None if told is None else told.read()

    async def told(self, signature: str) -> ToldTransaction | None:
        """Return what the node tells of a transaction, of which no more is read than says whose it is."""
        options = self._at(encoding="base64", maxSupportedTransactionVersion=NEWEST)
        asking = self._answer(_TRANSACTION, [signature, options], None, LARGEST_ANSWER)
        status, raw = await self._of_this_cluster(_TRANSACTION, asking)
        found = glance(raw)
        if found is None and self._result(status, raw) is not None:
            raise NotUnderstood(f"{self.name}: the node answered something that is not a transaction")
        if found is not None and found.signature != signature:
            raise NotUnderstood(f"{self.name}: the node answered another transaction than was asked for")
        return found

    async def priority_fees(self, accounts: Sequence[str] = ()) -> tuple[PriorityFee, ...]:
        """Return what was paid of late, by slot, to have all of up to 128 accounts locked for writing."""
        reader = Reader("a list of priority fees")
        answer = await self.call("getRecentPrioritizationFees", [list(accounts)])
        return tuple(read_priority_fee(each) for each in reader.items(answer))

    async def simulate(
        self, transaction: bytes, accounts: Sequence[str] = (), *, own_blockhash: bool = False, inner: bool = False
    ) -> Simulation:
        """Run a transaction without signatures on the node's state, and return the ``accounts`` as it leaves them.

        The latest blockhash stands in for its own, unless ``own_blockhash``. ``inner`` asks for the calls between
        programs too. A transaction that fails is an answer: see ``error``. Only what cannot be run at all raises, and
        asking for more ``accounts`` than the message has.
        """
        options = self._at(
            encoding="base64", sigVerify=False, replaceRecentBlockhash=not own_blockhash, innerInstructions=inner
        )
        asked = list(accounts)
        if asked:
            options["accounts"] = {"encoding": "base64", "addresses": asked}
        slot, value = read_context(await self.call("simulateTransaction", [_text(transaction), options]))
        return read_simulation(value, slot, len(asked))

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

    def _refusal(self, error: Mapping[str, object]) -> SvmRpcError | NodeUnavailable:
        code, words = error.get("code"), told(error.get("message"), self.url)
        number = code if type(code) is int else 0
        if number in _PASSING:
            return NodeUnavailable(f"{self.name}: the node has no answer now ({words})")
        data = error.get("data")
        if not isinstance(data, dict):
            return SvmRpcError(number, words)
        reader = Reader("the lines of a transaction's programs")
        return SvmRpcError(number, words, read_error(data.get("err")), reader.logs(data.get("logs")))


def _text(transaction: bytes) -> str:
    return b64encode(transaction).decode()
