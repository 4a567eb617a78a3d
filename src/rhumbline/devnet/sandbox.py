"""The running sandbox: two local EVM chains, everything on them, and the file by which others find it all."""

import json
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from rhumbline.devnet.accounts import EMPTY, FUNDED, MNEMONIC, SandboxAccount, sandbox_account
from rhumbline.devnet.artifacts import Progress
from rhumbline.devnet.atomic_files import write_atomically
from rhumbline.devnet.duty_roster import Posts
from rhumbline.devnet.evm.contracts import CHAINS, ChainPlan
from rhumbline.devnet.evm.nodes import find_anvil, running_anvil
from rhumbline.devnet.evm.pools import DECIMALS, Pool
from rhumbline.devnet.evm.snapshots import Snapshot, resume, snapshots


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """`cache`: where fetched contracts and snapshots are kept; `anvil` None: found (see `find_anvil`).

    `ports` None: free ones; else one a chain, in the order of `CHAINS`. `progress` is told what takes time.
    """

    cache: Path = Path(".rhumbline/cache")
    anvil: Path | None = None
    ports: tuple[int, ...] | None = None
    progress: Progress = lambda _: None


@dataclass(frozen=True, slots=True)
class SandboxToken:
    """A token of a chain: EIP-55 address and decimals."""

    address: str
    decimals: int


@dataclass(frozen=True, slots=True)
class SandboxChain:
    """One running chain. `tokens` by symbol (WETH too), `contracts` by name (`quoter_v2`, `diamond` and so on)."""

    id: int
    key: str
    name: str
    rpc_url: str
    tokens: Mapping[str, SandboxToken]
    contracts: Mapping[str, str]
    pools: tuple[Pool, ...]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """All that is running. `accounts` hold the native currency and every token on both chains, `empty` hold nothing.

    ``posts`` are those of the emulators that work on it.
    """

    chains: tuple[SandboxChain, ...]
    accounts: tuple[SandboxAccount, ...]
    empty: tuple[SandboxAccount, ...]
    posts: Posts = field(default_factory=Posts, compare=False, repr=False)

    def chain(self, key: str) -> SandboxChain:
        """Find a chain by its key; KeyError when there is none."""
        return {chain.key: chain for chain in self.chains}[key]


@dataclass(frozen=True, slots=True)
class SandboxIntegrator:
    """An integrator registered with the service that runs on the sandbox."""

    name: str
    wallet: str
    api_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SandboxService:
    """The service on the sandbox: what only the one who started it knows.

    `load_test_api_key` has a limit that no test reaches; `emulators` are the upstream emulators' URLs by adapter key.
    """

    base_url: str
    api_key: str = field(repr=False)
    load_test_api_key: str = field(repr=False)
    integrator: SandboxIntegrator
    emulators: Mapping[str, str] = field(default_factory=dict)


@asynccontextmanager
async def running_sandbox(config: SandboxConfig) -> AsyncIterator[Sandbox]:
    """Run both chains, set up, for as long as the context lasts; they end with this process however it ends.

    The first start fetches contracts (npm, network) and sets the chains up, later ones load a snapshot.
    Raises ArtifactError, AnvilError, SetUpError, CacheError, DeploymentError, each saying what to do.
    """
    ports = config.ports or (0,) * len(CHAINS)
    if len(ports) != len(CHAINS):
        raise ValueError(f"ports: {len(CHAINS)} are needed, one a chain, or none for free ones")
    anvil = find_anvil(config.anvil)
    kept = await snapshots(config.cache.absolute(), anvil, CHAINS, config.progress)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rhumbline-sandbox-")))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        chains = []
        for plan, snapshot, port in zip(CHAINS, kept, ports, strict=True):
            rpc = await stack.enter_async_context(
                running_anvil(
                    anvil, chain_id=plan.id, name=plan.key, mnemonic=MNEMONIC, accounts=len(FUNDED), folder=folder,
                    session=session, port=port, state=snapshot.state.encode(),
                )
            )  # fmt: skip
            await resume(rpc)
            chains.append(_described(plan, snapshot, rpc.url))
        yield Sandbox(
            tuple(chains),
            tuple(sandbox_account(index) for index in FUNDED),
            tuple(sandbox_account(index) for index in EMPTY),
        )


def _described(plan: ChainPlan, snapshot: Snapshot, rpc_url: str) -> SandboxChain:
    furnished = snapshot.furnished
    tokens = {symbol: SandboxToken(address, DECIMALS[symbol]) for symbol, address in furnished.tokens.items()}
    return SandboxChain(plan.id, plan.key, plan.name, rpc_url, tokens, furnished.contracts, furnished.pools)


def write_sandbox_json(path: Path, sandbox: Sandbox, service: SandboxService | None) -> None:
    """Write the file by which a client finds everything, in one step, readable by its owner alone (it holds keys).

    Without a service the file describes the chains and accounts only.
    """
    content = {
        **({} if service is None else _service_json(service)),
        "chains": [_chain_json(chain) for chain in sandbox.chains],
        "accounts": {
            "evm": [_account_json(account) for account in sandbox.accounts],
            "evm_empty": [_account_json(account) for account in sandbox.empty],
        },
    }
    write_atomically(path, (json.dumps(content, indent=2) + "\n").encode(), 0o600)


def _service_json(service: SandboxService) -> dict[str, object]:
    return {
        "base_url": service.base_url,
        "api_key": service.api_key,
        "load_test_api_key": service.load_test_api_key,
        "integrator": {
            "name": service.integrator.name,
            "wallet": service.integrator.wallet,
            "api_key": service.integrator.api_key,
        },
        "emulators": dict(service.emulators),
    }


def _chain_json(chain: SandboxChain) -> dict[str, object]:
    return {
        "id": chain.id,
        "key": chain.key,
        "name": chain.name,
        "rpc_url": chain.rpc_url,
        "tokens": {
            symbol: {"address": token.address, "decimals": token.decimals} for symbol, token in chain.tokens.items()
        },
        "contracts": dict(chain.contracts),
        "pools": [
            {"kind": pool.kind, "address": pool.address, "tokens": list(pool.tokens), "fee": pool.fee}
            for pool in chain.pools
        ],
    }


def _account_json(account: SandboxAccount) -> dict[str, str]:
    return {"address": account.address, "private_key": account.private_key}
