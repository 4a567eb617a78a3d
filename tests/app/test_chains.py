"""Which chains have a Receiver: it follows from where Across is, as the settings say."""

from pathlib import Path

import pytest

from rhumbline.app.chains import known_to
from rhumbline.app.settings import load_settings
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import Chain
from rhumbline.gateways.nodes.evm.deployment import receiver_address

NODE = 'rpc = "https://node.example"'
BASE = f"[[chains]]\nid = 8453\n{NODE}\n"
MOVED = '[adapters.across.deployments.8453]\nchain_id = 8453\nspoke_pool = "{}"\n'


def base(tmp_path: Path, text: str) -> Chain:
    file = tmp_path / "rhumbline.toml"
    file.write_text(text)
    chain = known_to(load_settings(file, {})).find("8453")
    assert chain is not None
    return chain


def test_it_follows_from_the_pinned_pool(tmp_path: Path) -> None:
    assert base(tmp_path, BASE).receiver == receiver_address("0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64")


def test_it_follows_from_the_pool_of_the_settings(tmp_path: Path, sandbox: Sandbox) -> None:
    contracts = sandbox.chain("sbxa").contracts
    moved = base(tmp_path, BASE + MOVED.format(contracts["spoke_pool"].lower()))
    assert moved.receiver == contracts["receiver"]


@pytest.mark.parametrize(
    "text",
    ["", BASE + "diamond = false\n", BASE + MOVED.format("elsewhere")],
    ids=["no node", "no contracts", "no pool"],
)
def test_there_is_none(tmp_path: Path, text: str) -> None:
    assert base(tmp_path, text).receiver is None
