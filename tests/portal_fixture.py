"""The portal over HTTP with a clock that tests move, and visitors who come with cookies as browsers do."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import unescape
from urllib.parse import urlencode

import aiohttp
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from sqlalchemy import delete, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import AuditLog, audit_log
from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.integrator_store import integrators
from rhumbline.accounts.invitation_store import invitations
from rhumbline.accounts.invitations import Invitations
from rhumbline.accounts.key_store import api_keys
from rhumbline.accounts.members import Members, members
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.request_history import RequestHistory
from rhumbline.accounts.request_store import failures, hours, minutes
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.sessions import Sessions, nonces, sessions
from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.pages import Pages
from rhumbline.api.portal.contract_verdict import ContractVerdict
from rhumbline.api.portal.evm.contract_wallets import contract_verdict
from rhumbline.api.portal.evm.signatures import signer_of
from rhumbline.api.portal.routes import page_routes
from rhumbline.api.portal.services import PortalServices, Usage
from rhumbline.api.server.application import create_app
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.account import ApiKey
from rhumbline.domain.rate import Limit
from rhumbline.domain.service_status import ServiceStatus
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking.collected_fees import Collected
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.store import transactions
from rhumbline.tracking.webhooks.endpoints import Webhooks
from tests.api.api_service import BASE, ETH, SOLANA, USDC, USDT, ApiService
from tests.api.api_service import services as api_services
from tests.api.conftest import served
from tests.clocks import Clock
from tests.domain.test_service_status import WELL
from tests.postgres_fixture import Databases

TOKENS = TokenCatalog(
    (ETH, BASE, SOLANA),
    [
        Token(ETH.id, USDC, "USDC", 6, "USD Coin"),
        Token(ETH.id, USDT, "USDT", 6, "Tether USD"),
        Token(BASE.id, USDC, "USDbC", 6, "USD Base Coin"),
    ],
    {},
)
EMPTIED = (nonces, sessions, members, invitations, audit_log, api_keys, minutes, hours, failures)
MOST_POSTS = Limit(10**6, 7200)
BEGIN = datetime(2026, 11, 21, 12, 0, 0, 500_000, UTC)


@dataclass
class World:
    """What the portal is told from outside: code at addresses by chain, Solana's accounts, what a key has used.

    ``nodes`` are asked for contract wallets; on other chains there are none, and of ``silent`` ones nobody knows.
    """

    codes: dict[tuple[int, str], bytes | None] = field(default_factory=dict)
    solana: dict[str, bool] = field(default_factory=dict)
    used: tuple[Usage, ...] | None = None
    nodes: dict[int, EvmRpc] = field(default_factory=dict)
    silent: set[int] = field(default_factory=set)
    service: ServiceStatus = WELL

    def reset(self) -> None:
        self.codes.clear()
        self.solana.clear()
        self.used = None
        self.nodes.clear()
        self.silent.clear()
        self.service = WELL

    async def status(self) -> ServiceStatus:
        return self.service

    async def contract_verdict(self, chain_id: int, address: str, text: str, signature: str) -> ContractVerdict:
        if chain_id in self.silent:
            return ContractVerdict.UNKNOWN
        if chain_id not in self.nodes:
            return ContractVerdict.NO_CONTRACT
        return await contract_verdict(self.nodes[chain_id], address, text, signature)

    async def usage(self, key: ApiKey) -> tuple[Usage, ...] | None:
        return self.used

    async def evm_code(self, chain_id: int, address: str) -> bytes | None:
        return self.codes.get((chain_id, address), b"")

    async def svm_exists(self, address: str) -> bool | None:
        return self.solana.get(address)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str
    cookies: Mapping[str, str]

    @property
    def json(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.text)
        return found

    @property
    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]{64})"', self.text)
        assert found is not None, self.text
        return found[1]


@dataclass
class Visitor:
    """A browser as the server sees it: an origin, cookies, and a wallet beside it."""

    url: str
    session: aiohttp.ClientSession
    key: str = "0x" + "11" * 32
    cookies: dict[str, str] = field(default_factory=dict)
    origin: str | None = None

    @property
    def address(self) -> str:
        return str(Account.from_key(self.key).address)

    async def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        given = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        if method == "POST":
            given["origin"] = self.url if self.origin is None else self.origin
        async with self.session.request(
            method, self.url + path, data=body, headers={**given, **(headers or {})}, allow_redirects=False
        ) as response:
            answer = Answer(
                response.status,
                response.headers,
                await response.text(errors="replace"),
                {name: morsel.OutputString() for name, morsel in response.cookies.items()},
            )
            for name, morsel in response.cookies.items():
                if morsel["max-age"] == "0" or not morsel.value:
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value
            return answer

    async def get(self, path: str) -> Answer:
        return await self.ask("GET", path)

    async def send_json(self, path: str, content: object) -> Answer:
        return await self.ask("POST", path, json.dumps(content).encode(), {"content-type": "application/json"})

    async def send_form(self, path: str, csrf: str | None = None, **fields: str) -> Answer:
        given = fields if csrf is None else {"csrf": csrf, **fields}
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return await self.ask("POST", path, urlencode(given).encode(), kind)

    def sign(self, message: str) -> str:
        return "0x" + bytes(Account.sign_message(encode_defunct(text=message), self.key).signature).hex()

    async def challenge(self) -> str:
        answer = await self.send_json("/portal/challenge", {"address": self.address, "chainId": "0x1"})
        assert answer.status == 200, answer.text
        return answer.json["message"]

    async def sign_in(self) -> Answer:
        message = await self.challenge()
        answer = await self.send_json("/portal/sign-in", {"message": message, "signature": self.sign(message)})
        assert answer.status == 200, answer.text
        return answer

    async def csrf(self) -> str:
        return (await self.get("/portal")).csrf

    async def register(self, name: str) -> None:
        answer = await self.send_form("/portal/integrators", await self.csrf(), name=name)
        assert answer.status == 303, answer.text

    async def follow_form(self, path: str, csrf: str, **fields: str) -> Answer:
        """Send a form and go where it leads; where it leads nowhere, the answer is its own."""
        answer = await self.send_form(path, csrf, **fields)
        return await self.get(answer.headers["location"]) if answer.status == 303 else answer

    async def check_wallet(self, name: str, csrf: str, **fields: str) -> Answer:
        return await self.follow_form(f"/portal/i/{name}/wallets/check", csrf, **fields)

    async def set_wallet(self, name: str, chain_type: str, address: str) -> Answer:
        """Check, sign what the page shows, save."""
        path, csrf = f"/portal/i/{name}/wallets", await self.csrf()
        shown = await self.check_wallet(name, csrf, chain_type=chain_type, address=address)
        assert shown.status == 200, shown.text
        message = message_in(shown)
        return await self.send_form(
            path, csrf, chain_type=chain_type, address=address, message=message, signature=self.sign(message)
        )


def message_in(answer: Answer) -> str:
    found = re.search(r'<textarea name="message" hidden>(.*?)</textarea>', answer.text, re.S)
    assert found is not None, answer.text
    return unescape(found[1])


@dataclass(frozen=True)
class ServedPortal:
    """A portal that is served, and a way to send visitors to it."""

    url: str
    services: PortalServices
    engine: AsyncEngine
    clock: Clock
    world: World
    session: aiohttp.ClientSession

    def visitor(self, seed: int = 1) -> Visitor:
        return Visitor(self.url, self.session, "0x" + f"{seed:02x}" * 32)


@pytest.fixture(scope="session")
async def shared_portal(postgres_databases: Databases) -> AsyncIterator[ServedPortal]:
    """The real store, sessions, accounts and pages; chains and their nodes are the test's."""
    world, chains, clock = World(), ChainCatalog((ETH, BASE, SOLANA)), Clock(BEGIN)
    limiter = Limiter(Tiers(MOST_POSTS, MOST_POSTS), LocalCounters(clock))
    dsn = postgres_databases.create()
    engine = create_engine(dsn)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session, HttpClient() as http:
        dead_node = EvmRpc("http://127.0.0.1:1", http, "base", 1.0)
        app = create_app(api_services(ApiService(), {8453: dead_node}))
        async with served(app) as (url, _):
            # The address is known only now, and pages are bound to it.
            services = PortalServices(
                brand="Rhumbline",
                base_url=url,
                chains=chains,
                tokens=TOKENS,
                accounts=Accounts(engine, clock),
                members=Members(engine, clock),
                invitations=Invitations(engine, clock),
                audit=AuditLog(engine),
                history=RequestHistory(engine, clock),
                sessions=Sessions(engine, clock),
                listing=Listing(engine, chains, (b"k" * 32,), TOKENS.listed_at),
                collected=Collected(engine, TOKENS.listed_at),
                webhooks=Webhooks(engine, clock),
                usage=world.usage,
                evm_code=world.evm_code,
                svm_exists=world.svm_exists,
                signer_of=signer_of,
                contract_verdict=world.contract_verdict,
                clock=clock,
                limiter=limiter,
                tool_names={"ACROSS": "Across"},
                status=world.status,
            )
            app.routes.extend(page_routes(services, Pages(services.brand, Assets())))
            yield ServedPortal(url, services, engine, clock, world, session)
    await engine.dispose()
    postgres_databases.drop(dsn)


@pytest.fixture
async def portal(shared_portal: ServedPortal) -> AsyncIterator[ServedPortal]:
    """The portal at noon, with nothing in its store."""
    yield shared_portal
    shared_portal.clock.now = BEGIN
    shared_portal.world.reset()
    async with shared_portal.engine.begin() as connection:
        for table in (*EMPTIED, integrators, transactions):
            await connection.execute(delete(table))
        await connection.execute(text("DELETE FROM webhooks"))
