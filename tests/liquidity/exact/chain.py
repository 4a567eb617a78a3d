"""A bare chain for the genuine contracts of a kind of pools, and tokens on it without end."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from rhumbline.devnet.artifacts import contract_codes, pinned_packages
from rhumbline.devnet.evm.accounts import DEPLOYER, MNEMONIC, sandbox_account
from rhumbline.devnet.evm.nodes import find_anvil, running_anvil
from rhumbline.devnet.evm.operator import Operator, constructed, encoded, unlocked
from rhumbline.devnet.tokens import token_codes
from rhumbline.domain.token import Token
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.tick_math import outermost_words
from rhumbline.liquidity.kinds.v3 import V3Pool
from rhumbline.liquidity.snapshots import PoolBook
from tests.sandbox_fixture import CACHE
from tests.solidity import creation_codes

CHAIN_ID = 700_701
NOBODY = "0x" + "00" * 20
FOR_EVER = 2**40
ROOT = Path(__file__).parents[3]
PACKAGES = ROOT / "tests" / "adapters" / "onchain" / "packages.toml"
_SOURCE = Path(__file__).with_name("PancakePoolDeployer.sol")
_PLENTY = 2**250


@dataclass(frozen=True)
class BareChain:
    """``codes`` has creation codes of the pinned contracts by name."""

    rpc: EvmRpc
    operator: Operator
    codes: Mapping[str, bytes]

    @property
    def deployment(self) -> Deployment:
        """What reads pools that are known already."""
        return Deployment(Token(CHAIN_ID, NOBODY, "WETH", 18, "WETH"))

    async def deploy(self, contract: str, *addresses: str) -> str:
        return await self.operator.deploy(constructed(self.codes[contract], ("address",) * len(addresses), *addresses))

    async def whole_pools(self, pools: Sequence[Pool]) -> dict[str, V3Pool]:
        """Read pools with all their ticks at the newest block, as the service reads them."""
        book = PoolBook(self.rpc, self.deployment, lambda: 0.0)
        snapshot = await book.newest(pools)
        whole = {}
        for pool in pools:
            lowest, highest = outermost_words(pool.spacing)
            live = snapshot.states[pool.key]
            assert isinstance(live, V3Pool)
            while live.state.first_word > lowest or live.state.last_word < highest:
                zero_for_one = live.state.first_word > lowest
                wider = (await book.widen(snapshot, [(pool, live, zero_for_one)]))[pool.key]
                assert isinstance(wider, V3Pool)
                live = wider
            whole[pool.key] = live
        return whole

    async def tokens(self, *spenders: str) -> tuple[str, str]:
        """Make two tokens, in the order of their addresses, of which spenders may take whatever they want."""
        code = constructed(token_codes()["SandboxToken"], ("string", "string", "uint8"), "Token", "TOK", 18)
        made = sorted([await self.operator.deploy(code) for _ in range(2)], key=lambda token: int(token, 16))
        for token in made:
            await self.operator.send(token, encoded("mint(address,uint256)", self.operator.address, _PLENTY))
            for spender in spenders:
                await self.operator.send(token, encoded("approve(address,uint256)", spender, 2**256 - 1))
        return made[0], made[1]


async def genuine_codes() -> Mapping[str, bytes]:
    """Return the creation codes of the sandbox's contracts and of those that tests have beside them."""
    own = await contract_codes(CACHE, lambda _: None)
    return {**own, **await contract_codes(CACHE, lambda _: None, pinned_packages(PACKAGES))}


@asynccontextmanager
async def bare_chain(folder: Path) -> AsyncIterator[BareChain]:
    """Run it until the block ends."""
    codes = await genuine_codes()
    async with (
        HttpClient() as http,
        running_anvil(
            find_anvil(), chain_id=CHAIN_ID, name="exact", mnemonic=MNEMONIC, accounts=1, folder=folder, http=http
        ) as rpc,
    ):
        multicall = await rpc.call("eth_call", [{"data": "0x" + codes["Multicall3"].hex()}, "latest"])
        await rpc.call("anvil_setCode", [MULTICALL3, multicall])
        # To a pool's end a quoter passes up to 7,000 words of ticks.
        await rpc.call("evm_setBlockGasLimit", [hex(2**40)])
        yield BareChain(rpc, await unlocked(rpc, sandbox_account(DEPLOYER).address, 2**200), codes)


async def pancake_pool_deployer() -> bytes:
    """Compile the one contract that PancakeSwap's packages leave out."""
    return (await creation_codes(_SOURCE))[_SOURCE.stem]
