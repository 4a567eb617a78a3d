"""JSON-RPC to the nodes of an EVM chain, with batching, and with simulated calls.

Errors name the chain, never the URL: an operator's endpoint may carry a key. Simulated calls are ``eth_simulateV1`` of
https://github.com/ethereum/execution-apis, read 2026-11.
"""

from binascii import unhexlify
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import Use
from rhumbline.gateways.nodes.endpoints import Endpoints
from rhumbline.gateways.nodes.evm.answer_bounds import Bound, bound_of
from rhumbline.gateways.nodes.identity import Identity, NodeOnOtherChain
from rhumbline.gateways.nodes.json_rpc import OVERLOAD_CODES, Answer, AnswerTooLarge, post, result_of, shown_message

CHAIN_ID = "eth_chainId"
_REVERTS = frozenset({3, -32015})
_SIMULATE = "eth_simulateV1"
_SIMULATED = bound_of([(_SIMULATE, ())])
Call = tuple[str, Sequence[object]]
"""A method and its parameters."""


class RpcError(NodeRefused):
    """An EVM node understood the call and refused it; ``data`` is the revert data, empty if there is none."""

    def __init__(self, code: int, message: str, data: bytes = b"") -> None:
        super().__init__(message)
        self.code = code
        self.data = data

    @property
    def is_revert(self) -> bool:
        """Whether the contract that was called is why: codes are geth's and Nethermind's, others say it in words."""
        return bool(self.data) or self.code in _REVERTS or "revert" in self.message.lower()


class Log(msgspec.Struct, frozen=True):
    """An event: ``address`` in lower case."""

    address: str
    topics: tuple[bytes, ...]
    data: bytes


class CallResult(msgspec.Struct, frozen=True):
    """The result of a simulated call. ``gas`` is its peak if the node reports it, otherwise the used gas."""

    ok: bool
    data: bytes
    gas_used: int
    gas: int
    logs: tuple[Log, ...]

    @property
    def number(self) -> int | None:
        return int.from_bytes(self.data) if self.ok and len(self.data) == 32 else None


class _Log(msgspec.Struct):
    address: str
    topics: list[str]
    data: str

    def log(self) -> Log:
        return Log(self.address.lower(), tuple(map(hex_bytes, self.topics)), hex_bytes(self.data))


class _Call(msgspec.Struct, rename="camel"):
    status: str
    gas_used: str
    return_data: str | None = None
    max_used_gas: str | None = None
    logs: list[_Log] | None = None

    def result(self) -> CallResult:
        used = quantity(self.gas_used)
        most = used if self.max_used_gas is None else max(used, quantity(self.max_used_gas))
        logs = tuple([log.log() for log in self.logs or ()])
        return CallResult(quantity(self.status) == 1, hex_bytes(self.return_data or "0x"), used, most, logs)


class _Block(msgspec.Struct):
    calls: list[_Call]


_BLOCKS = msgspec.json.Decoder(Answer[list[_Block]])


def _revert_data(error: Mapping[str, object]) -> bytes:
    data = error.get("data")
    if isinstance(data, dict):
        data = data.get("data")
    if isinstance(data, str) and data.startswith("0x"):
        try:
            return bytes.fromhex(data[2:])
        except ValueError:
            return b""
    return b""


@dataclass(frozen=True, slots=True)
class EvmRpc:
    """A node behind ``url``. ``name`` is the chain's key, used in errors and logs; times are in seconds.

    With ``endpoints`` it is all of these, each an ``EvmRpc`` of its own, and ``url`` is the first one's. Without
    ``identity`` a node may be on any chain; else every call raises NodeOnOtherChain where it is on another.
    """

    url: str = field(repr=False)
    http: HttpClient = field(repr=False)
    name: str = "evm"
    timeout_s: float = 10.0
    identity: Identity[int] | None = field(default=None, repr=False, compare=False)
    endpoints: "Endpoints[EvmRpc] | None" = field(default=None, repr=False, compare=False)

    def of(self, use: Use) -> "EvmRpc":
        """Return the same nodes for one use."""
        return self if self.endpoints is None else replace(self, endpoints=self.endpoints.of(use))

    def each(self) -> "Sequence[tuple[str, EvmRpc]]":
        """Return every endpoint by its name, as a node of its own, set aside or not."""
        if self.endpoints is None:
            return [("1", self)]
        alone = [(each.name, each.rpc.url) for each in self.endpoints.every]
        return [(name, replace(self, url=url, endpoints=self.endpoints.only(name))) for name, url in alone]

    def other_than(self, names: Collection[str]) -> "EvmRpc | None":
        """Return the endpoints with other names than these, for a second opinion; None where there is none."""
        others = None if self.endpoints is None else self.endpoints.other_than(names)
        return None if others is None else replace(self, endpoints=others)

    def lacks(self, method: str) -> bool:
        """Return, after a node refused a method, whether all endpoints are known to lack it."""
        return self.endpoints is None or self.endpoints.lack(method) is not None

    async def call(self, method: str, params: Sequence[object] = (), timeout_s: float | None = None) -> object:
        """Make one call and return its ``result``; raise RpcError or NodeUnavailable."""
        patience_s = timeout_s or self.timeout_s
        if self.endpoints is not None:
            return await self.endpoints.run(
                (method,), lambda each, left_s: each.call(method, params, left_s), patience_s
            )
        body = {"jsonrpc": "2.0", "id": 0, "method": method, "params": list(params)}
        bound = bound_of([(method, params)])
        answer = self._read(*await self._raw((method,), body, patience_s, bound), bound)
        return self._checked(method, self._result(answer))

    async def simulate_calls(
        self, params: Sequence[object], count: int, timeout_s: float | None = None
    ) -> list[CallResult]:
        """Run one block of ``count`` calls by ``eth_simulateV1``; raise RpcError or NodeUnavailable."""
        patience_s = timeout_s or self.timeout_s
        if self.endpoints is not None:
            return await self.endpoints.run(
                (_SIMULATE,), lambda each, left_s: each.simulate_calls(params, count, left_s), patience_s
            )
        body = {"jsonrpc": "2.0", "id": 0, "method": _SIMULATE, "params": params}
        status, raw = await self._raw((_SIMULATE,), body, patience_s, _SIMULATED)
        try:
            blocks = _BLOCKS.decode(raw).result
        except (ValueError, RecursionError):
            # An error, or nothing that is sound.
            self._result(self._read(status, raw, _SIMULATED))
            blocks = []
        if len(blocks) != 1 or len(blocks[0].calls) != count:
            raise NodeUnavailable(f"{self.name}: the node answered {_SIMULATE} with something else")
        return [call.result() for call in blocks[0].calls]

    async def batch(self, calls: Sequence[Call], timeout_s: float | None = None) -> list[object | RpcError]:
        """Make several calls in one request to one endpoint; each result is a value or an RpcError, in order."""
        if not calls:
            return []
        patience_s, methods = timeout_s or self.timeout_s, tuple(method for method, _ in calls)
        if self.endpoints is not None:
            return await self.endpoints.run(
                methods,
                lambda each, left_s: each.batch(calls, left_s),
                patience_s,
                lambda answers: [(m, a) for m, a in zip(methods, answers, strict=True) if isinstance(a, RpcError)],
            )
        if self.identity is not None and self.identity.is_to_be_asked and CHAIN_ID not in methods:
            async with self.identity.looking:
                there, *answers = await self.batch([(CHAIN_ID, ()), *calls], timeout_s)
            if isinstance(there, RpcError):
                raise there
            return answers
        body = [{"jsonrpc": "2.0", "id": i, "method": m, "params": list(p)} for i, (m, p) in enumerate(calls)]
        bound = bound_of(calls)
        answer = self._read(*await self._raw(methods, body, patience_s, bound), bound)
        if not isinstance(answer, list):
            raise NodeUnavailable(f"{self.name}: the node answered a batch with something else")
        by_id = {item["id"]: item for item in answer if isinstance(item, dict) and type(item.get("id")) is int}
        results: list[object | RpcError] = []
        for i, method in enumerate(methods):
            try:
                results.append(self._checked(method, self._result(by_id.get(i))))
            except RpcError as error:
                results.append(error)
        return results

    async def chain_id(self) -> int:
        return quantity(await self.call(CHAIN_ID))

    async def make_sure(self, chain_id: int) -> None:
        """Raise NodeOnOtherChain if the node is on another chain; it is asked if its last answer is too old."""
        if self.endpoints is not None:
            await self.endpoints.run((CHAIN_ID,), lambda each, _: each.make_sure(chain_id), self.timeout_s)
        elif self.identity is not None:
            await self.identity.make_sure(self.name, self.chain_id)
        elif (found := await self.chain_id()) != chain_id:
            raise NodeOnOtherChain(self.name, f"chain {found}")

    async def block_number(self) -> int:
        return quantity(await self.call("eth_blockNumber"))

    async def eth_call(self, to: str, data: bytes, block: str = "latest") -> bytes:
        """Run a read-only call and return its data; a revert raises RpcError with the revert data."""
        return hex_bytes(await self.call("eth_call", [{"to": to, "data": "0x" + data.hex()}, block]))

    async def code(self, address: str) -> bytes:
        return hex_bytes(await self.call("eth_getCode", [address, "latest"]))

    def _result(self, answer: object) -> object:
        return result_of(answer, self.name, self.url, self._refusal)

    def _refusal(self, error: Mapping[str, object]) -> RpcError | NodeUnavailable:
        code, words = error.get("code"), shown_message(error.get("message"), self.url)
        if code in OVERLOAD_CODES:
            return NodeUnavailable(f"{self.name}: the node limits our rate ({words})")
        return RpcError(code if isinstance(code, int) else 0, words, _revert_data(error))

    def _checked(self, method: str, result: object) -> object:
        """Note the chain that a node says it is on; raise NodeOnOtherChain."""
        if method == CHAIN_ID and self.identity is not None:
            self.identity.note(self.name, quantity(result))
        return result

    async def _raw(self, methods: Sequence[str], body: object, timeout_s: float, bound: Bound) -> tuple[int, bytes]:
        call = post(self.http, self.url, self.name, body, timeout_s=timeout_s, largest_bytes=bound.size)
        if self.identity is None:
            return await call
        if CHAIN_ID in methods:
            self.identity.doubt()
            return await call
        return await self.identity.vouched(self.name, self.chain_id, call)

    def _read(self, status: int, raw: bytes, bound: Bound) -> object:
        if bound.is_exceeded(raw):
            raise AnswerTooLarge(f"{self.name}: the node's answer has more than {bound.values} values")
        try:
            # Not read_json, which takes several times as long for blocks and logs: every number in them is hex.
            return msgspec.json.decode(raw)
        except (ValueError, RecursionError):
            # Without its cause, which holds the whole answer.
            raise NodeUnavailable(f"{self.name}: the node's answer is not JSON (HTTP {status})") from None


def quantity(value: object) -> int:
    """Read a JSON-RPC quantity (0x-hex, 64 digits at the most); raise NodeUnavailable when it is something else."""
    # Letters and digits only: int takes signs, blanks, underscores and other alphabets' digits as well.
    if isinstance(value, str) and value.startswith("0x") and len(value) <= 66 and value.isalnum() and value.isascii():
        try:
            return int(value, 16)
        except ValueError:
            pass
    raise NodeUnavailable("the node answered something that is not a quantity")


def hex_bytes(value: object) -> bytes:
    """Read JSON-RPC data (0x-hex); raise NodeUnavailable when it is something else."""
    if not isinstance(value, str) or not value.startswith("0x"):
        raise NodeUnavailable("the node answered something that is not data")
    try:
        # Unlike bytes.fromhex it takes no blanks.
        return unhexlify(value[2:])
    except ValueError as error:
        raise NodeUnavailable("the node answered something that is not data") from error
