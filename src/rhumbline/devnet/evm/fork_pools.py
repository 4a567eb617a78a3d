"""Pools of kinds whose code is in no npm package: own contracts with the public interface (`solidity/pools`).

The Solidly pair computes and rounds as the original, which the tests of `liquidity/kinds` compare. A Slipstream pool is
a Uniswap V3 pool from npm, read through a contract that has Slipstream's interface.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.devnet.evm.operator import Operator, constructed, encoded
from rhumbline.devnet.own_contracts import own_codes

SPACINGS: Mapping[int, int] = MappingProxyType({1: 100, 50: 450, 100: 500, 200: 3000, 2000: 10_000})
"""Tick spacings of Slipstream's factory, with the fees of their pools in millionths."""
_FOR_EVER = 2**40
_NOWHERE = "0x" + "00" * 20
_MINT = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))"


@dataclass(frozen=True, slots=True)
class ForkPools:
    """The factories on one chain, and the opener of positions in Slipstream pools; the operator pays."""

    operator: Operator
    solidly_factory: str
    slipstream_factory: str
    position_manager: str

    async def solidly(self, tokens: Sequence[str], amounts: Sequence[int], *, stable: bool) -> str:
        """Create a pool with these amounts of its tokens, and return its address."""
        await self.operator.send(self.solidly_factory, encoded("createPool(address,address,bool)", *tokens, stable))
        pool = await self.operator.address_of(
            self.solidly_factory, encoded("getPool(address,address,bool)", *tokens, stable)
        )
        for token, amount in zip(tokens, amounts, strict=True):
            await self.operator.send(token, encoded("transfer(address,uint256)", pool, amount))
        await self.operator.send(pool, encoded("sync()"))
        return pool

    async def slipstream(self, tokens: Sequence[str], spacing: int, sqrt_price: int) -> str:
        """Create an empty pool at a price (Q64.96), tokens in their order, and return its address."""
        terms = (*tokens, spacing, sqrt_price)
        await self.operator.send(self.slipstream_factory, encoded("createPool(address,address,int24,uint160)", *terms))
        return await self.operator.address_of(
            self.slipstream_factory, encoded("getPool(address,address,int24)", *tokens, spacing)
        )

    async def add(self, tokens: Sequence[str], spacing: int, ticks: tuple[int, int], amounts: Sequence[int]) -> None:
        """Open a position between two ticks of a Slipstream pool; the position manager is approved for the tokens."""
        terms = (*tokens, SPACINGS[spacing], *ticks, *amounts, 0, 0, self.operator.address, _FOR_EVER)
        await self.operator.send(self.position_manager, encoded(_MINT, terms))


async def deploy_fork_pools(operator: Operator, codes: Mapping[str, bytes]) -> ForkPools:
    """Deploy the factories; `codes` contains the creation code of UniswapV3Pool and NonfungiblePositionManager."""
    own = own_codes("pools")
    solidly = await operator.deploy(own["SolidlyFactory"])
    creation = await operator.deploy(_as_code(codes["UniswapV3Pool"]))
    slipstream = await operator.deploy(constructed(own["SlipstreamFactory"], ("address",), creation))
    manager = await operator.deploy(
        constructed(codes["NonfungiblePositionManager"], ("address",) * 3, slipstream, _NOWHERE, _NOWHERE)
    )
    return ForkPools(operator, solidly, slipstream, manager)


def _as_code(data: bytes) -> bytes:
    """Return init code for a contract whose code is this data: PUSH2 size, DUP1, PUSH1 10, PUSH0, CODECOPY, RETURN."""
    return b"\x61" + len(data).to_bytes(2) + b"\x80\x60\x0a\x5f\x39\x5f\xf3" + data
