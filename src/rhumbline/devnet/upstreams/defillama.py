"""An emulator of DefiLlama's price API: fixed prices of the sandbox's tokens, independent of its pools.

https://api-docs.defillama.com and ``coins/src/getCurrentCoins.ts`` of github.com/DefiLlama/defillama-server at 0a8ad5e,
read 2026-11-22: ``GET /prices/current/{coins}`` takes comma-separated ``{chain}:{address}`` and ``searchWidth`` (12 h
by default), answers each coin under its requested name, and leaves out unknown coins and older prices. It is stricter
in one point: a coin of an unknown chain, or without an address, is a bad request. Bodies of failures are guesses.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.evm.pools import PRICES
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.svm.plans import PRICES as SOLANA_PRICES
from rhumbline.devnet.upstreams.behaviour import Behaviour, Fails, Failure, read_behaviour
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import ChainType, native_marker
from rhumbline.domain.clock import Clock, system_clock
from rhumbline.gateways.chain_types.addresses import is_address

KNOWN = ("WETH", "USDC", "USDT", "DAI", "WBTC", "WSOL")
"""TAX is not among them: no price source knows it."""
_CENTS = 100
_CENTS_EACH = MappingProxyType({**SOLANA_PRICES, **PRICES})
_WIDTH = re.compile(r"([1-9][0-9]{0,5})([wdhm])\Z", re.ASCII | re.IGNORECASE)
_SECONDS = MappingProxyType({"w": 604_800, "d": 86_400, "h": 3600, "m": 60})
_USUAL_WIDTH = "12h"
_LARGEST_FACTOR = Decimal(10) ** 12


@dataclass
class PriceBehaviour(Behaviour):
    """How a price source behaves, in addition to the behaviour of any emulator.

    ``factors`` multiply the prices of tokens by their symbols: ``WETH`` on all chains, or ``sbxa:WETH`` on one, which
    takes precedence. ``age_s`` is the stated age of prices, ``confidence`` the stated confidence, from 0 to 1.
    """

    factors: Mapping[str, Decimal] = field(default_factory=dict)
    age_s: float = 0.0
    confidence: Decimal = Decimal("0.99")


class DefiLlama(Emulator):
    """Fixed reference prices: those at which the pools were created. It never reads a pool."""

    key = "DEFILLAMA"
    behaviour: PriceBehaviour
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "bad_request": Failure(400, {"message": "Bad Request"}),
            "rate_limited": Failure(429, {"message": "Too Many Requests"}, {"retry-after": "30"}),
            "internal": Failure(502, {"message": "Internal server error"}),
            "knows_nothing": Failure(200, {"coins": {}}),
        }
    )

    def __init__(self, world: World) -> None:
        self.clock: Clock = system_clock
        self._worth = {chain.key: _worth(chain) for chain in world.chains.values()}
        self._types = {chain.key: chain.type for chain in world.chains.values()}
        super().__init__(world)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [web.get("/prices/current/{coins}", self._current)]

    def chain_names(self) -> Mapping[int, str]:
        """Return its names of the chains, in the form of the settings."""
        return MappingProxyType({number: chain.key for number, chain in self.world.chains.items()})

    def behaviour_from(self, document: object) -> PriceBehaviour:
        """Read the common keys, and ``factors``, ``age_s`` and ``confidence``."""
        if not isinstance(document, dict):
            raise ValueError("an object")
        own = {"factors", "age_s", "confidence"}
        common = read_behaviour(
            {key: value for key, value in document.items() if key not in own}, self.failures, self.statuses
        )
        return PriceBehaviour(
            common.fault,
            common.lie,
            common.failure,
            common.delay_s,
            common.outcome,
            common.status,
            factors=self._factors(document.get("factors", {})),
            age_s=float(_number("age_s", document.get("age_s", 0), Decimal(10) ** 9)),
            confidence=_number("confidence", document.get("confidence", "0.99"), Decimal(1)),
        )

    def _factors(self, value: object) -> Mapping[str, Decimal]:
        names = {*KNOWN, *(f"{chain}:{symbol}" for chain in self._worth for symbol in KNOWN)}
        if not isinstance(value, dict) or not names.issuperset(value):
            raise ValueError(f"factors: an object with some of these keys: {', '.join(sorted(names))}")
        return {name: _number(f"factors.{name}", factor, _LARGEST_FACTOR) for name, factor in value.items()}

    async def _current(self, request: web.Request) -> web.Response:
        behaviour = self.behaviour
        width = _width_s(received(request).query)
        at = int((self.clock() - timedelta(seconds=behaviour.age_s)).timestamp())
        coins: dict[str, object] = {}
        for coin in request.match_info["coins"].split(","):
            known = self._known(coin)
            if known is None or behaviour.age_s >= width:
                continue
            chain = coin.partition(":")[0]
            symbol, priced_as, decimals = known
            factors = behaviour.factors
            factor = factors.get(f"{chain}:{priced_as}", factors.get(priced_as, Decimal(1)))
            coins[coin] = {
                "decimals": decimals,
                "symbol": symbol,
                "price": factor * _CENTS_EACH[priced_as] / _CENTS,
                "timestamp": at,
                "confidence": behaviour.confidence,
            }
        return answer({"coins": coins})

    def _known(self, coin: str) -> tuple[str, str, int] | None:
        """Return a coin's symbol, the token whose price it has, and its decimals."""
        chain, _, address = coin.partition(":")
        if chain not in self._worth or not is_address(self._types[chain], address):
            raise Fails("bad_request")
        return self._worth[chain].get(_written(self._types[chain], address))


def _worth(chain: SandboxChain) -> Mapping[str, tuple[str, str, int]]:
    """Return a chain's tokens by address: symbol, the token whose price they have, decimals."""
    native = ("SOL", "WSOL", 9) if chain.type is ChainType.SVM else ("ETH", "WETH", 18)
    known = {symbol: token for symbol, token in chain.tokens.items() if symbol in KNOWN}
    return {native_marker(chain.type): native} | {
        _written(chain.type, token.address): (symbol, symbol, token.decimals) for symbol, token in known.items()
    }


def _written(chain_type: ChainType, address: str) -> str:
    """Return an address in the form of lookups: lower case, except on Solana, where case matters."""
    return address if chain_type is ChainType.SVM else address.lower()


def _width_s(query: Sequence[tuple[str, str]]) -> int:
    """Read ``searchWidth``, a whole number of weeks, days, hours or minutes; there is no other parameter."""
    given = dict(query)
    match = _WIDTH.match(given.pop("searchWidth", _USUAL_WIDTH))
    if given or len(query) > 1 or match is None:
        raise Fails("bad_request")
    return int(match[1]) * _SECONDS[match[2].lower()]


def _number(key: str, value: object, largest: Decimal) -> Decimal:
    """Read a number, written as one or as text, from 0 to ``largest``; raise ValueError."""
    if not isinstance(value, bool) and isinstance(value, int | float | str):
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            number = Decimal("NaN")
        if number.is_finite() and 0 <= number <= largest:
            return number
    raise ValueError(f"{key}: a number from 0 to {largest:f}")
