"""The cache: made once, loaded fast, rebuilt when spoilt, shared without harm; and nothing outlives its parent."""

import json
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rhumbline.devnet.atomic_files import read_whole, write_whole
from rhumbline.devnet.evm.contracts import CHAINS
from rhumbline.devnet.evm.nodes import AnvilError, anvil_version, find_anvil
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig, SandboxIntegrator, SandboxService, write_sandbox_json
from tests.sandbox_fixture import CACHE

BUSY_S = 60
RUN = """
import asyncio, sys
from pathlib import Path
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import SandboxConfig

async def main():
    config = SandboxConfig(cache=Path(sys.argv[1]), progress=lambda words: print(words, flush=True))
    async with running_sandbox(config) as sandbox:
        print("up", *(chain.rpc_url for chain in sandbox.evm_chains), flush=True)
        await asyncio.sleep(float(sys.argv[2]))

asyncio.run(main())
"""


@pytest.fixture
def bare_cache(tmp_path: Path, sandbox: Sandbox) -> Path:
    """A cache with the fetched contracts (the running sandbox has seen to that) and without any snapshot."""
    assert sandbox.evm_chains
    shutil.copytree(CACHE / "artifacts", tmp_path / "cache" / "artifacts")
    return tmp_path / "cache"


async def start(cache: Path) -> tuple[list[str], Sandbox]:
    """Start a sandbox and end it: what it said, and what it was."""
    said: list[str] = []
    async with running_sandbox(SandboxConfig(cache=cache, progress=said.append)) as sandbox:
        return said, sandbox


async def test_made_once_then_loaded_and_both_are_the_same(bare_cache: Path) -> None:
    said, first = await start(bare_cache)
    assert said == ["setting up the chains"]
    said, second = await start(bare_cache)
    assert said == []
    assert [(c.contracts, c.tokens, c.pools) for c in first.chains] == [
        (c.contracts, c.tokens, c.pools) for c in second.chains
    ]


async def test_spoilt_snapshot_is_made_anew(bare_cache: Path) -> None:
    await start(bare_cache)
    (snapshot,) = (bare_cache / "devnet").glob(f"*/{CHAINS[1].key}.snapshot")
    whole = snapshot.read_bytes()
    middle = len(whole) // 2
    snapshot.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    said, sandbox = await start(bare_cache)
    assert said == ["setting up the chains"]
    assert len(sandbox.evm_chains) == 2
    snapshot.unlink()
    assert (await start(bare_cache))[0] == ["setting up the chains"]
    assert (await start(bare_cache))[0] == []


@pytest.mark.parametrize("kept", [0, 1, 31, 32, 40])
def test_a_file_that_was_cut_counts_as_not_there(tmp_path: Path, kept: int) -> None:
    write_whole(tmp_path / "a", b"a payload")
    assert read_whole(tmp_path / "a") == b"a payload"
    (tmp_path / "a").write_bytes((tmp_path / "a").read_bytes()[:kept])
    assert read_whole(tmp_path / "a") is None


def test_two_processes_share_an_empty_cache(bare_cache: Path) -> None:
    command = [sys.executable, "-c", RUN, str(bare_cache), "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as one,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other,
    ):
        said = [run.communicate(timeout=60)[0].splitlines() for run in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0)
    assert sum(lines.count("setting up the chains") for lines in said) == 1
    assert all(lines[-1].startswith("up http") for lines in said)
    ports = {url for lines in said for url in lines[-1].split()[1:]}
    assert len(ports) == 4


def processes_that_mention(words: str) -> dict[int, str]:
    """Command line by pid of the processes in whose command lines the words are."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_text(errors="replace")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if words in line:
                found[int(entry.name)] = line
    return found


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_killed_parent_leaves_no_anvil(sandbox: Sandbox) -> None:
    assert sandbox.evm_chains
    command = [sys.executable, "-c", RUN, str(CACHE), "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().startswith("up http")
        # The folder of this run is in the command line of each anvil, and in that of its keeper.
        lines = [
            line for pid, line in processes_that_mention("rhumbline-sandbox-").items() if parent_of(pid) == parent.pid
        ]
        (folder,) = {
            word.rpartition("/")[0] for line in lines for word in line.split("\0") if "rhumbline-sandbox-" in word
        }
        assert len(processes_that_mention(folder)) == 4
        parent.kill()
    until = time.monotonic() + BUSY_S
    while processes_that_mention(folder) and time.monotonic() < until:
        time.sleep(0.02)
    assert processes_that_mention(folder) == {}
    shutil.rmtree(folder)


async def test_given_ports_are_used_and_a_taken_one_is_reported(sandbox: Sandbox) -> None:
    taken = int(sandbox.evm_chains[0].rpc_url.rpartition(":")[2])
    with pytest.raises(AnvilError, match=r"sbxa: (.|\n)*(in use|taken)"):
        async with running_sandbox(SandboxConfig(cache=CACHE, ports=(taken, 0, 0))):
            raise AssertionError("two chains on one port")
    with pytest.raises(ValueError, match="ports: 3 are needed"):
        async with running_sandbox(SandboxConfig(cache=CACHE, ports=(1,))):
            raise AssertionError("one port for three chains")


async def test_missing_anvil_is_named(tmp_path: Path) -> None:
    with pytest.raises(AnvilError, match="no-anvil is not a file"):
        find_anvil(tmp_path / "no-anvil")
    wrong = tmp_path / "anvil"
    wrong.write_text("#!/bin/sh\nexit 3\n")
    wrong.chmod(0o755)
    with pytest.raises(AnvilError, match="status 3"):
        await anvil_version(wrong)


async def test_anvil_that_does_not_start_is_reported_with_its_words(bare_cache: Path, tmp_path: Path) -> None:
    broken = tmp_path / "anvil"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && exit 0\necho no more memory\nexit 4\n')
    broken.chmod(0o755)
    with pytest.raises(AnvilError, match=r"ended with status 4(.|\n)*no more memory"):
        async with running_sandbox(SandboxConfig(cache=bare_cache, anvil=broken)):
            raise AssertionError("no chain runs")


def test_sandbox_file_holds_everything_for_its_owner_only(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "new" / "sandbox.json"
    path.parent.mkdir()
    path.write_text("an old one, that anybody may read")
    path.chmod(0o644)
    integrator = SandboxIntegrator(
        "demo", sandbox.accounts[7].address, "rl_live_i", "wallet", sandbox.accounts[8].address
    )
    service = SandboxService(
        "http://127.0.0.1:1", "rl_live_a", "rl_live_b", integrator, {"RELAY": "http://127.0.0.1:2"}
    )
    write_sandbox_json(path, sandbox, service)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["sandbox.json"]
    content = json.loads(path.read_text())
    assert content["base_url"] == "http://127.0.0.1:1"
    assert (content["api_key"], content["load_test_api_key"]) == ("rl_live_a", "rl_live_b")
    assert content["integrator"] == {
        "name": "demo", "wallet": sandbox.accounts[7].address, "svm_wallet": "wallet", "api_key": "rl_live_i",
        "owner": sandbox.accounts[8].address,
    }  # fmt: skip
    assert content["emulators"] == {"RELAY": "http://127.0.0.1:2"}
    assert [(chain["id"], chain["key"]) for chain in content["chains"]] == [
        (900001, "sbxa"), (900002, "sbxb"), (900003, "sbxs"),
    ]  # fmt: skip
    first = content["chains"][0]
    assert first["rpc_url"] == sandbox.evm_chains[0].rpc_url
    assert first["tokens"]["USDC"] == {"address": sandbox.evm_chains[0].tokens["USDC"].address, "decimals": 6}
    assert set(first["contracts"]) == {
        "weth9", "uniswap_v2_factory", "uniswap_v2_router", "uniswap_v3_factory", "quoter_v2", "swap_router_02",
        "position_manager", "multicall3", "permit2", "diamond", "executor", "receiver", "spoke_pool",
        "spoke_pool_periphery", "multicall_handler", "stable_factory", "solidly_factory", "slipstream_factory",
    }  # fmt: skip
    assert len(first["pools"]) == 15
    assert content["accounts"]["evm"][0] == {
        "address": sandbox.accounts[0].address,
        "private_key": sandbox.accounts[0].private_key,
    }
    assert "private_key" not in repr(sandbox)
    assert sandbox.accounts[0].private_key not in repr(sandbox)


def test_accounts_are_the_well_known_ones(sandbox: Sandbox) -> None:
    # What anvil, hardhat and their documentation print for this phrase.
    assert sandbox.accounts[0].address == "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
    assert sandbox.accounts[0].private_key == "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
