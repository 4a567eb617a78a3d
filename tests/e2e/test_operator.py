"""The steps of the README's "For real", as an operator takes them: commands, a chain of their own, and real servers."""

import io
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from rhumbline.devnet.evm.accounts import sandbox_account, signer
from rhumbline.devnet.evm.wallet import EvmWallet, balance_of
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.nodes.evm.deployment import contracts
from tests.app.conftest import Command, Ran, command
from tests.e2e.own_chain import CHAIN_ID, ETHER, OwnChain, own_chain
from tests.e2e.real_servers import PASSWORD, debians_postgres, real_postgres, real_redis, redis_says
from tests.sandbox_fixture import LoopThread

__all__ = ["command"]

COMMAND = Path(sys.executable).with_name("rhumbline")
PAYER, CUSTOMER = sandbox_account(0), sandbox_account(1)
COLLECTOR, ACME = "0x" + "c0" * 20, "0x" + "ac" * 20
MORE_SETTINGS = """
[prices]
sources = ["onchain"]
[limits]
redis_url = "{redis}"
"""


def cell(ran: Ran, name: str) -> str:
    """What stands behind a name in a table of two columns."""
    found = re.search(rf"^{re.escape(name)}\s+(\S.*?)\s*$", ran.out, re.M)
    assert found is not None, ran.out
    return found[1]


@dataclass(frozen=True)
class Operator:
    """Types commands in a folder of its own; what goes on runs as a process, as it would for an operator."""

    folder: Path
    command: Command
    patch: pytest.MonkeyPatch

    def rhumbline(self, *words: str, answers: str = "") -> Ran:
        self.patch.setattr("sys.stdin", io.StringIO(answers))
        ran = self.command(*words)
        assert "Traceback" not in ran.err
        assert PASSWORD not in ran.out + ran.err
        return ran

    @contextmanager
    def running(self, *words: str) -> Iterator[Path]:
        """Run a command that goes on until the block ends, and end it as an operator does; yield its log."""
        log = self.folder / f"{words[0]}.log"
        with log.open("w") as written:
            process = subprocess.Popen([COMMAND, *words], cwd=self.folder, stderr=written)
        try:
            yield log
        finally:
            process.send_signal(signal.SIGTERM)
            status = process.wait(30)
        assert status == 0, log.read_text()
        assert PASSWORD not in log.read_text()


def until_logged(log: Path, pattern: str) -> str:
    deadline = time.monotonic() + 90
    while (found := re.search(pattern, log.read_text())) is None:
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    return found[0]


def begins(operator: Operator, chain: OwnChain, postgres: str, redis: str) -> None:
    """Steps 1 and 2: the settings file, the chain that Rhumbline does not know, and the operator's own database."""
    made = operator.rhumbline("init", answers="https://swap.example\n\nown\n\n")
    assert made.code == 0, made.err
    assert "own: not a known chain; add your own chain in the file" in made.err
    file = operator.folder / "rhumbline.toml"
    text = file.read_text().replace('# service_share = "0.001"', 'service_share = "0.001"')
    text = text.replace('# evm_wallet = "0x…"', f'evm_wallet = "{COLLECTOR}"')
    file.write_text(text + chain.settings + MORE_SETTINGS.format(redis=redis))
    operator.patch.setenv("RHUMBLINE_STORE__DSN", postgres)


def deploys(operator: Operator, chain: OwnChain, loop: LoopThread) -> None:
    """Step 3, with a doctor before it who says what is missing, and a look before the payment."""
    ill = operator.rhumbline("doctor")
    assert ill.code == 1, ill.words
    assert "own contracts fails" in ill.words
    assert "run rhumbline contracts deploy --chain own" in ill.words
    key = operator.folder / "key.txt"
    key.write_text(PAYER.private_key)
    words = ("contracts", "deploy", "--chain", "own", "--key-file", "key.txt")
    looked = operator.rhumbline(*words, "--dry-run")
    assert looked.code == 0, looked.err
    assert f"payer {PAYER.address}, has 10000 ETH" in looked.words
    assert [loop.run(chain.rpc.code(contract.address)) for contract in contracts()] == [b"", b""]
    paid = operator.rhumbline(*words, answers="y\n")
    assert paid.code == 0, paid.err
    assert len(re.findall(r"deployed 0x[0-9a-f]{64}", paid.words)) == 2
    verified = operator.rhumbline("contracts", "verify", "--chain", "own")
    assert (verified.code, verified.words.count("identical")) == (0, 2)


def examines(operator: Operator) -> None:
    """Steps 4 and 5: an upstream's key, and a doctor who finds all that is needed."""
    operator.patch.setenv("RHUMBLINE_ADAPTERS__ACROSS__CREDENTIALS__API_KEY", "an-upstreams-key")
    well = operator.rhumbline("doctor", "--pins")
    assert well.code == 0, well.words
    for line in ("store (configured) ok", "redis ok answers", f"own ok chain {CHAIN_ID}", "own contracts ok"):
        assert line in well.words
    assert "adapter ACROSS ok not asked: it is on none of the served chains" in well.words
    assert "adapter ONCHAIN ok its contracts are on own" in well.words
    assert "an-upstreams-key" not in well.out + well.err


def makes_a_key(operator: Operator) -> None:
    """Step 6."""
    made = operator.rhumbline("keys", "create", "--integrator", "acme", "--evm-wallet", ACME)
    assert made.code == 0, made.err
    (operator.folder / "api-key").write_text(made.out.strip())
    listed = operator.rhumbline("keys", "list")
    assert "acme" in listed.words
    assert made.out.strip() not in listed.out


def serves(operator: Operator, chain: OwnChain, loop: LoopThread, redis: str) -> None:
    """Step 7: quoted, signed, sent, and followed to its end by a worker beside the service."""
    operator.patch.setenv("RHUMBLINE_SERVER__PORT", "0")
    operator.patch.setenv("RHUMBLINE_TRACKING__ENABLED", "false")
    with operator.running("worker") as followed, operator.running("serve") as log:
        url = until_logged(log, r"http://127\.0\.0\.1:\d+")
        until_logged(followed, "following")
        own = ("--url", url, "--key-file", "api-key")
        shown = operator.rhumbline("quote", "own", "ETH", "own", "USDC", "0.5", "--sender", CUSTOMER.address, *own)
        assert shown.code == 0, shown.err
        assert (cell(shown, "adapter"), cell(shown, "simulation")) == ("ONCHAIN", "SUCCESS, output VERIFIED")
        least = int(cell(shown, "minOutputAmount").split()[0])
        assert 1_480_000_000 < least < 1_500_000_000
        # The customer signs what was printed.
        call = {name: cell(shown, f"calldata.{name}") for name in ("to", "value", "data")}
        receipt = loop.run(EvmWallet(signer(CUSTOMER), chain.rpc, CHAIN_ID).send(call, {}))
        assert loop.run(balance_of(chain.rpc, chain.usdc, CUSTOMER.address)) >= least
        assert loop.run(balance_of(chain.rpc, NATIVE_EVM, COLLECTOR)) == ETHER // 2000

        across = operator.rhumbline("quote", "own", "ETH", "base", "USDC", "0.5", *own)
        assert (across.code, "ONCHAIN: does not move tokens across chains" in across.err) == (1, True)
        unknown = operator.rhumbline("quote", "own", "ETH", "own", "NOSUCH", "0.5", *own)
        assert (unknown.code, "NOSUCH" in unknown.err) == (1, True)

        deadline = time.monotonic() + 30
        while (record := operator.rhumbline("track", receipt.tx_hash, *own)).code != 0:
            assert time.monotonic() < deadline, record.err
            time.sleep(0.2)
        assert (cell(record, "status"), cell(record, "integrator")) == ("success", "acme")
        assert loop.run(redis_says(redis, "DBSIZE")) != b":0"


@pytest.mark.xdist_group("operator")
def test_the_operators_seven_steps(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, sandbox_loop: LoopThread
) -> None:
    # A transaction's bytes are one line.
    monkeypatch.setenv("COLUMNS", "20000")
    loop, operator = sandbox_loop, Operator(tmp_path, command, monkeypatch)
    (tmp_path / "chain").mkdir()
    with ExitStack() as stack:
        chain = stack.enter_context(loop.entered(own_chain(tmp_path / "chain")))
        postgres = stack.enter_context(loop.entered(real_postgres()))
        redis = stack.enter_context(loop.entered(real_redis()))
        assert (postgres.kind == "embedded") == (debians_postgres() is None)
        begins(operator, chain, postgres.address, redis.address)
        deploys(operator, chain, loop)
        examines(operator)
        makes_a_key(operator)
        serves(operator, chain, loop, redis.address)
