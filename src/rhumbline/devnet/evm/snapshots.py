"""Snapshots of chains that are set up: made once, then loaded quickly.

A snapshot's key is a digest of everything that it was made from, so it is never stale. It contains third parties'
bytecode, so it stays in the cache and is never committed.
"""

import asyncio
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

from rhumbline.devnet.artifacts import Progress, contract_codes, pinned_packages, pins_digest
from rhumbline.devnet.atomic_files import exclusive, read_whole, write_whole
from rhumbline.devnet.evm.accounts import FUNDED, MNEMONIC
from rhumbline.devnet.evm.contracts import ChainPlan, Furnished, furnish
from rhumbline.devnet.evm.nodes import anvil_version, dumped_state, running_anvil
from rhumbline.devnet.pool import Pool
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

_BUILD_DEADLINE_S = 600.0
_MADE_BY = (
    "evm/accounts.py",
    "evm/contracts.py",
    "evm/fork_pools.py",
    "evm/operator.py",
    "evm/pools.py",
    "evm/rate_pools.py",
    "evm/snapshots.py",
    "evm/stable_market.py",
    "own_contracts.py",
    "pool.py",
    "pools.json",
    "tokens.json",
    "tokens.py",
)
_OURS = ("Diamond", "Executor", "Receiver")
# anvil drops the states before a snapshot; these blocks give `safe` and `finalized` states of their own.
_BLOCKS_AFTER_LOAD = 4
_SETS_KEPT = 4


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A chain's state, as JSON in anvil's own form, and what is on the chain."""

    state: str
    furnished: Furnished


async def snapshots(cache: Path, anvil: Path, plans: Sequence[ChainPlan], progress: Progress) -> list[Snapshot]:
    """Return a snapshot for each plan, from the cache or newly made (by one process at a time).

    Raise ArtifactError, AnvilError, SetUpError, DeploymentError or CacheError.
    """
    folder = cache / "devnet" / _key(await anvil_version(anvil))
    if (kept := _kept(folder, plans)) is not None:
        return kept
    async with exclusive(cache / "devnet" / "lock", _BUILD_DEADLINE_S):
        if (kept := _kept(folder, plans)) is not None:
            return kept
        codes = await contract_codes(cache, progress)
        progress("setting up the chains")
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(_make(plan, anvil, codes)) for plan in plans]
        except ExceptionGroup as failures:
            # One chain's failure ended the set-up of the other, or both failed alike: the first error is enough.
            raise failures.exceptions[0] from None
        made = [task.result() for task in tasks]
        for plan, snapshot in zip(plans, made, strict=True):
            write_whole(_place(folder, plan), json.dumps(asdict(snapshot)).encode())
        _forget_old(cache / "devnet")
        return made


async def resume(rpc: EvmRpc) -> None:
    """Mine a few blocks at the present time after those of the snapshot."""
    await rpc.call("anvil_mine", [hex(_BLOCKS_AFTER_LOAD)])


def _place(folder: Path, plan: ChainPlan) -> Path:
    return folder / f"{plan.key}.snapshot"


def _forget_old(folder: Path) -> None:
    """Remove all but the latest few sets of snapshots; an older one that is needed is made again."""
    sets = sorted((path for path in folder.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
    for path in sets[:-_SETS_KEPT]:
        shutil.rmtree(path)


def _kept(folder: Path, plans: Sequence[ChainPlan]) -> list[Snapshot] | None:
    payloads = [read_whole(_place(folder, plan)) for plan in plans]
    found = [_parsed(payload) for payload in payloads if payload is not None]
    return found if len(found) == len(plans) else None


def _parsed(payload: bytes) -> Snapshot:
    content = json.loads(payload)
    furnished = content["furnished"]
    pools = tuple(
        Pool(pool["kind"], pool["address"], (pool["tokens"][0], pool["tokens"][1]), pool["fee"])
        for pool in furnished["pools"]
    )
    return Snapshot(content["state"], Furnished(furnished["contracts"], furnished["tokens"], pools))


def _key(anvil: str) -> str:
    """Return 16 hex digits that digest everything that a snapshot is made from."""
    digest = hashlib.sha256(f"{anvil}\n{pins_digest(pinned_packages())}\n".encode())
    for package, names in (
        ("rhumbline.devnet", _MADE_BY),
        ("rhumbline.gateways.nodes.evm", ("deployment.py", *(f"artifacts/{name}.json" for name in _OURS))),
    ):
        for name in names:
            digest.update(f"{name}\n".encode() + resources.files(package).joinpath(name).read_bytes())
    return digest.hexdigest()[:16]


async def _make(plan: ChainPlan, anvil: Path, codes: Mapping[str, bytes]) -> Snapshot:
    with tempfile.TemporaryDirectory(prefix="rhumbline-devnet-") as folder:
        async with (
            HttpClient() as http,
            running_anvil(
                anvil, chain_id=plan.id, name=plan.key, mnemonic=MNEMONIC, accounts=len(FUNDED), folder=Path(folder),
                http=http,
            ) as rpc,
        ):  # fmt: skip
            furnished = await furnish(plan, rpc, codes)
            return Snapshot((await dumped_state(rpc)).decode(), furnished)
