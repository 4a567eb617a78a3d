"""Prices of the sandbox from its pools, on one chain and across chains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.pool import Pool
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.upstreams.svm_market import SvmMarket
from rhumbline.devnet.upstreams.trades import Leg, NoMarket, Trade
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes

ACROSS_BPS = 5
"""The cost of a crossing, in hundredths of a percent."""
_BETWEEN = ("WETH", "USDC")
# The token to exchange for if the other chain has none of that name.
_EVERYWHERE = "USDC"
# A transfer of it delivers less than a pool promises.
_TAXED = "TAX"


@dataclass(frozen=True, slots=True)
class Market:
    """The pools of all chains; ``solana`` are those of that type, by chain ID."""

    chains: Mapping[int, SandboxChain]
    rpcs: Mapping[int, EvmRpc]
    solana: Mapping[int, SvmMarket]

    async def quote(self, chain_id: int, token_in: str, token_out: str, amount: int) -> Trade:
        """Find the best trade at present, direct or through WETH and USDC; raise NoMarket.

        The native marker is traded as WETH. WETH and the native asset are not traded for each other: NoMarket. On
        Solana the trade is the `SvmTrade` of its own market.
        """
        if chain_id in self.solana:
            return await self.solana[chain_id].quote(token_in, token_out, amount)
        chain = self.chains[chain_id]
        first, last = (_wrapped(chain, token) for token in (token_in, token_out))
        if first == last:
            raise NoMarket(f"{token_in} and {token_out} are one token")
        ends = dict.fromkeys([last, *(chain.tokens[symbol].address for symbol in _BETWEEN)])
        ways: list[tuple[Leg, ...]] = []
        open_ways: list[tuple[Leg, ...]] = [()]
        while open_ways:
            # Every open path is continued to the destination, and to the tokens that it has not visited.
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
        """Return the output on the other chain, in raw units of `token_out`, after `ACROSS_BPS` (rounded down).

        A token counts as the one with the same symbol there, whatever its decimals, the native asset as its wrapped
        token; if `token_out` is another one, the other chain's pools convert. A token that does not exist there crosses
        as USDC. Raise NoMarket.
        """
        origin, destination = self.chains[origin_chain], self.chains[destination_chain]
        wrapped = self._wrapped(origin, token_in)
        symbol = _symbol(origin, wrapped)
        if symbol not in destination.tokens:
            dollars = origin.tokens[_EVERYWHERE].address
            amount = (await self.quote(origin_chain, wrapped, dollars, amount)).amount_out
            symbol = _EVERYWHERE
        units = 10 ** destination.tokens[symbol].decimals, 10 ** origin.tokens[symbol].decimals
        arrived: int = amount * (10_000 - ACROSS_BPS) * units[0] // (10_000 * units[1])
        landed = destination.tokens[symbol].address
        if landed == self._wrapped(destination, token_out):
            return arrived
        return (await self.quote(destination_chain, landed, token_out, arrived)).amount_out

    def _wrapped(self, chain: SandboxChain, token: str) -> str:
        solana = self.solana.get(chain.id)
        return _wrapped(chain, token) if solana is None else solana.wrapped(token)

    async def _best(self, chain: SandboxChain, asked: Sequence[tuple[str, str, int]]) -> list[Leg | None]:
        """Ask all pools of each pair in one request; None for a pair without an output."""
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
    """Read the amount out: the last of V2's two amounts, the first of QuoterV2's four words."""
    return int.from_bytes(said[-32:] if pool.kind == "uniswap_v2" else said[:32])
