"""`rhumbline contracts deploy` on a chain that has nothing of ours: shown first, asked for, then sent."""

import asyncio
import io
import json
import re
from pathlib import Path

import pytest

from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.deployment import contracts
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.app.conftest import Command, Ran
from tests.app.test_cli import CHAIN

PENNILESS = "0x" + "77" * 32


class Bare:
    """The sandbox's chain without our contracts."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, method: str, *params: object) -> object:
        async def go() -> object:
            async with HttpClient() as http:
                return await EvmRpc(self.url, http).call(method, params)

        return asyncio.run(go())

    def nonce(self, address: str) -> object:
        return self.ask("eth_getTransactionCount", address, "latest")


@pytest.fixture
def bare(restored_sandbox: Sandbox, tmp_path: Path) -> Bare:
    chain = Bare(restored_sandbox.chain("sbxa").rpc_url)
    for contract in contracts():
        chain.ask("anvil_setCode", contract.address, "0x")
        chain.ask("anvil_setNonce", contract.address, "0x0")
    (tmp_path / "rhumbline.toml").write_text(CHAIN.format(rpc=chain.url))
    (tmp_path / "key").write_text(sandbox_account(0).private_key)
    return chain


PAYER = sandbox_account(0).address
DEPLOY = ("contracts", "deploy", "--chain", "sbxa", "--key-file", "key")


def shows_the_plan(ran: Ran) -> None:
    assert f"payer {PAYER}, has " in ran.words
    for contract in contracts():
        assert f"creates {contract.name} at {contract.address}" in ran.words
    assert re.search(r"cost at most 0\.\d+ ETH", ran.words)


def test_a_dry_run_shows_everything_and_sends_nothing(bare: Bare, command: Command) -> None:
    before = bare.nonce(PAYER)
    ran = command(*DEPLOY, "--dry-run")
    assert ran.code == 0, ran.err
    shows_the_plan(ran)
    told = json.loads(command(*DEPLOY, "--dry-run", "--json").out)
    places = [(each["contract"], each["address"]) for each in told["transactions"]]
    assert places == [(contract.name, contract.address) for contract in contracts()]
    assert (told["chainId"], told["payer"]) == (900_001, PAYER)
    assert 0 < int(told["mostWei"]) < int(told["balanceWei"])
    assert bare.nonce(PAYER) == before


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_without_a_yes_nothing_is_sent(
    bare: Bare, command: Command, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    before = bare.nonce(PAYER)
    ran = command(*DEPLOY)
    assert ran.code == 1
    shows_the_plan(ran)
    assert bare.nonce(PAYER) == before


@pytest.mark.parametrize("words", [(), ("--yes",)])
def test_a_yes_sends_and_names_the_transactions(
    bare: Bare, command: Command, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("" if words else "y\n"))
    ran = command(*DEPLOY, *words)
    assert ran.code == 0, ran.err
    shows_the_plan(ran)
    hashes = re.findall(r"deployed (0x[0-9a-f]{64}) ([0-9,]+)", ran.words)
    assert len(hashes) == 2
    planned = [int(text.replace(",", "")) for text in re.findall(r"at most ([0-9,]+) gas", ran.words)]
    assert all(int(used.replace(",", "")) <= most for (_, used), most in zip(hashes, planned, strict=True))
    assert bare.ask("eth_getTransactionReceipt", hashes[0][0]) is not None
    again = command(*DEPLOY)
    assert (again.code, again.words.count("identical")) == (0, 2)
    told = json.loads(command(*DEPLOY, "--yes", "--json").out)
    assert [(each["done"], each["transaction"]) for each in told] == [("identical", None)] * 2


ACROSS = """
[adapters.across.deployments.900001]
chain_id = 900001
spoke_pool = "{pool}"
"""


def test_where_across_is_the_receiver_is_deployed_too(
    bare: Bare, command: Command, tmp_path: Path, restored_sandbox: Sandbox
) -> None:
    pool = restored_sandbox.chain("sbxa").contracts["spoke_pool"]
    *_, receiver = contracts(pool)
    assert receiver.address == restored_sandbox.chain("sbxa").contracts["receiver"]
    bare.ask("anvil_setCode", receiver.address, "0x")
    bare.ask("anvil_setNonce", receiver.address, "0x0")
    with (tmp_path / "rhumbline.toml").open("a") as settings:
        settings.write(ACROSS.format(pool=pool.lower()))
    assert f"Receiver {receiver.address} missing" in command("contracts", "verify", "--chain", "sbxa").words
    ran = command(*DEPLOY, "--yes")
    assert ran.code == 0, ran.err
    assert f"creates Receiver at {receiver.address}" in ran.words
    assert ran.words.count("deployed 0x") == 3
    verified = command("contracts", "verify", "--chain", "sbxa")
    assert (verified.code, verified.words.count("identical")) == (0, 3)


def test_a_place_of_across_that_is_none_is_told(bare: Bare, command: Command, tmp_path: Path) -> None:
    with (tmp_path / "rhumbline.toml").open("a") as settings:
        settings.write(ACROSS.format(pool="elsewhere"))
    ran = command(*DEPLOY, "--yes")
    assert ran.code == 1
    assert "adapters.across.deployments.900001.spoke_pool: is not an address" in ran.err


def test_a_payer_without_funds_is_told_what_it_lacks(bare: Bare, command: Command, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(PENNILESS)
    ran = command(*DEPLOY, "--yes")
    assert ran.code == 1
    assert re.search(
        r"0x\w{40} cannot pay: it has 0 ETH on Sandbox A and may need 0\.\d+ ETH; send it 0\.\d+ ETH", ran.err
    )
    assert "nothing was sent" in ran.err


def test_a_key_on_standard_input_leaves_nobody_to_answer(bare: Bare, command: Command) -> None:
    ran = command("contracts", "deploy", "--chain", "sbxa", "--key-file", "-")
    assert ran.code == 1
    assert "standard input" in ran.err
    ran = command(*DEPLOY, "--json")
    assert ran.code == 1
    assert "--json: shows no plan to say yes to" in ran.err


def test_nothing_is_paid_on_another_chain(
    bare: Bare, command: Command, tmp_path: Path, restored_sandbox: Sandbox
) -> None:
    (tmp_path / "rhumbline.toml").write_text(CHAIN.format(rpc=restored_sandbox.chain("sbxb").rpc_url))
    ran = command(*DEPLOY, "--yes")
    assert ran.code == 1
    assert "the node is on chain 900002, the settings say 900001" in ran.err


@pytest.mark.parametrize("words", [("verify", "--chain", "sbxa"), (*DEPLOY[1:], "--yes")])
def test_a_node_that_is_away_is_named_by_its_host(command: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "rhumbline.toml").write_text(CHAIN.format(rpc="http://127.0.0.1:9/hidden-word"))
    (tmp_path / "key").write_text(PENNILESS)
    ran = command("contracts", *words)
    assert ran.code == 1
    assert "sbxa: the node does not answer (nothing listens there); it was asked at 127.0.0.1:9" in ran.err
    assert "hidden-word" not in ran.err
