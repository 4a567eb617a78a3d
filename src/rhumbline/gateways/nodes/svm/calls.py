"""One call of a Solana node: sending, decoding by type, and what a refusal or a missing answer raises.

Errors name the chain, never the URL: an operator's endpoint may carry a key. Error codes: github.com/anza-xyz/agave,
rpc-client-api/src/custom_error.rs, read 2026-11-22.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from types import MappingProxyType
from typing import TypeVar

import msgspec
from msgspec.json import Decoder
from solders.pubkey import Pubkey

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import LACKING_FOR_S, Use
from rhumbline.gateways.nodes.endpoints import Endpoints
from rhumbline.gateways.nodes.json_rpc import Answer, UnexpectedAnswer, post, result_of, shown_message, why
from rhumbline.gateways.nodes.svm.cluster import Cluster
from rhumbline.gateways.nodes.svm.fields import Count, Shape, log_lines
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, Variant, read_error

MAX_ANSWER_BYTES = 16 * 1024 * 1024
"""Room for the largest account, 10 MiB in base64; a hundred lookup tables have 1 MB, a transaction some 100 KB."""
_SMALL_ANSWER_BYTES = 256 * 1024
_LARGEST_ERROR_BYTES = 1024 * 1024
_LARGEST: Mapping[str, int] = MappingProxyType(
    {
        "getAccountInfo": MAX_ANSWER_BYTES,
        "getMultipleAccounts": MAX_ANSWER_BYTES,
        "simulateTransaction": MAX_ANSWER_BYTES,
        "getBlock": MAX_ANSWER_BYTES,
        "getProgramAccounts": MAX_ANSWER_BYTES,
        "getTokenAccountsByOwner": MAX_ANSWER_BYTES,
        "getSignatureStatuses": 1024 * 1024,
        "sendTransaction": 1024 * 1024,
    }
)
"""By method; other answers have a few numbers. Decoding by type stops at the first value of another type, so that only
bytes need a bound.
"""
# The node is behind, has not reached the slot asked for, or wants to be left alone.
_PASSING = frozenset({-32005, -32016, 429})
_SOUND = 200
_GENESIS = "getGenesisHash"
T = TypeVar("T")
_Answer = TypeVar("_Answer")
_Self = TypeVar("_Self", bound="SvmCalls")
_ANYTHING: Decoder[Answer[object]] = Decoder(Answer[object])
_TEXT, _COUNT = Decoder(Answer[str]), Decoder(Answer[Count])


class _Outcome(msgspec.Struct):
    """An answer that is decoded only as far as to see that it is one: 16 MB of small values would take seconds."""

    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_OUTCOME = msgspec.json.Decoder(_Outcome)


class _Failure(Shape, frozen=True):
    """What a refusal says about its transaction."""

    err: Variant | None = None
    logs: list[str] | None = None


class NotNow(NodeUnavailable):
    """A node is behind, or limits our rate: it may answer later."""


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


class Batching:
    """Whether an endpoint accepts batches, if known; tried again after a while."""

    __slots__ = ("_refused_until",)

    def __init__(self) -> None:
        self._refused_until = -math.inf

    @property
    def is_refused(self) -> bool:
        return monotonic() < self._refused_until

    def refused(self) -> None:
        self._refused_until = monotonic() + LACKING_FOR_S


@dataclass(frozen=True, slots=True)
class SvmCalls:
    """Calls of a node behind ``url``. ``name`` is the chain's key, used in errors and logs; times are in seconds.

    Every method raises SvmRpcError if the node refuses, NodeUnavailable if it does not answer, or its answer is not one
    to the request. Without ``cluster`` the node may be on any. With ``endpoints`` it is all of these, each with its own
    calls and cluster, and ``url`` is the first one's.
    """

    url: str = field(repr=False)
    http: HttpClient = field(repr=False)
    name: str = "svm"
    timeout_s: float = 10.0
    cluster: Cluster | None = field(default=None, repr=False, compare=False)
    endpoints: "Endpoints[SvmCalls] | None" = field(default=None, repr=False, compare=False)
    batching: Batching = field(default_factory=Batching, repr=False, compare=False)

    def of(self: _Self, use: Use) -> _Self:
        """Return the same nodes as they are asked for one use."""
        return self if self.endpoints is None else replace(self, endpoints=self.endpoints.of(use))

    def each(self: _Self) -> Sequence[tuple[str, _Self]]:
        """Return every endpoint by its name, as a node of its own, set aside or not."""
        if self.endpoints is None:
            return [("1", self)]
        alone = [(each.name, each.rpc.url) for each in self.endpoints.every]
        return [(name, replace(self, url=url, endpoints=self.endpoints.only(name))) for name, url in alone]

    def other_than(self: _Self, names: Collection[str]) -> _Self | None:
        """Return the endpoints with other names than these, for a second opinion; None where there is none."""
        others = None if self.endpoints is None else self.endpoints.other_than(names)
        return None if others is None else replace(self, endpoints=others)

    async def call(self, method: str, params: Sequence[object] = (), timeout_s: float | None = None) -> object:
        """Make one call and return its ``result``; raise NodeOnOtherChain where the node is not of this chain."""
        return await self.ask(_ANYTHING, as_it_is, method, params, timeout_s=timeout_s)

    async def count(self, method: str, params: Sequence[object] = ()) -> int:
        """Make one call that is answered with a slot, a height, a time, or lamports."""
        return await self.ask(_COUNT, as_it_is, method, params)

    async def ask(
        self,
        decoder: Decoder[Answer[T]],
        read: Callable[[T], _Answer],
        method: str,
        params: Sequence[object] = (),
        *,
        timeout_s: float | None = None,
        largest_bytes: int | None = None,
    ) -> _Answer:
        """Make one call and return ``read`` of its decoded result; ``read`` raises ValueError for an invalid one."""
        return await self.ask_whole(
            decoder, lambda _, result: read(result), method, params, timeout_s=timeout_s, largest_bytes=largest_bytes
        )

    async def ask_whole(
        self,
        decoder: Decoder[Answer[T]],
        read: Callable[[bytes, T], _Answer],
        method: str,
        params: Sequence[object] = (),
        *,
        timeout_s: float | None = None,
        largest_bytes: int | None = None,
    ) -> _Answer:
        """As ``ask``, with the whole answer given to ``read`` before its result."""
        patience_s, most = timeout_s or self.timeout_s, largest_bytes or _LARGEST.get(method, _SMALL_ANSWER_BYTES)
        if self.endpoints is not None:
            return await self.endpoints.run(
                (method,),
                lambda each, left_s: each.ask_whole(
                    decoder, read, method, params, timeout_s=left_s, largest_bytes=most
                ),
                patience_s,
            )
        body = call_body(0, method, params)
        return self.read(decoder, read, method, await self.answered(method, body, patience_s, most))

    def read(
        self,
        decoder: Decoder[Answer[T]],
        read: Callable[[bytes, T], _Answer],
        method: str,
        answered: tuple[int, bytes],
    ) -> _Answer:
        """Return ``read`` of one call's answer; raises as every method does."""
        status, body = answered
        try:
            return read(body, decoder.decode(body).result)
        except (ValueError, RecursionError) as error:
            # Without its cause, which may show parts of the answer.
            self.make_sure_of_result(status, body)
            what = f"{self.name}: the node answered {method} with something else{why(error)}"
            raise UnexpectedAnswer(what) from None

    async def answered(self, method: str, body: object, timeout_s: float, largest_bytes: int) -> tuple[int, bytes]:
        """Post calls of a method to this one endpoint, and return the HTTP status and the body."""
        call = post(self.http, self.url, self.name, body, timeout_s=timeout_s, largest_bytes=largest_bytes)
        if self.cluster is None or method == _GENESIS:
            return await call
        return await self.cluster.vouched(self.name, self.genesis_hash, call)

    def make_sure_of_result(self, status: int, body: bytes) -> None:
        """Raise an answer's error, or that it is invalid; return if it has a result."""
        try:
            outcome = _OUTCOME.decode(body)
            error = _error_in(outcome)
        except msgspec.ValidationError:
            raise NodeUnavailable(f"{self.name}: the node's answer is not JSON-RPC") from None
        except (ValueError, RecursionError):
            words = f"{self.name}: the node's answer is not JSON (HTTP {status})"
            raise (UnexpectedAnswer(words) if status == _SOUND else NodeUnavailable(words)) from None
        answer = {} if outcome.result is msgspec.UNSET else {"result": None}
        result_of({**answer, "error": error}, self.name, self.url, self._refusal)

    async def genesis_hash(self) -> str:
        """Ask for the hash of the first block, which tells the cluster; raise NodeOnOtherChain."""
        if self.endpoints is not None:
            return await self.endpoints.run((_GENESIS,), lambda each, _: each.genesis_hash(), self.timeout_s)
        found = await self.ask(_TEXT, _checked_hash, _GENESIS)
        if self.cluster is not None:
            self.cluster.note(self.name, found)
        return found

    def _refusal(self, error: Mapping[str, object]) -> SvmRpcError | NodeUnavailable:
        code, words = error.get("code"), shown_message(error.get("message"), self.url)
        number = code if type(code) is int else 0
        if number in _PASSING:
            return NotNow(f"{self.name}: the node has no answer now ({words})")
        data = error.get("data")
        if not isinstance(data, dict):
            return SvmRpcError(number, words)
        try:
            failure = msgspec.convert(data, _Failure)
            return SvmRpcError(number, words, read_error(failure.err), log_lines(failure.logs))
        except ValueError as failed:
            return UnexpectedAnswer(f"{self.name}: the node refuses, and its reason is something else{why(failed)}")


def _error_in(outcome: _Outcome) -> object:
    """Decode what an answer has for an error; raise ValidationError where that is larger than any is."""
    if isinstance(outcome.error, msgspec.UnsetType):
        return None
    if len(memoryview(outcome.error)) > _LARGEST_ERROR_BYTES:
        raise msgspec.ValidationError
    found: object = msgspec.json.decode(outcome.error)
    return found


def call_body(number: int, method: str, params: Sequence[object]) -> Mapping[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": list(params)}


def as_it_is(result: T) -> T:
    return result


def _checked_hash(text: str) -> str:
    # It has the form of an address.
    Pubkey.from_string(text)
    return text
