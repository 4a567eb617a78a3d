"""1Click by recordings: what it answers is fixed and signed when it is answered, what it was asked is kept."""

import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiohttp import web
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.adapters.near_intents import SPEC
from rhumbline.adapters.near_intents.adapter import NearIntentsAdapter
from rhumbline.adapters.near_intents.deployments import DEPLOYMENTS, Deployment
from rhumbline.domain.chain import ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from tests.adapters.bridging.replay import answering, asked, begun, chain, token

RECORDINGS = Path(__file__).with_name("recordings")
SENDER = "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4"
RECEIVER = "0xAb8483F64d9C6d1EcF9b849Ae677dD3315835cb2"
EXECUTOR = "0xdD870fA1b7C4700F2BD7f44238821C26f7392148"
DEPOSIT = "0x4B20993Bc481177ec7E8f571ceCaE8A9e22C02db"
KEYPAIR = Keypair.from_seed(hashlib.sha256(b"1Click of the recordings").digest())
SIGNER = f"ed25519:{KEYPAIR.pubkey()}"
SIGNED_HERE = {chain: replace(place, signer=SIGNER) for chain, place in DEPLOYMENTS.items()}
UNSIGNED = frozenset({"depositMode", "confidentiality", "appFees", "sessionId", "connectedWallets"})
DEADLINE = int(datetime(2026, 11, 21, 12, 20, tzinfo=UTC).timestamp())


def recording(name: str) -> Any:
    return json.loads((RECORDINGS / f"{name}.json").read_text("utf-8"))


def signed(document: Any, keypair: Keypair = KEYPAIR) -> Any:
    """The answer with a signature over what it says itself: the service's, whatever was asked of it, and by whom."""
    request, quote = document["quoteRequest"], document["quote"]
    what = {name: value for name, value in request.items() if name not in UNSIGNED}
    what = {name: value for name, value in what.items() if value or name in ("dry", "slippageTolerance")}
    if request["dry"]:
        quote = {name: value for name, value in quote.items() if name.startswith(("amount", "minAmount"))}
    what |= {name: value for name, value in quote.items() if value} | {"timestamp": document["timestamp"]}
    digest = hashlib.sha256(json.dumps(what, sort_keys=True, separators=(",", ":")).encode()).digest()
    return document | {"signature": f"ed25519:{keypair.sign_message(str(Pubkey.from_bytes(digest)).encode())}"}


CHAINS = {1: chain(1), 8453: chain(8453), 10: chain(10), 1000000001: chain(1000000001, ChainType.SVM), 5: chain(5)}
USDC = token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6)
USDC_BASE = token(8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USDC", 6)


def request(**changes: Any) -> QuoteRequest:
    """250 USDC from Ethereum to Base through the Executor, with half a percent of slippage."""
    given = {"sender": SENDER, "receiver": RECEIVER, "taker": EXECUTOR, "payout_address": RECEIVER}
    return asked(
        (CHAINS[1], CHAINS[8453]), (USDC, USDC_BASE), 250_000_000, **given | {"deadline": DEADLINE} | changes
    )  # fmt: skip


def transfer(**changes: Any) -> Transfer:
    return begun("NEAR_INTENTS", request(), 248_376_875, **{"reference": DEPOSIT} | changes)


@dataclass
class Replay:
    """``quotes`` are answered in their order, ``status`` and ``tokens`` at any time; (HTTP status, body) each.

    Quotes are signed as they are answered, whatever a test made of them, unless ``signs`` is False.
    """

    quotes: list[tuple[int, Any]] = field(default_factory=list)
    status: tuple[int, Any] = (404, {"message": "not found"})
    tokens: tuple[int, Any] = field(default_factory=lambda: (200, recording("tokens")))
    asked: list[tuple[str, str, Mapping[str, str], Any]] = field(default_factory=list)
    signs: bool = True

    @property
    def questions(self) -> list[Any]:
        return [body for method, path, _, body in self.asked if path == "/v0/quote"]

    async def answer(self, asked: web.Request) -> web.Response:
        body = await asked.json() if asked.can_read_body else None
        self.asked.append((asked.method, asked.path_qs, dict(asked.headers), body))
        known = {"/v0/tokens": self.tokens, "/v0/status": self.status}
        status, document = known[asked.path] if asked.method == "GET" else self.quotes.pop(0)
        whole = isinstance(document, dict) and {"quoteRequest", "quote", "timestamp", "signature"} <= document.keys()
        return web.json_response(signed(document) if self.signs and whole else document, status=status)


@asynccontextmanager
async def replaying(
    replay: Replay,
    credentials: Mapping[str, str] | None = None,
    deployments: Mapping[int, Deployment] = SIGNED_HERE,
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC),
) -> AsyncIterator[NearIntentsAdapter]:
    """The adapter before a server that gives the recordings."""
    given = credentials or {}
    async with (
        answering(replay.answer) as url,
        open_upstream("NEAR_INTENTS", url, headers=SPEC.headers(given)) as http,
    ):
        yield NearIntentsAdapter(AdapterContext("NEAR_INTENTS", http, deployments, {}, CHAINS, lambda: now, given))


def recorded(*names: str) -> Sequence[tuple[int, Any]]:
    return [(200, recording(name)) for name in names]
