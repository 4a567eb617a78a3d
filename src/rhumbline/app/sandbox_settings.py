"""The settings of a service on the sandbox, written as an operator would write the file."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rhumbline.devnet.evm.fork_pools import SPACINGS
from rhumbline.devnet.evm.rate_pools import IMPLEMENTATION
from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.chain import ChainType

SERVICE_SHARE = "0.001"
NAMES = (
    ("WETH", "Wrapped Ether", "ETH"),
    ("USDC", "USD Coin", "USDC"),
    ("USDT", "Tether USD", "USDT"),
    ("DAI", "Dai Stablecoin", "DAI"),
    ("WBTC", "Wrapped BTC", "WBTC"),
)
"""Symbol, name and coin key of the tokens that the sandbox lists; TAX is on no list, like an unknown token."""
UNISWAP_TIERS = ((100, 1), (500, 10), (3000, 60), (10000, 200))
SOLANA_NAMES = (("WSOL", "Wrapped SOL", "SOL"), *NAMES)
ANCHORS = ("WETH", "USDC", "USDT", "DAI", "WBTC")


def sandbox_settings(
    sandbox: Sandbox, store: Path, base_url: str, service_wallet: str, emulators: Collection[Emulator] = ()
) -> str:
    """Return the content of a ``rhumbline.toml`` for these chains, with a store of its own and a service fee.

    The adapters of ``emulators``, and the price source of one, ask these instead of their upstreams; that is written as
    an operator would write it.
    """
    sections = [
        "# Written by `rhumbline devnet`; serves the local chains for as long as they run.\n"
        + _table(None, {"base_url": base_url}),
        _table("store", {"data_dir": str(store.absolute())}),
        _table("fees", {"service_share": SERVICE_SHARE, "evm_wallet": service_wallet, **_solana_wallet(sandbox)}),
        _table("catalog", {"shipped": False}),
        *_prices([each for each in emulators if isinstance(each, DefiLlama)]),
        _table("limits", {"unauthenticated_requests": 100_000}),
        _table("tracking", {"poll_ms": 50, "bridge_poll_ms": 200}),
        # A quote right after a transaction is made of the block with it.
        _table("adapters.onchain", {"block_age_ms": 0}),
        _table("log", {"level": "warning"}),
    ]
    for chain in sandbox.chains:
        sections += _SECTIONS[chain.type](chain)
    for emulator in emulators:
        sections += () if isinstance(emulator, DefiLlama) else _adapter(emulator)
    return "\n".join(sections)


def _prices(emulators: Sequence[DefiLlama]) -> Iterable[str]:
    if not emulators:
        yield _table("prices", {"sources": ["onchain"]})
        return
    (emulator,) = emulators
    yield _table("prices", {"sources": ["defillama", "onchain"], "defillama_url": emulator.url})
    yield _table("prices.defillama_chains", {str(number): name for number, name in emulator.chain_names().items()})


def _solana_wallet(sandbox: Sandbox) -> Mapping[str, str]:
    found = [chain.contracts["service_wallet"] for chain in sandbox.chains if chain.type is ChainType.SVM]
    return {"svm_wallet": found[0]} if found else {}


def _evm(chain: SandboxChain) -> Sequence[str]:
    contracts = chain.contracts
    facts = {"start_block": 0, "wrapped_native": contracts["weth9"], "multicall": contracts["multicall3"]}
    native = '{ symbol = "ETH", name = "Ether", coin_key = "ETH" }'
    return [_chain(chain, facts, native), *_tokens(chain, NAMES), _onchain(chain)]


def _solana(chain: SandboxChain) -> Sequence[str]:
    facts = {"genesis": chain.genesis, "wrapped_native": chain.tokens["WSOL"].address, "diamond": False}
    native = '{ symbol = "SOL", name = "Solana", decimals = 9, coin_key = "SOL" }'
    return [_chain(chain, facts, native), *_tokens(chain, SOLANA_NAMES)]


def _chain(chain: SandboxChain, facts: Mapping[str, object], native: str) -> str:
    """Write a chain; ``facts`` are what not all types have, ``native`` is a table in one line."""
    shared = {
        "id": chain.id,
        "key": chain.key,
        "name": chain.name,
        "type": chain.type.value,
        "rpc": chain.rpc_url,
        "ws": chain.ws_url,
        "rpc_urls": [chain.rpc_url],
        # Nothing explores it but its own node.
        "explorer_url": chain.rpc_url,
        "mainnet": False,
        "confirmations": 0,
    }
    return _table("[chains]", {**shared, **facts}) + f"native = {native}\n"


def _tokens(chain: SandboxChain, names: Iterable[tuple[str, str, str]]) -> Iterable[str]:
    for symbol, name, coin_key in names:
        token = chain.tokens[symbol]
        yield _table(
            "[tokens]",
            {
                "chain_id": chain.id,
                "address": token.address,
                "symbol": symbol,
                "decimals": token.decimals,
                "name": name,
                "coin_key": coin_key,
            },
        )


def _onchain(chain: SandboxChain) -> str:
    return _table(
        f"adapters.onchain.deployments.{chain.id}",
        {
            "router": chain.contracts["swap_router_02"],
            "wrapped_native": chain.contracts["weth9"],
            "anchors": [chain.tokens[symbol].address for symbol in ANCHORS],
        },
    ) + "".join(
        "\n" + _table(f"[adapters.onchain.deployments.{chain.id}.sources]", source) for source in _sources(chain)
    )


def _sources(chain: SandboxChain) -> Iterable[Mapping[str, object]]:
    yield {"key": "UNISWAP_V2", "kind": "v2", "factory": chain.contracts["uniswap_v2_factory"], "fee": 3000}
    tiers = [list(tier) for tier in UNISWAP_TIERS]
    yield {"key": "UNISWAP_V3", "kind": "v3", "factory": chain.contracts["uniswap_v3_factory"], "tiers": tiers}
    yield {"key": "SOLIDLY", "kind": "solidly", "factory": chain.contracts["solidly_factory"]}
    slipstream = {"key": "SLIPSTREAM", "kind": "slipstream", "factory": chain.contracts["slipstream_factory"]}
    yield {**slipstream, "tiers": [[0, spacing] for spacing in SPACINGS]}
    stable = {"key": "CURVE_STABLE_NG", "kind": "curve", "factory": chain.contracts["stable_factory"]}
    yield {**stable, "implementations": [IMPLEMENTATION]}


def _adapter(emulator: Emulator) -> Iterable[str]:
    section = f"adapters.{emulator.key.lower()}"
    # The budgets of public upstreams are no matter here.
    yield _table(section, {"enabled": True, "url": emulator.url, "calls_per_s": 10_000})
    for name, texts in (("more_urls", emulator.more_urls()), ("credentials", emulator.credentials())):
        if texts:
            yield _table(f"{section}.{name}", texts)
    for chain_id, facts in emulator.deployments().items():
        yield _table(f"{section}.deployments.{chain_id}", facts)


_SECTIONS: Mapping[ChainType, Callable[[SandboxChain], Sequence[str]]] = MappingProxyType(
    {ChainType.EVM: _evm, ChainType.SVM: _solana}
)


def _table(name: str | None, values: Mapping[str, object]) -> str:
    """Write a TOML table; its strings, numbers, truth values and lists are written as in JSON."""
    head = "" if name is None else f"[{name}]\n"
    return head + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
