"""What clients send: whole requests as bytes, into the real protocol and the real application, without a socket.

A request is wrong or right; whatever it is, the answer is one below 500, and the connection is closed or in order.
"""

import asyncio
import re
from collections.abc import Sequence
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import uvicorn
from uvicorn.server import ServerState

from fuzz.decoder import Decoder
from fuzz.mutations import altered_body, altered_bytes, altered_text
from rhumbline.api.hot.protocol import HotProtocol
from rhumbline.api.server.application import create_app
from rhumbline.domain import route
from rhumbline.domain.errors import NoAvailableQuotes
from rhumbline.gateways.evm.address import checksummed
from tests.api.api_service import (
    KEY,
    SOLANA_ID,
    SOLANA_USDC,
    SOLANA_WALLET,
    TX_HASH,
    TX_ID,
    USDC,
    USDT,
    WALLET,
    ApiService,
    services,
)

_STATUS = re.compile(rb"HTTP/1\.1 ([0-9]{3}) ")
_SETTLED = 50
_QUOTE = {
    "senderAddress": WALLET, "receiverAddress": checksummed("0x" + "12" * 20), "originChainId": "1",
    "destinationChainId": "1", "amount": "1000000", "originCurrency": USDC, "destinationCurrency": USDT,
    "slippage": "0.01", "slippageMode": "auto", "integrator": "Acme", "fee": "0.001", "includeExchanges": "ONCHAIN",
    "excludeBridges": "ACROSS",
}  # fmt: skip
_FROM_SOLANA = {
    "senderAddress": SOLANA_WALLET, "originChainId": str(SOLANA_ID), "destinationChainId": str(SOLANA_ID),
    "amount": "1000000", "originCurrency": SOLANA_USDC, "destinationCurrency": "1" * 32,
}  # fmt: skip
_ROUTES = b"""{"fromChainId": 1, "toChainId": 1, "fromTokenAddress": "%b", "toTokenAddress": "%b", "fromAmount": "1000",
 "fromAddress": "%b", "options": {"slippage": 0.01, "order": "CHEAPEST", "integrator": "Acme", "fee": 0.001,
 "exchanges": {"allow": ["ONCHAIN"], "deny": []}, "bridges": {"allow": ["RELAY"]}}}""" % (
    USDC.encode(), USDT.encode(), WALLET.encode()
)  # fmt: skip
QUERIES = {
    "/v1/quotes": _QUOTE,
    "/v1/quotes/stream": _FROM_SOLANA,
    "/v1/price": {"chain": "1", "token": USDC},
    "/v1/prices": {"tokens": f"1:{USDC},1:USDT,sol:{SOLANA_USDC}"},
    "/v1/tokens": {"chains": "1,sol", "chainTypes": "EVM,SVM"},
    "/v1/token": {"chain": "eth", "token": "USDC"},
    "/v1/tools": {"chains": "1,8453"},
    "/v1/chains": {"chainTypes": "EVM"},
    "/v1/transactions": {
        "status": "success", "routeType": "swap", "sourceChainId": "1", "destChainId": "1", "limit": "20",
        "senderAddress": WALLET, "since": "2026-01-01T00:00:00Z", "until": "2026-12-31T23:59:59.999+01:00",
    },
    f"/v1/transactions/{TX_ID}": {"integrator": "Acme"},
    f"/v1/status/{TX_HASH}": {},
    "/v1/status": {"transactionId": TX_ID},
    "/logos/AB/0x12.svg": {}, "/v1/tokenlists/1.json": {},
    "/health": {}, "/health/ready": {}, "/metrics": {}, "/openapi.json": {}, "/": {"lang": "de"}, "/docs": {},
}  # fmt: skip
HEADERS = {
    "host": "rhumbline.example", "x-api-key": KEY, "accept-encoding": "br;q=0.9, gzip, *;q=0.1",
    "accept-language": "de-CH, fr;q=0.9, *;q=0.5", "if-none-match": 'W/"abc", "def"', "x-request-id": "mine-1",
    "origin": "https://app.example", "x-forwarded-for": "10.0.0.1, 192.0.2.7", "cookie": "session=abc; lang=de",
    "range": "bytes=0-10", "authorization": "Bearer abc", "user-agent": "fuzz",
}  # fmt: skip


class Wire(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 4711), "sockname": ("127.0.0.1", 8700)})
        self.sent = bytearray()
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def is_reading(self) -> bool:
        return not self.closed

    def can_write_eof(self) -> bool:
        return False


class _Answering(ApiService):
    """What is below the API knows a few tokens only, and says so of others."""

    async def quote(self, request: route.RouteRequest, tell: route.OnAnswer | None = None, /) -> route.RouteAnswer:
        try:
            return await super().quote(request, tell)
        except KeyError:
            raise NoAvailableQuotes("Nobody knows this token") from None


class Served:
    """One application; each input is a connection of its own."""

    def __init__(self) -> None:
        app = create_app(services(_Answering(), {}))
        self.config = uvicorn.Config(
            app, http=HotProtocol, ws="none", lifespan="off", log_config=None, access_log=False, server_header=False
        )
        self.config.load()

    async def tell(self, parts: Sequence[bytes]) -> bytes:
        """Give a connection these pieces; return what it answers. AssertionError for a fault of ours."""
        state, wire = ServerState(), Wire()
        protocol = HotProtocol(self.config, state, {}, asyncio.get_running_loop())
        protocol.connection_made(wire)
        try:
            for part in parts:
                if not wire.closed:
                    protocol.data_received(part)
                for _ in range(_SETTLED):
                    await asyncio.sleep(0)
                    if not state.tasks:
                        break
        finally:
            if state.tasks:
                protocol.connection_lost(None)
                await asyncio.gather(*state.tasks, return_exceptions=True)
            else:
                protocol.connection_lost(None)
        sent = bytes(wire.sent)
        for status in _STATUS.findall(sent):
            assert int(status) < 500 or status == b"503", sent[:300]
        assert not sent or sent.startswith(b"HTTP/1.1 "), sent[:300]
        return sent


def request(path: str, query: dict[str, str], body: bytes = b"", method: str = "GET") -> bytes:
    """A genuine request with every header that is read."""
    lines = [f"{method} {path}?{urlencode(query)} HTTP/1.1" if query else f"{method} {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in HEADERS.items()]
    if body:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _requests() -> tuple[tuple[bytes, ...], ...]:
    gets = [(request(path, query),) for path, query in QUERIES.items()]
    posts = [(request("/v1/advanced/routes", {}, _ROUTES, "POST"),)]
    chunked = request("/v1/chains", {}).replace(b"\r\n\r\n", b"\r\ntransfer-encoding: chunked\r\n\r\n")
    return (*gets, *posts, (chunked, b"3\r\nabc\r\n0\r\n\r\n"), tuple(each[0] for each in gets[2:5]))


def altered_request(rng: Random, parts: Sequence[bytes], others: Sequence[Sequence[bytes]]) -> tuple[bytes, ...]:
    """A parameter, a header, the body, or the bytes altered; sometimes cut into pieces."""
    whole = b"".join(parts)
    head, _, body = whole.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    way = rng.randrange(6)
    if way == 0:
        whole = altered_bytes(rng, whole, [b"".join(each) for each in others[:6]])
    elif way == 1:
        place = rng.randrange(len(lines))
        lines[place] = altered_bytes(rng, lines[place], lines)
        whole = b"\r\n".join(lines) + b"\r\n\r\n" + body
    elif way in (2, 3) or not body:
        path, query = rng.choice(sorted(QUERIES.items()))
        values = dict(query)
        for name in rng.sample(sorted(values), min(len(values), rng.randint(1, 2))):
            values[name] = altered_text(rng, values[name], [*values.values()])
        target = path + "?" + "&".join(f"{name}={quote(value, errors='replace')}" for name, value in values.items())
        lines[0] = b"GET " + target.encode() + b" HTTP/1.1"
        whole = b"\r\n".join(lines) + b"\r\n\r\n"
    else:
        changed = altered_body(rng, body)
        lines = [line for line in lines if not line.startswith(b"content-length")]
        whole = b"\r\n".join([*lines, b"content-length: %d" % len(changed)]) + b"\r\n\r\n" + changed
    if rng.randrange(4):
        return (whole,)
    cut = rng.randrange(len(whole) + 1)
    return whole[:cut], whole[cut:]


def inbound() -> list[Decoder]:
    """The decoders that clients reach."""
    served: list[Served] = []

    async def read(parts: Sequence[bytes]) -> Any:
        if not served:
            served.append(Served())
        return await served[0].tell(parts)

    return [Decoder("requests", _requests(), altered_request, read, ())]
