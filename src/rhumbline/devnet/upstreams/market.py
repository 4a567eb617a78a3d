"""Prices of the sandbox: what its pools give, asked of them as they are, and calldata that trades exactly so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.pool import Pool
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, hex_bytes

ACROSS_BPS = 5
"""What a crossing costs, in hundredths of a percent."""
# SwapRouter02's words for itself as a recipient and for all that it has (Constants.sol of swap-router-contracts 1.3.1).
_ROUTER_ITSELF = "0x0000000000000000000000000000000000000002"
_ALL_OF_IT = 0
_BETWEEN = ("WETH", "USDC")
# A transfer of it brings less than a pool promises.
_TAXED = "TAX"


class NoMarket(Exception):
    """No pools trade one token for the other."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A trade in one pool: addresses of the tokens, and what comes out for what goes in, in raw units."""

    pool: Pool
    token_in: str
    token_out: str
    amount_in: int
    amount_out: int


@dataclass(frozen=True, slots=True)
class Trade:
    """A trade of ``amount_in`` of ``token_in`` through at most three pools.

    Native tokens are the native marker here and wrapped in the legs; none is needed between an asset and its wrapping.
    ``router`` is SwapRouter02: who calls it has approved it for ``amount_in`` or sends ``value``.
    """

    token_in: str
    token_out: str
    amount_in: int
    amount_out: int
    router: str
    legs: tuple[Leg, ...]

    @property
    def value(self) -> int:
        """What the call needs of the native asset, in wei."""
        return self.amount_in if self.token_in == NATIVE_EVM else 0

    def calldata(self, recipient: str, minimum: int) -> tuple[str, bytes]:
        """Return whom to call and with what, so that `recipient` gets at least `minimum` or everything reverts."""
        unwraps = self.token_out == NATIVE_EVM
        calls = [
            _swap(leg, self.amount_in if number == 0 else _ALL_OF_IT, _ROUTER_ITSELF, 0)
            for number, leg in enumerate(self.legs[:-1])
        ]
        last = self.legs[-1]
        amount = _ALL_OF_IT if calls else self.amount_in
        calls.append(_swap(last, amount, _ROUTER_ITSELF if unwraps else recipient, 0 if unwraps else minimum))
        if unwraps:
            calls.append(encoded("unwrapWETH9(uint256,address)", minimum, recipient))
        return self.router, encoded("multicall(bytes[])", calls)


@dataclass(frozen=True, slots=True)
class Market:
    """The pools of both chains."""

    chains: Mapping[int, SandboxChain]
    rpcs: Mapping[int, EvmRpc]

    async def quote(self, chain_id: int, token_in: str, token_out: str, amount: int) -> Trade:
        """Find the best trade, direct or by way of WETH and USDC, as the pools are now; raise NoMarket.

        The native marker is traded as WETH. Between WETH and the native asset nothing is traded: NoMarket.
        """
        chain = self.chains[chain_id]
        first, last = (_wrapped(chain, token) for token in (token_in, token_out))
        if first == last:
            raise NoMarket(f"{token_in} and {token_out} are one token")
        ends = dict.fromkeys([last, *(chain.tokens[symbol].address for symbol in _BETWEEN)])
        ways: list[tuple[Leg, ...]] = []
        open_ways: list[tuple[Leg, ...]] = [()]
        while open_ways:
            # Every way that is open is led to the end, and to what it has not been through.
            steps = [(way, end) for way in open_ways for end in ends if end not in _through(first, way)]
            legs = await self._best(chain, [_step(first, amount, way, end) for way, end in steps])
            longer = [(*way, leg) for (way, _), leg in zip(steps, legs, strict=True) if leg is not None]
            ways += [way for way in longer if way[-1].token_out == last]
            open_ways = [way for way in longer if way[-1].token_out != last]
        if not ways:
            raise NoMarket(f"{chain.key}: no pools trade {token_in} for {token_out}")
        best = max(ways, key=lambda way: way[-1].amount_out)
        router = chain.contracts["swap_router_02"]
        return Trade(_formed(token_in), _formed(token_out), amount, best[-1].amount_out, router, best)

    async def quote_across(
        self, origin_chain: int, token_in: str, destination_chain: int, token_out: str, amount: int
    ) -> int:
        """Return what arrives on the other chain, in raw units of `token_out`, after `ACROSS_BPS` (rounded down).

        A token counts as the one of the same symbol over there, the native asset as WETH; where `token_out` is another
        one, the other chain's pools convert. Raise NoMarket.
        """
        origin, destination = self.chains[origin_chain], self.chains[destination_chain]
        symbol = _symbol(origin, _wrapped(origin, token_in))
        arrived = amount * (10_000 - ACROSS_BPS) // 10_000
        landed = destination.tokens[symbol].address
        if landed == _wrapped(destination, token_out):
            return arrived
        return (await self.quote(destination_chain, landed, token_out, arrived)).amount_out

    async def _best(self, chain: SandboxChain, asked: Sequence[tuple[str, str, int]]) -> list[Leg | None]:
        """Ask all pools of each pair in one request; None where none gives anything."""
        offers = [
            (place, pool, token_in, token_out, amount)
            for place, (token_in, token_out, amount) in enumerate(asked)
            for pool in _pools(chain, token_in, token_out)
        ]
        answers = await self.rpcs[chain.id].batch(
            [("eth_call", [_question(chain, *offer[1:]), "latest"]) for offer in offers]
        )
        best: list[Leg | None] = [None] * len(asked)
        for (place, pool, token_in, token_out, amount), said in zip(offers, answers, strict=True):
            if isinstance(said, RpcError):
                continue
            leg = Leg(pool, token_in, token_out, amount, _offered(pool, hex_bytes(said)))
            known = best[place]
            if leg.amount_out > (0 if known is None else known.amount_out):
                best[place] = leg
        return best


def _through(first: str, way: tuple[Leg, ...]) -> set[str]:
    return {first, *(leg.token_out for leg in way)}


def _step(first: str, amount: int, way: tuple[Leg, ...], end: str) -> tuple[str, str, int]:
    return (way[-1].token_out, end, way[-1].amount_out) if way else (first, end, amount)


def _formed(token: str) -> str:
    return token if token == NATIVE_EVM else checksummed(token)


def _wrapped(chain: SandboxChain, token: str) -> str:
    return chain.contracts["weth9"] if token == NATIVE_EVM else checksummed(token)


def _symbol(chain: SandboxChain, address: str) -> str:
    for symbol, token in chain.tokens.items():
        if token.address == address:
            return symbol
    raise NoMarket(f"{chain.key}: {address} is no token of the sandbox")


def _pools(chain: SandboxChain, token_in: str, token_out: str) -> list[Pool]:
    pair = {_symbol(chain, token_in), _symbol(chain, token_out)} - {_TAXED}
    return [pool for pool in chain.pools if set(pool.tokens) == pair]


def _question(chain: SandboxChain, pool: Pool, token_in: str, token_out: str, amount: int) -> dict[str, str]:
    if pool.kind == "uniswap_v2":
        to, data = "uniswap_v2_router", encoded("getAmountsOut(uint256,address[])", amount, [token_in, token_out])
    else:
        terms = (token_in, token_out, amount, pool.fee, 0)
        to, data = "quoter_v2", encoded("quoteExactInputSingle((address,address,uint256,uint24,uint160))", terms)
    return {"to": chain.contracts[to], "data": "0x" + data.hex()}


def _offered(pool: Pool, said: bytes) -> int:
    """Read the amount out: the last of V2's list of two, the first of QuoterV2's four words."""
    return int.from_bytes(said[-32:] if pool.kind == "uniswap_v2" else said[:32])


def _swap(leg: Leg, amount: int, recipient: str, minimum: int) -> bytes:
    if leg.pool.kind == "uniswap_v2":
        signature = "swapExactTokensForTokens(uint256,uint256,address[],address)"
        return encoded(signature, amount, minimum, [leg.token_in, leg.token_out], recipient)
    signature = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"
    return encoded(signature, (leg.token_in, leg.token_out, leg.pool.fee, recipient, amount, minimum, 0))
