"""JSON-RPC to one EVM node, with batching.

Errors name the chain, never the URL: an operator's endpoint may carry a key.
"""

import json
import re
from base64 import b64encode
from binascii import unhexlify
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

import aiohttp

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.reaching import in_words

MAX_ANSWER_BYTES = 32 * 1024 * 1024
"""Room for the largest answer that cannot be had in smaller pieces, a block with its transactions: at most 8 MiB
(EIP-7934), so 16 MiB of hex and what JSON puts around it. Logs are asked for over fewer blocks when a node fails, and
simulations answer some hundred KB. What is let in may take twenty times its size when it is parsed, and everything else
waits meanwhile."""
_LONGEST_WORDS = 500
_MOST_WORDS = 8 * 1024
_SHORTEST_KEY = 8
# Tried only where a word begins, so once for each.
_ADDRESS = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z0-9+.-]++://\S+")
_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,64}\Z", re.ASCII)


class RpcError(NodeRefused):
    """An EVM node understood the call and refused it; ``data`` is the revert data, empty when there is none."""

    def __init__(self, code: int, message: str, data: bytes = b"") -> None:
        """Keep the node's code, its words and the revert data."""
        super().__init__(message)
        self.code = code
        self.data = data


def _revert_data(error: dict[str, object]) -> bytes:
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
    """A node behind ``url``. ``name`` is the chain's key, used in errors and logs; times are in seconds."""

    url: str = field(repr=False)
    session: aiohttp.ClientSession = field(repr=False)
    name: str = "evm"
    timeout_s: float = 10.0

    async def call(self, method: str, params: Sequence[object] = (), timeout_s: float | None = None) -> object:
        """Make one call and return its ``result``; raise RpcError or NodeUnavailable."""
        answer = await self._post({"jsonrpc": "2.0", "id": 0, "method": method, "params": list(params)}, timeout_s)
        return result_of(answer, self.name, self.url)

    async def batch(
        self, calls: Sequence[tuple[str, Sequence[object]]], timeout_s: float | None = None
    ) -> list[object | RpcError]:
        """Make several calls in one request; each place holds its result or its RpcError, in order."""
        if not calls:
            return []
        body = [{"jsonrpc": "2.0", "id": i, "method": m, "params": list(p)} for i, (m, p) in enumerate(calls)]
        answer = await self._post(body, timeout_s)
        if not isinstance(answer, list):
            raise NodeUnavailable(f"{self.name}: the node answered a batch with something else")
        by_id = {item["id"]: item for item in answer if isinstance(item, dict) and type(item.get("id")) is int}
        results: list[object | RpcError] = []
        for i in range(len(calls)):
            try:
                results.append(result_of(by_id.get(i), self.name, self.url))
            except RpcError as error:
                results.append(error)
        return results

    async def chain_id(self) -> int:
        """Ask the node which chain it is on."""
        return quantity(await self.call("eth_chainId"))

    async def block_number(self) -> int:
        """Ask for the number of the latest block."""
        return quantity(await self.call("eth_blockNumber"))

    async def eth_call(self, to: str, data: bytes, block: str = "latest") -> bytes:
        """Run a read-only call and return its data; a revert raises RpcError with the revert data."""
        return hex_bytes(await self.call("eth_call", [{"to": to, "data": "0x" + data.hex()}, block]))

    async def code(self, address: str) -> bytes:
        """Return the code at an address, empty when there is none."""
        return hex_bytes(await self.call("eth_getCode", [address, "latest"]))

    async def _post(self, body: object, timeout_s: float | None) -> object:
        timeout = aiohttp.ClientTimeout(total=timeout_s or self.timeout_s)
        try:
            async with self.session.post(self.url, json=body, timeout=timeout, allow_redirects=False) as response:
                raw = await self._read(response)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            # Without its cause, whose text may hold the URL.
            raise NodeUnavailable(f"{self.name}: the node does not answer ({in_words(error)})") from None
        try:
            # Not read_json, which takes three times as long for blocks and logs: every number in them is hex.
            return json.loads(raw)
        except (ValueError, RecursionError):
            # Without its cause, which holds the whole answer.
            raise NodeUnavailable(f"{self.name}: the node's answer is not JSON (HTTP {response.status})") from None

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        chunks = bytearray()
        async for chunk in response.content.iter_chunked(1 << 16):
            chunks += chunk
            if len(chunks) > MAX_ANSWER_BYTES:
                raise NodeUnavailable(f"{self.name}: the node's answer is larger than {MAX_ANSWER_BYTES} bytes")
        return bytes(chunks)


def result_of(answer: object, name: str, url: str) -> object:
    """Return the ``result`` of one answer; raise RpcError or NodeUnavailable, which show nothing of ``url``."""
    if not isinstance(answer, dict):
        raise NodeUnavailable(f"{name}: the node's answer is not JSON-RPC")
    error = answer.get("error")
    if isinstance(error, dict):
        code = error.get("code")
        raise RpcError(code if isinstance(code, int) else 0, _told(error.get("message"), url), _revert_data(error))
    if "result" not in answer:
        raise NodeUnavailable(f"{name}: the node's answer has neither result nor error")
    return answer["result"]


def _told(message: object, url: str) -> str:
    """Return as much of a node's message as may be shown, in characters that can be."""
    words = message if isinstance(message, str) else ""
    told = harmless(words[:_MOST_WORDS], url)
    if len(words) > _MOST_WORDS:
        # The cut may have left half of a secret at the end; none is longer in any of its forms.
        told = told[: -2 * len(url)]
    return "".join(each if each.isprintable() else " " for each in told[:_LONGEST_WORDS]).strip() or "no message"


def harmless(words: str, url: str) -> str:
    """Return a node's words without addresses and without the secret parts of ``url``, which gateways like to repeat.

    Secret may be its user, its password, and what is long in its path and query.
    """
    parts = urlsplit(url)
    pieces = {piece for name, piece in parse_qsl(parts.query)} | set(parts.path.split("/"))
    secrets = {piece for piece in pieces if len(piece) >= _SHORTEST_KEY}
    if parts.username or parts.password:
        user, password = parts.username or "", parts.password or ""
        secrets |= {user, password, b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()} - {""}
    words = _ADDRESS.sub("…", words)
    for secret in sorted({form for each in secrets for form in (each, unquote(each))}, key=len, reverse=True):
        words = words.replace(secret, "…")
    return words


def quantity(value: object) -> int:
    """Read a JSON-RPC quantity (0x-hex, 64 digits at the most); raise NodeUnavailable when it is something else."""
    if not isinstance(value, str) or not _QUANTITY.match(value):
        raise NodeUnavailable("the node answered something that is not a quantity")
    return int(value, 16)


def hex_bytes(value: object) -> bytes:
    """Read JSON-RPC data (0x-hex); raise NodeUnavailable when it is something else."""
    if not isinstance(value, str) or not value.startswith("0x"):
        raise NodeUnavailable("the node answered something that is not data")
    try:
        # Unlike bytes.fromhex it takes no blanks.
        return unhexlify(value[2:])
    except ValueError as error:
        raise NodeUnavailable("the node answered something that is not data") from error
