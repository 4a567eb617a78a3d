"""A Solana chain of the settings: served, looked at by the doctor, and asked about wallets and mints."""

import io
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.accounts.sessions import Sessions
from rhumbline.app.chains import Chains, build_chains
from rhumbline.app.nodes import other_chain, say_what_nodes_are_on
from rhumbline.app.readiness import Readiness
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.svm.accounts import FUNDED, keypair
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NotFound
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.steering.known_state import Steering
from tests.app.conftest import MAINNET, NOWHERE, SANDBOX, WALLET, Command, settings
from tests.app.test_portal import limiter


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
    assert chains.catalog.by_id.get(MAINNET) is not None


async def test_the_first_block_of_the_settings_is_compared(solana: RunningSolana, http: HttpClient) -> None:
    entry = {**SANDBOX, "rpc": solana.server.rpc_url, "genesis": solana.local.chains[0].genesis}
    (served,) = build_chains(settings(entry), http).svm
    assert await other_chain(served) is None
    assert await served.rpc.slot() > 0
    (served,) = build_chains(settings({**entry, "genesis": WALLET}), http).svm
    assert str(await other_chain(served)).startswith("an unknown cluster")
    with pytest.raises(NodeOnOtherChain):
        await served.rpc.slot()


async def test_nodes_say_where_they_are(solana: RunningSolana, http: HttpClient, store_engine: AsyncEngine) -> None:
    here = solana.server.rpc_url
    away = {**SANDBOX, "id": 900004, "key": "away", "rpc": NOWHERE}
    chains = build_chains(settings({**SANDBOX, "rpc": here}, {"id": MAINNET, "rpc": here}, away), http)
    with capture_logs() as lines:
        await say_what_nodes_are_on(chains)
    told = {line["event"]: line for line in lines}
    assert {line["chain"] for line in lines} == {"sol", "away"}
    cluster = f"an unknown cluster (first block {await chains.svm_rpcs[900003].genesis_hash()})"
    assert told["node_on_another_chain"]["found"] == cluster
    assert told["node_not_seen"]["chain"] == "away"
    ready = Readiness(
        Sessions(store_engine, system_clock), chains.served, limiter(), StoreClock(), Steering(store_engine)
    )
    assert await ready() == {
        "store": "ok",
        "clock": "ok",
        "rpc:sbxs": "ok",
        "rpc:sol": f"degraded: is on {cluster}",
        "rpc:away": "degraded: does not answer (NodeUnavailable)",
    }


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
