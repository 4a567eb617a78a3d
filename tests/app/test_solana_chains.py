"""A Solana chain of the settings: served, looked at by the doctor, and asked about wallets and mints."""

import asyncio
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.accounts.service import Accounts
from rhumbline.accounts.sessions import Sessions
from rhumbline.api.portal.services import PortalServices
from rhumbline.app.chains import Chains, build_chains
from rhumbline.app.nodes import other_chain, say_what_nodes_are_on
from rhumbline.app.portal import build_portal
from rhumbline.app.quotes import build_quotes
from rhumbline.app.readiness import Readiness
from rhumbline.app.settings import Settings
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.svm.accounts import EMPTY, FUNDED, keypair
from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NotFound
from rhumbline.domain.metrics import NoMetrics
from rhumbline.domain.rate import Limit
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.cluster import OtherCluster
from rhumbline.routing.quote_prices import no_prices
from rhumbline.routing.quote_service import keep_nothing
from rhumbline.tracking.listing import Listing
from tests.app.conftest import Command
from tests.postgres_fixture import loop_on_a_thread

MAINNET = 1000000001
SANDBOX = {"id": 900003, "key": "sbxs", "name": "Sandbox Solana", "type": "SVM", "mainnet": False,
           "native": {"symbol": "SOL", "name": "Solana", "decimals": 9, "coin_key": "SOL"}}  # fmt: skip
NOWHERE = "http://127.0.0.1:9"
WALLET = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"


@pytest.fixture(scope="module")
def solana() -> Iterator[RunningSolana]:
    """The sandbox's chain on a thread of its own, for tests and for commands, which have loops of their own."""
    # At its own pace: the doctor compares the time of its slots with the clock.
    running = running_solana()

    async def start() -> RunningSolana:
        return await running.__aenter__()

    async def stop() -> None:
        await running.__aexit__(None, None, None)

    with loop_on_a_thread() as loop:
        yield asyncio.run_coroutine_threadsafe(start(), loop).result()
        asyncio.run_coroutine_threadsafe(stop(), loop).result()


def settings(*entries: dict[str, object]) -> Settings:
    return Settings.model_validate({"chains": list(entries)})


@pytest.fixture
def chains(solana: RunningSolana, http: HttpClient) -> Chains:
    return build_chains(settings({**SANDBOX, "rpc": solana.server.rpc_url}, {"id": 1, "rpc": NOWHERE}), http)


async def test_a_solana_chain_is_served_beside_the_others(chains: Chains) -> None:
    assert set(chains.rpcs) == {1}
    assert set(chains.svm_rpcs) == set(chains.token_readers) - {1} == {900003}
    assert [each.chain.key for each in chains.served] == ["eth", "sbxs"]
    (served,) = chains.svm
    assert (served.chain.type, served.chain.diamond, served.rpc.name) == (ChainType.SVM, None, "sbxs")
    assert await served.rpc.slot() > 0


async def test_an_unlisted_mint_is_looked_up_on_its_chain(chains: Chains, solana: RunningSolana) -> None:
    tokens, (served,) = TokenCatalog(chains.catalog, [], chains.token_readers), chains.svm
    usdc = solana.furnished.tokens["USDC"]
    found = await tokens.resolve(served.chain, usdc.address)
    assert (found.address, found.decimals, found.listed) == (usdc.address, usdc.decimals, False)
    with pytest.raises(NotFound):
        await tokens.resolve(served.chain, str(keypair(FUNDED[0]).pubkey()))


async def test_without_an_endpoint_it_is_known_only(http: HttpClient) -> None:
    chains = build_chains(settings(), http)
    assert chains.served == ()
    assert chains.catalog.by_id(MAINNET) is not None


async def test_the_first_block_of_the_settings_is_compared(solana: RunningSolana, http: HttpClient) -> None:
    entry = {**SANDBOX, "rpc": solana.server.rpc_url, "genesis": solana.local.chains[0].genesis}
    (served,) = build_chains(settings(entry), http).svm
    assert await other_chain(served) is None
    assert await served.rpc.slot() > 0
    (served,) = build_chains(settings({**entry, "genesis": WALLET}), http).svm
    assert str(await other_chain(served)).startswith("an unknown cluster")
    with pytest.raises(OtherCluster):
        await served.rpc.slot()


async def test_nodes_say_where_they_are(solana: RunningSolana, http: HttpClient, store_engine: AsyncEngine) -> None:
    here = solana.server.rpc_url
    away = {**SANDBOX, "id": 900004, "key": "away", "rpc": NOWHERE}
    chains = build_chains(settings({**SANDBOX, "rpc": here}, {"id": MAINNET, "rpc": here}, away), http)
    with capture_logs() as lines:
        await say_what_nodes_are_on(chains)
    told = {line["event"]: line for line in lines}
    assert {line["chain"] for line in lines} == {"sol", "away"}
    cluster = f"an unknown cluster (first block {await chains.svm_rpcs[MAINNET].genesis_hash()})"
    assert told["node_on_another_chain"]["found"] == cluster
    assert told["node_not_seen"]["chain"] == "away"
    ready = Readiness(Sessions(store_engine, system_clock), chains.served, limiter())
    silent = "does not answer (NodeUnavailable)"
    assert await ready() == {"store": "ok", "rpc:sbxs": "ok", "rpc:sol": f"is on {cluster}", "rpc:away": silent}


def limiter() -> Limiter:
    return Limiter(Tiers(Limit(9, 60), Limit(9, 60)), LocalCounters(system_clock))


@pytest.mark.parametrize(("index", "exists"), [(FUNDED[0], True), (EMPTY[0], False)])
async def test_the_portal_looks_at_wallets(chains: Chains, store_engine: AsyncEngine, index: int, exists: bool) -> None:
    assert await portal(chains, store_engine).svm_exists(str(keypair(index).pubkey())) is exists


async def test_a_token_account_is_no_wallet(chains: Chains, solana: RunningSolana, store_engine: AsyncEngine) -> None:
    mint = solana.furnished.tokens["USDC"].address
    assert await portal(chains, store_engine).svm_exists(mint) is False


async def test_without_a_node_nothing_is_known_of_wallets(http: HttpClient, store_engine: AsyncEngine) -> None:
    for entries in ((), ({"id": MAINNET, "rpc": NOWHERE},)):
        chains = build_chains(settings(*entries), http)
        assert await portal(chains, store_engine).svm_exists(WALLET) is None


def portal(chains: Chains, engine: AsyncEngine) -> PortalServices:
    tokens = TokenCatalog(chains.catalog, [], {})
    listing = Listing(engine, ChainCatalog([]), (b"k" * 32,), tokens.listed_at)
    return build_portal(Settings(), engine, chains, tokens, Accounts(engine, system_clock), listing, limiter())


async def test_the_services_wallet_on_solana_earns_its_fees(chains: Chains) -> None:
    own = Settings.model_validate({"fees": {"svm_wallet": WALLET, "service_share": "0.001"}})

    async def nobody(_: str) -> None:
        return None

    tokens = TokenCatalog([], [], {})
    quotes = build_quotes(
        own, (), tokens, chains.rpcs, chains.svm_rpcs, nobody, (b"k" * 32,), NoMetrics(), no_prices, keep_nothing
    )
    assert quotes.fees.service_wallets.of(ChainType.SVM) == WALLET


@pytest.mark.parametrize(
    "wallet", [NATIVE_SVM, WALLET[:-3], "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", WALLET + "1"]
)
def test_what_cannot_earn_fees_on_solana(wallet: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "rhumbline.toml").write_text(f'[fees]\nsvm_wallet = "{wallet}"\n')
    ran = command("doctor")
    assert ran.code == 2
    assert ran.err.startswith("fees.svm_wallet: ")
    assert wallet not in ran.err


def test_init_writes_a_solana_chain(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr("sys.stdin", io.StringIO("https://swap.example\n\nsol\nhttps://node.example/key\n\n"))
    ran = command("init")
    assert ran.code == 0, ran.err
    assert "serves sol" in ran.err
    text = (tmp_path / "rhumbline.toml").read_text()
    assert "id = 1000000001   # sol, Solana\n" in text
    assert '# ws = "wss://' in text
