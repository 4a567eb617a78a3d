"""Stable pools, vaults and wrapped stakes with the public interfaces (`solidity/pools`); no npm package has their code.

They compute and round as Curve's, Sky's and Lido's contracts, which the tests of `liquidity/kinds` compare. The vault
with an offset is OpenZeppelin's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.devnet.evm.operator import Operator, constructed, encoded
from rhumbline.devnet.own_contracts import own_codes

IMPLEMENTATION = "0x00000000000000000000000000000000005Ab1E0"
"""The implementation that the factory reports for its pools."""
PLAIN, RATED, REBASING = range(3)
_MAKE = "make(address,address[],uint8[],uint256[],uint256,uint256,uint256,address)"


@dataclass(frozen=True, slots=True)
class StableTerms:
    """A pool of coins with these decimals: A in hundredths, fees in 1e-10, types of the coins or all plain."""

    coins: tuple[str, ...]
    decimals: tuple[int, ...]
    amplification: int = 20_000
    fee: int = 1_000_000
    off_peg: int = 20_000_000_000
    types: tuple[int, ...] = ()
    implementation: str = IMPLEMENTATION


@dataclass(frozen=True, slots=True)
class RatePools:
    """The factory of stable pools on one chain, and the rates that its coins may have; the operator pays."""

    operator: Operator
    stable_factory: str
    rates: str

    async def stable(self, terms: StableTerms, amounts: Sequence[int]) -> str:
        """Create a pool with these amounts of its coins, and return its address."""
        multipliers = [10 ** (36 - each) for each in terms.decimals]
        types = terms.types or (PLAIN,) * len(terms.coins)
        rates = self.rates if RATED in types else "0x" + "00" * 20
        fees = terms.amplification, terms.fee, terms.off_peg
        call = encoded(_MAKE, terms.implementation, terms.coins, types, multipliers, *fees, rates)
        pool = await self.operator.address_of(self.stable_factory, call)
        await self.operator.send(self.stable_factory, call)
        for coin, amount in zip(terms.coins, amounts, strict=True):
            await self.operator.send(coin, encoded("approve(address,uint256)", pool, amount))
        await self.operator.send(pool, encoded("seed(uint256[])", list(amounts)))
        return pool

    async def set_rate(self, coin: str, rate: int) -> None:
        """Set a coin's rate, in 1e18ths; at 0 a call of it consumes all its gas."""
        await self.operator.send(self.rates, encoded("setRate(address,uint256)", coin, rate))

    async def vault(self, asset: str, offset: int = 0) -> str:
        """Deploy OpenZeppelin's vault, empty."""
        code = constructed(own_codes("pools")["OffsetVault"], ("address", "uint8"), asset, offset)
        return await self.operator.deploy(code)

    async def savings(self, asset: str) -> str:
        """Deploy an empty vault that has a rate of its own."""
        return await self.operator.deploy(constructed(own_codes("pools")["SavingsVault"], ("address",), asset))

    async def stake(self) -> tuple[str, str]:
        """Deploy a staking token and its wrapped form."""
        stake = await self.operator.deploy(own_codes("pools")["Stake"])
        code = constructed(own_codes("pools")["WrappedStake"], ("address",), stake)
        return stake, await self.operator.deploy(code)


async def deploy_rate_pools(operator: Operator) -> RatePools:
    own = own_codes("pools")
    return RatePools(operator, await operator.deploy(own["StablePoolFactory"]), await operator.deploy(own["CoinRates"]))
