"""The running sandbox: its chains, everything on them, and the file that describes it."""

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
    """`cache` is the folder of downloaded contracts and snapshots; `anvil` None: see `find_anvil`.

    `ports` None: free ones; otherwise one for each chain, in the chains' order; a Solana node also takes the next port,
    for its websocket. `progress` is called with each step that takes time. `solana_slot_ms` is the length of a Solana
    slot.
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

    `ws_url` is the node's websocket; `genesis` is the hash of the first block, on chains that are identified by it.
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
    """An account on every chain of a type: canonical address, and the private key in its wallets' format."""

    type: ChainType
    address: str
    private_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class LocalChains:
    """The running chains of one type; `accounts` have the native asset and every token on each, `empty` has nothing."""

    chains: tuple[SandboxChain, ...]
    accounts: tuple[SandboxAccount, ...]
    empty: tuple[SandboxAccount, ...]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Everything that runs. `accounts` have the native asset and tokens on the chains of their type, `empty` nothing.

    ``posts`` are those of the emulators that work on it.
    """

    chains: tuple[SandboxChain, ...]
    accounts: tuple[SandboxAccount, ...]
    empty: tuple[SandboxAccount, ...]
    posts: DutyRoster = field(default_factory=DutyRoster, compare=False, repr=False)

    @property
    def evm_chains(self) -> tuple[SandboxChain, ...]:
        return tuple(chain for chain in self.chains if chain.type is ChainType.EVM)

    def chain(self, key: str) -> SandboxChain:
        """Find a chain by its key; raise KeyError if there is none."""
        return {chain.key: chain for chain in self.chains}[key]


@dataclass(frozen=True, slots=True)
class SandboxIntegrator:
    """An integrator registered with the sandbox's service, with its wallets on EVM chains and on Solana.

    ``owner`` is the account that signs in to the portal for it, one of the sandbox's own.
    """

    name: str
    wallet: str
    api_key: str = field(repr=False)
    svm_wallet: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class SandboxService:
    """What is known of the sandbox's service only to the process that started it.

    `load_test_api_key` has a limit that no test reaches; `emulators` are the emulators' URLs by adapter key.
    """

    base_url: str
    api_key: str = field(repr=False)
    load_test_api_key: str = field(repr=False)
    integrator: SandboxIntegrator
    emulators: Mapping[str, str] = field(default_factory=dict)


def write_sandbox_json(path: Path, sandbox: Sandbox, service: SandboxService | None) -> None:
    """Write the file from which a client finds everything, atomically, readable by its owner alone (it contains keys).

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
    listed: dict[str, list[dict[str, str]]] = {}
    for account in accounts:
        entry = {"address": account.address, "private_key": account.private_key}
        listed.setdefault(account.type.value.lower() + what, []).append(entry)
    return dict(listed)
