"""What is true of the adapters over HTTP, found by asking them: for the tables of docs/upstreams.md."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rhumbline.app.adapters import built_adapters
from rhumbline.app.chain_section import ChainSettings
from rhumbline.app.chains import build_chains, known_to
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings
from rhumbline.app.tokens import fixed_tokens
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.deployment import executor_address
from rhumbline.gateways.upstreams.spec import AdapterSpec
from tests.live.asks import SOLANA_WALLET, WALLET

NOWHERE = "http://127.0.0.1:9"
SYMBOLS = ("USDC", "USDT", "USDC.e", "WETH", "USDB", "USDG")
"""Beside native and wrapped assets, enough to find each chain that an adapter serves."""
UNLISTED = "DzpB6nC3qnL7WUewVumi5dqWWtM1Le76E3v2HLCXrise"
"""A token of Solana's that an adapter with tokens of its own serves."""
Pair = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True)
class Facts:
    """One adapter where every chain of the catalogue has a node and every needed credential is there.

    ``direct`` and ``through`` are the pairs, of chains and tokens, that it supports for a wallet that calls itself,
    and for the service's Executor.
    """

    spec: AdapterSpec[Any]
    adapter: Adapter[Any]
    chains: tuple[Chain, ...]
    direct: frozenset[Pair]
    through: frozenset[Pair]

    def row(self) -> tuple[str, ...]:
        """Return the row of the first table: adapter, kind, chains, credentials, who calls, calls a second."""
        info, spec = self.adapter.info, self.spec
        rate = "no bound" if spec.calls_per_s is None else f"{spec.calls_per_s:g}"
        return (
            f"`{info.key}`",
            str(info.capability),
            str(len(self.origins | self.destinations)),
            self.credentials(),
            self.callers(),
            rate,
        )

    @property
    def origins(self) -> frozenset[int]:
        """Chains that it goes from."""
        return frozenset(pair[0] for pair in self.direct | self.through)

    @property
    def destinations(self) -> frozenset[int]:
        """Chains that it goes to."""
        return frozenset(pair[1] for pair in self.direct | self.through)

    def credentials(self) -> str:
        """Say which it needs and which it may have."""
        needed, taken = (
            ", ".join(f"`{name}`" for name in names) for names in (self.spec.needs, self.spec.optional_credentials)
        )
        either = " or ".join(f"`{name}`" for name in self.spec.needs_one)
        words = [f"{each} needed" for each in (needed, either) if each] + ([f"{taken} optional"] if taken else [])
        return "; ".join(words) or "none"

    def callers(self) -> str:
        """Say who may make the calls."""
        if not self.through:
            return "wallet"
        # On Solana there are no contracts of ours to call for the wallet.
        own = {chain.id for chain in self.chains if chain.type is ChainType.SVM}
        more = {pair for pair in self.direct - self.through if pair[0] not in own}
        less = self.through - self.direct
        words = ["both"]
        if more:
            assert {token for _, _, token, _ in more} == {NATIVE_EVM}
            assert not {pair for pair in self.through if pair[2] == NATIVE_EVM}
            words.append("native input: wallet")
        if less:
            assert less == {pair for pair in self.through if pair[0] == pair[1]}
            words.append("on one chain: contracts")
        return "; ".join(words)

    def places(self) -> str:
        """Say which chains it goes from and to, by name, and which are built in beyond the catalogue, by ID."""
        origins, destinations = self.origins, self.destinations
        known = {chain.id for chain in self.chains}
        assert origins | destinations <= set(self.adapter.info.chains)
        groups = (
            ("", origins & destinations),
            ("as origin only: ", origins - destinations),
            ("as destination only: ", destinations - origins),
        )
        words = [
            prefix + ", ".join(chain.name for chain in self.chains if chain.id in group)
            for prefix, group in groups
            if group
        ]
        further = sorted(set(self.spec.deployments) - known)
        if further:
            words.append("once `[[chains]]` knows them: " + ", ".join(str(number) for number in further))
        return "; ".join(words)


async def facts() -> tuple[Facts, ...]:
    """Find the facts of all adapters over HTTP, in the registry's order. Nobody is asked."""
    chains = [ChainSettings.model_validate({"id": chain.id, "rpc": NOWHERE}) for chain in known_to(Settings())]
    tables = {
        spec.key.lower(): {
            "url": NOWHERE,
            "enabled": True,
            "credentials": dict.fromkeys((*spec.needs, *spec.needs_one), "x"),
        }
        for spec in SPECS
    }
    settings = Settings.model_validate({"chains": chains, "adapters": tables})
    async with HttpClient() as http:
        served = build_chains(settings, http)
        tokens = TokenCatalog(served.catalog, fixed_tokens(settings, served), served.token_readers)
        async with built_adapters(settings, served, tokens) as adapters:
            by_key = {adapter.info.key: adapter for adapter in adapters}
            requests = list(_requests(tuple(served.catalog), tokens))
            return tuple(_facts(spec, by_key[spec.key], requests, served.catalog) for spec in SPECS)


def _facts(spec: AdapterSpec[Any], adapter: Adapter[Any], requests: list[QuoteRequest], chains: Any) -> Facts:
    supported = [request for request in requests if adapter.supports(request)]
    direct, through = (
        frozenset(_pair(request) for request in supported if (request.taker == request.sender) is own)
        for own in (True, False)
    )
    return Facts(spec, adapter, tuple(chains), direct, through)


def _pair(request: QuoteRequest) -> Pair:
    return request.origin.id, request.destination.id, request.origin_token.address, request.destination_token.address


def _requests(chains: tuple[Chain, ...], tokens: TokenCatalog) -> Iterator[QuoteRequest]:
    for origin in chains:
        for destination in chains:
            for given in _tokens(origin, tokens):
                for wanted in _tokens(destination, tokens):
                    sender, receiver = (
                        WALLET if chain.type is ChainType.EVM else SOLANA_WALLET for chain in (origin, destination)
                    )
                    for caller in (sender, executor_address())[: 2 if origin.type is ChainType.EVM else 1]:
                        recipient = caller if origin == destination else receiver
                        yield QuoteRequest(
                            origin, destination, given, wanted, 10**6, sender, receiver, caller, recipient,
                            Fraction(1, 100), 2**32,
                        )  # fmt: skip


def _tokens(chain: Chain, tokens: TokenCatalog) -> list[Token]:
    named = [tokens.find(chain, symbol) for symbol in SYMBOLS]
    wrapped = None if chain.wrapped_native is None else tokens.find(chain, chain.wrapped_native)
    found = [token for token in (chain.native, wrapped, *named) if token is not None]
    return found if chain.type is ChainType.EVM else [*found, Token(chain.id, UNLISTED, "UPONLY", 9, "Up Only")]
