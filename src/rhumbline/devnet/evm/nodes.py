"""Local EVM chains: one anvil process each (https://getfoundry.sh/anvil/reference/, version 1.7, read 2026-11)."""

import asyncio
import gzip
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, hex_bytes
from rhumbline.gateways.processes.child import Child, ChildError

_PACKAGED = Path("node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil")
_LISTENING = re.compile(r"Listening on (\S+:\d+)")
_READY_DEADLINE_S = 20.0
_CALL_DEADLINE_S = 60.0
_STATES_KEPT = 500


class AnvilError(Exception):
    """anvil is missing or does not start."""


def find_anvil(given: Path | None = None) -> Path:
    """Find the native anvil binary: the given one, npm's in this checkout or the working directory, or the PATH's.

    Not npm's launcher script, which takes 80 ms more and would make anvil a grandchild process.
    """
    if given is not None:
        if not given.is_file():
            raise AnvilError(f"anvil: {given} is not a file; give the path of the anvil binary")
        return given.absolute()
    for root in (*Path(__file__).absolute().parents, Path.cwd()):
        if (root / _PACKAGED).is_file():
            return root / _PACKAGED
    if (on_path := shutil.which("anvil")) is not None:
        return Path(on_path).absolute()
    raise AnvilError("anvil is neither in node_modules nor on the PATH; run `npm ci`, or give its path")


async def anvil_version(anvil: Path) -> str:
    """Return what ``anvil --version`` prints; AnvilError where the binary does not run."""
    process = await asyncio.create_subprocess_exec(
        anvil, "--version", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    if process.returncode != 0:
        raise AnvilError(f"{anvil} --version ended with status {process.returncode}; is it made for this machine?")
    return said.decode()


@asynccontextmanager
async def running_anvil(
    anvil: Path,
    *,
    chain_id: int,
    name: str,
    mnemonic: str,
    accounts: int,
    folder: Path,
    http: HttpClient,
    port: int = 0,
    state: bytes | None = None,
) -> AsyncIterator[EvmRpc]:
    """Run a chain that mines a block for each transaction, for the length of the context; port 0 takes a free one.

    It starts empty, or from `state`, which `dumped_state` of a chain with the same ID returned. The first `accounts`
    accounts of `mnemonic` have 10,000 ether each. An epoch is one slot: the block before the latest is `safe`, the next
    older one `finalized` (with anvil's default of 32, `finalized` stays 0 for a long time). Balances are known at the
    last 500 blocks; blocks and receipts are never dropped. `folder`, which exists, takes the log. Raise AnvilError.
    """
    log = folder / f"{name}.log"

    async def listening() -> bool:
        return _url(log) is not None

    command = (
        anvil,
        *("--host", "127.0.0.1", "--port", str(port), "--chain-id", str(chain_id), "--slots-in-an-epoch", "1"),
        *("--mnemonic", mnemonic, "--accounts", str(accounts)),
        # By default anvil writes older states to disk without limit, and each block takes five times as long.
        *("--prune-history", str(_STATES_KEPT)),
        *("--no-request-size-limit", "--color", "never"),
        *(() if state is None else ("--load-state", _stored(folder / f"{name}-begin.json", state))),
    )
    try:
        child = await Child.start(
            command, cwd=folder, env={"HOME": str(folder)}, log_path=log, ready=listening, deadline_s=_READY_DEADLINE_S
        )
    except ChildError as error:
        raise AnvilError(f"{name}: {error}") from error
    try:
        rpc = EvmRpc(_url(log) or "", http, name, _CALL_DEADLINE_S)
        # Otherwise it writes a line for each call.
        await rpc.call("anvil_setLoggingEnabled", [False])
        yield rpc
    finally:
        await child.stop()


async def go_back(rpc: EvmRpc, mark: object) -> None:
    """Revert a chain to the snapshot ``mark``, which consumes the snapshot.

    Pending transactions are dropped first: a transaction stays in the pool for a moment after its block. The revert
    would leave it there, and its sender's next transaction would get too high a nonce and never be mined.
    """
    await rpc.call("anvil_dropAllTransactions", [])
    if await rpc.call("evm_revert", [mark]) is not True:
        raise AnvilError(f"{rpc.name}: there is no snapshot {mark}")


async def dumped_state(rpc: EvmRpc) -> bytes:
    """Return a chain's whole state, as JSON in anvil's own form (the RPC call returns it compressed, in hex)."""
    return gzip.decompress(hex_bytes(await rpc.call("anvil_dumpState")))


def _stored(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _url(log: Path) -> str | None:
    """Return the URL, once anvil has printed it."""
    match = _LISTENING.search(log.read_text(errors="replace"))
    return None if match is None else f"http://{match[1]}"
