"""The running sandbox in words: its chains, everything on them, and the file by which others find it all."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rhumbline.devnet.artifacts import Progress
from rhumbline.devnet.atomic_files import write_atomically
from rhumbline.devnet.duty_roster import DutyRoster
from rhumbline.devnet.pool import Pool
from rhumbline.domain.chain import ChainType


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """`cache`: where fetched contracts and snapshots are kept; `anvil` None: found (see `find_anvil`).

    `ports` None: free ones; else one a chain, in the chains' order; a node of Solana's takes the next port too, for its
    websocket. `progress` is told what takes time. `solana_slot_ms` is how long a slot of Solana's lasts.
    """

    cache: Path = Path(".rhumbline/cache")
    anvil: Path | None = None
    ports: tuple[int, ...] | None = None
    progress: Progress = lambda _: None
    solana_slot_ms: int = 400


@dataclass(frozen=True, slots=True)
class SandboxToken:
    """A token of a chain: canonical address and decimals."""

    address: str
    decimals: int


@dataclass(frozen=True, slots=True)
class SandboxChain:
    """One running chain. `tokens` by symbol (WETH too), `contracts` by name (`quoter_v2`, `diamond` and so on).

    `ws_url` is the node's websocket, `genesis` the hash of the first block where a chain is known by that.
    """

    id: int
    key: str
    name: str
    rpc_url: str
    tokens: Mapping[str, SandboxToken]
    contracts: Mapping[str, str]
    pools: tuple[Pool, ...]
    type: ChainType = ChainType.EVM
    ws_url: str = ""
    genesis: str = ""


@dataclass(frozen=True, slots=True)
class SandboxAccount:
    """An account on every chain of a type: canonical address, private key as its wallets write it."""

    type: ChainType
    address: str
    private_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class LocalChains:
    """The running chains of one type; `accounts` hold the native currency and every token on each, `empty` nothing."""

    chains: tuple[SandboxChain, ...]
    accounts: tuple[SandboxAccount, ...]
    empty: tuple[SandboxAccount, ...]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """All that is running. `accounts` hold the native currency and tokens on the chains of their type, `empty` nothing.

    ``posts`` are those of the emulators that work on it.
    """

    chains: tuple[SandboxChain, ...]
    accounts: tuple[SandboxAccount, ...]
    empty: tuple[SandboxAccount, ...]
    posts: DutyRoster = field(default_factory=DutyRoster, compare=False, repr=False)

    @property
    def evm_chains(self) -> tuple[SandboxChain, ...]:
        """Those of EVM nodes."""
        return tuple(chain for chain in self.chains if chain.type is ChainType.EVM)

    def chain(self, key: str) -> SandboxChain:
        """Find a chain by its key; KeyError when there is none."""
        return {chain.key: chain for chain in self.chains}[key]


@dataclass(frozen=True, slots=True)
class SandboxIntegrator:
    """An integrator registered with the service that runs on the sandbox; its wallets on EVM chains and on Solana.

    ``owner`` is the account that signs in to the portal for it, one of the sandbox's own.
    """

    name: str
    wallet: str
    api_key: str = field(repr=False)
    svm_wallet: str = ""
    owner: str = ""


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


def write_sandbox_json(path: Path, sandbox: Sandbox, service: SandboxService | None) -> None:
    """Write the file by which a client finds everything, in one step, readable by its owner alone (it holds keys).

    Without a service the file describes the chains and accounts only.
    """
    content = {
        **({} if service is None else _service_json(service)),
        "chains": [_chain_json(chain) for chain in sandbox.chains],
        "accounts": {**_accounts_json(sandbox.accounts), **_accounts_json(sandbox.empty, "_empty")},
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
            "svm_wallet": service.integrator.svm_wallet,
            "owner": service.integrator.owner,
            "api_key": service.integrator.api_key,
        },
        "emulators": dict(service.emulators),
    }


def _chain_json(chain: SandboxChain) -> dict[str, object]:
    return {
        "id": chain.id,
        "key": chain.key,
        "name": chain.name,
        "type": chain.type.value,
        "rpc_url": chain.rpc_url,
        "ws_url": chain.ws_url,
        "tokens": {
            symbol: {"address": token.address, "decimals": token.decimals} for symbol, token in chain.tokens.items()
        },
        "contracts": dict(chain.contracts),
        "pools": [
            {"kind": pool.kind, "address": pool.address, "tokens": list(pool.tokens), "fee": pool.fee}
            for pool in chain.pools
        ],
    }


def _accounts_json(accounts: Sequence[SandboxAccount], what: str = "") -> dict[str, object]:
    """List accounts by their chain type, in lower case."""
    listed: dict[str, list[dict[str, str]]] = {}
    for account in accounts:
        entry = {"address": account.address, "private_key": account.private_key}
        listed.setdefault(account.type.value.lower() + what, []).append(entry)
    return dict(listed)
