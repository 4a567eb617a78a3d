"""The service on things that fail on demand, and everything that is asked of it."""

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp

from rhumbline.accounts.service import Accounts
from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.postgres.engine import create_engine
from tests.outages.expectations import Asked
from tests.outages.faulty import FaultyHost, FaultyStore, faulty_host, faulty_store
from tests.portal.stack import running_service

USDC = 1_000 * 10**6
_ID = "0x" + "11" * 32
_PATIENCE_S = 60.0
Request = Callable[[aiohttp.ClientSession], Any]


@dataclass(frozen=True)
class Reply:
    """An answer: ``text`` is its body, of a stream the last event's data."""

    status: int
    retry_s: float | None
    text: str

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found


@dataclass
class FragileService:
    """Asks the service. ``hosts`` are the nodes by their chain's key, ``prices`` the price source."""

    sandbox: Sandbox
    base_url: str
    key: str
    hosts: Mapping[str, FaultyHost]
    prices: FaultyHost
    store: FaultyStore
    session: aiohttp.ClientSession
    steps: dict[Asked, dict[str, Any]] = field(default_factory=dict)
    strangers: int = 0

    @property
    def here(self) -> SandboxChain:
        return self.sandbox.evm_chains[0]

    @property
    def solana(self) -> SandboxChain:
        return next(chain for chain in self.sandbox.chains if chain.type is ChainType.SVM)

    async def ask(self, wanted: Iterable[Asked]) -> dict[Asked, Reply]:
        """Ask all of it at once."""
        asked = list(wanted)
        return dict(zip(asked, await asyncio.gather(*map(self._one, asked)), strict=True))

    async def _one(self, asked: Asked) -> Reply:
        method, path, query, body = self._request(asked)
        headers = {"origin": self.base_url, "x-api-key": self.key if asked in _KEYED else ""}
        async with self.session.request(method, self.base_url + path, params=query, json=body, headers=headers) as got:
            text, wait = await got.text(), got.headers.get("retry-after")
            if asked is Asked.SVM_STREAM and got.status == 200:
                return _last_event(text)
            return Reply(got.status, None if wait is None else float(wait), text)

    def _request(self, asked: Asked) -> tuple[str, str, dict[str, str] | None, object]:
        here, there, solana = self.here, self.sandbox.evm_chains[1], self.solana
        self.strangers += 1
        match asked:
            case Asked.EVM_STEP | Asked.SVM_STEP:
                return "POST", "/v1/advanced/stepTransaction", None, self.steps[asked]
            case Asked.EVM_ROUTES:
                return "POST", "/v1/advanced/routes", None, _body(self._question(here, here))
            case Asked.SVM_ROUTES:
                return "POST", "/v1/advanced/routes", None, _body(self._question(solana, here))
            case Asked.EVM_STRANGER:
                # What a node said of a token once is kept: each time another.
                return "GET", "/v1/token", {"chain": here.key, "token": f"0x{self.strangers:040x}"}, None
            case Asked.SVM_STRANGER:
                mint = str(keypair(10_000 + self.strangers).pubkey())
                return "GET", "/v1/token", {"chain": solana.key, "token": mint}, None
            case Asked.TOKEN:
                return "GET", "/v1/token", {"chain": solana.key, "token": "USDC"}, None
            case Asked.PRICES:
                return "GET", "/v1/prices", {"tokens": f"{here.id}:{here.tokens['USDC'].address}"}, None
            case Asked.CHALLENGE:
                wallet = self.sandbox.accounts[0].address
                return "POST", "/portal/challenge", None, {"address": wallet, "chainId": "0x1"}
        if asked in _PLAIN:
            return "GET", _PLAIN[asked], None, None
        ends = {
            Asked.EVM_SWAP: (here, here),
            Asked.FROM_EVM: (here, there),
            Asked.TO_SVM: (here, solana),
            Asked.SVM_SWAP: (solana, solana),
            Asked.FROM_SVM: (solana, here),
            Asked.SVM_STREAM: (solana, here),
        }
        path = "/v1/quotes/stream" if asked is Asked.SVM_STREAM else "/v1/quotes"
        return "GET", path, self._question(*ends[asked]), None

    def _question(self, origin: SandboxChain, destination: SandboxChain) -> dict[str, str]:
        bought = destination.tokens["USDC"].address
        if origin == destination:
            bought = NATIVE_SVM if origin == self.solana else origin.tokens["WETH"].address
        return {
            "originChainId": str(origin.id),
            "originCurrency": origin.tokens["USDC"].address,
            "destinationChainId": str(destination.id),
            "destinationCurrency": bought,
            "amount": str(USDC),
            "senderAddress": self._wallet(origin.type),
            "receiverAddress": self._wallet(destination.type),
        }

    def _wallet(self, chain_type: ChainType) -> str:
        return next(each.address for each in self.sandbox.accounts if each.type is chain_type)

    async def plan(self) -> None:
        """Keep the first step of a route from each wing, to have its transaction asked for later."""
        told = await self.ask((Asked.EVM_ROUTES, Asked.SVM_ROUTES))
        for routes, step in ((Asked.EVM_ROUTES, Asked.EVM_STEP), (Asked.SVM_ROUTES, Asked.SVM_STEP)):
            assert told[routes].status == 200, told[routes].text
            steps = [route["steps"][0] for route in told[routes].json["routes"]]
            # On-chain liquidity is quoted from the node itself, and so cannot be had without.
            plan = next(each for each in steps if each["tool"] != "ONCHAIN")
            ends = {name: plan["execution"]["quoteRequest"][name] for name in ("senderAddress", "receiverAddress")}
            self.steps[step] = {"step": plan, "context": ends}


_KEYED = frozenset({Asked.TRANSACTIONS, Asked.LOOKUP})
_PLAIN: Mapping[Asked, str] = {
    Asked.TOKENS: "/v1/tokens",
    Asked.CHAINS: "/v1/chains",
    Asked.TRANSACTIONS: "/v1/transactions",
    Asked.LOOKUP: f"/v1/transactions/{_ID}/status",
    Asked.STATUS: f"/v1/status/{_ID}",
    Asked.PORTAL: "/portal",
    Asked.HEALTH: "/health",
    Asked.READY: "/health/ready",
}


def _body(question: dict[str, str]) -> dict[str, object]:
    """Write a question as a body: chain IDs are numbers there."""
    return {name: int(value) if name.endswith("ChainId") else value for name, value in question.items()}


def _last_event(text: str) -> Reply:
    block = text.rstrip("\n").rpartition("\n\n")[2]
    fields = dict(line.split(": ", 1) for line in block.splitlines())
    failed = fields["event"] == "error"
    retry = float(fields["retry"]) / 1000 if "retry" in fields else None
    return Reply(json.loads(fields["data"])["statusCode"] if failed else 200, retry, fields["data"])


@asynccontextmanager
async def fragile_service(
    sandbox: Sandbox, emulators: Collection[Emulator], source: DefiLlama, dsn: str, folder: Path, sockets: Path
) -> AsyncIterator[FragileService]:
    """Serve on the sandbox through hosts and a store that fail; ``sockets`` is a folder with a short name."""
    parts = parse_qs(urlsplit(dsn).query)
    server = Path(parts["host"][0])
    async with AsyncExitStack() as stack:
        hosts = {chain.key: await stack.enter_async_context(faulty_host(chain.rpc_url)) for chain in sandbox.chains}
        chains = tuple(replace(chain, rpc_url=hosts[chain.key].url) for chain in sandbox.chains)
        prices, through = await stack.enter_async_context(faulty_host(source.url)), copy.copy(source)
        through.url = prices.url
        name = f".s.PGSQL.{parts.get('port', ['5432'])[0]}"
        store = await stack.enter_async_context(faulty_store(sockets, server / name))
        engine = create_engine(dsn.replace(str(server), str(sockets)))
        stack.push_async_callback(engine.dispose)
        accounts = Accounts(engine, system_clock)
        await accounts.create_integrator("outages", None, None)
        _, key = await accounts.create_key("outages")
        proxied = replace(sandbox, chains=chains)
        running = await stack.enter_async_context(running_service(proxied, engine, folder, [*emulators, through]))
        timeout = aiohttp.ClientTimeout(total=_PATIENCE_S)
        session = await stack.enter_async_context(aiohttp.ClientSession(timeout=timeout))
        service = FragileService(sandbox, running.base_url, key, hosts, prices, store, session)
        await service.plan()
        yield service
