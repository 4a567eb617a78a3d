"""Sets up an empty local chain: third parties' contracts, our own, tokens, pools and balances."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.devnet.evm.accounts import DEPLOYER, FUNDED, RELAYER, SOLVER, TOKEN_DEPLOYERS, sandbox_account, signer
from rhumbline.devnet.evm.operator import Operator, constructed, encoded, unlocked
from rhumbline.devnet.evm.pools import DECIMALS, Seeder, raw_amount
from rhumbline.devnet.evm.stable_market import open_stable_market
from rhumbline.devnet.pool import Pool
from rhumbline.devnet.tokens import TOKENS, token_codes
from rhumbline.gateways.nodes.evm.deployment import deploy, diamond_address, executor_address, receiver_address
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from rhumbline.gateways.nodes.evm.rpc import EvmRpc

PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
_NOWHERE = "0x" + "00" * 20
_ETHER = 10**18
_OPERATOR_BALANCE = 1_000_000 * _ETHER
_STOCK_USD = 50_000_000
_PAYERS = (SOLVER, RELAYER)
_PAYER_USD = 10_000_000
# As Across configures them on Ethereum: the maximum age of a quote, and the maximum distance of a fill deadline (s).
_QUOTE_AGE_S = 3600
_FILL_AHEAD_S = 21_600
_FIRST_DEPOSIT_ID = 1
_HOLDINGS = MappingProxyType({"USDC": 100_000, "USDT": 100_000, "DAI": 100_000, "WBTC": 5, "WETH": 50, "TAX": 100_000})


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """One of the sandbox's chains. `number` counts from 0; `depth` scales its liquidity, in percent."""

    number: int
    id: int
    key: str
    name: str
    depth: int


CHAINS = (
    ChainPlan(0, 900_001, "sbxa", "Sandbox A", 100),
    ChainPlan(1, 900_002, "sbxb", "Sandbox B", 60),
)


@dataclass(frozen=True, slots=True)
class Furnished:
    """The contents of a chain that is set up: addresses by name and by symbol (WETH is a token too), and pools."""

    contracts: Mapping[str, str]
    tokens: Mapping[str, str]
    pools: tuple[Pool, ...]


async def furnish(plan: ChainPlan, rpc: EvmRpc, codes: Mapping[str, bytes]) -> Furnished:
    """Set up an empty chain; `codes` as from `contract_codes`.

    Contracts have the same addresses on both chains, because one account creates them in the same order. Tokens have
    different addresses, as on public chains, so code that mistakes one chain's token for the other's finds nothing.
    Raise SetUpError, DeploymentError, RpcError or NodeUnavailable.
    """
    operator = await unlocked(rpc, sandbox_account(DEPLOYER).address, _OPERATOR_BALANCE)
    contracts = await _contracts(operator, codes)
    tokens = {"WETH": contracts["weth9"], **await _tokens(plan, rpc)}
    await _stock(operator, tokens)
    pools = await Seeder(operator, tokens, contracts, plan.depth, turned=plan.number % 2 == 1).seed()
    stable = await open_stable_market(operator, codes, tokens, plan.depth)
    await _endow(operator, tokens)
    await _ready_relayer(rpc, contracts, tokens)
    return Furnished({**contracts, **stable.contracts}, tokens, (*pools, *stable.pools))


async def _contracts(operator: Operator, codes: Mapping[str, bytes]) -> dict[str, str]:
    rpc = operator.rpc
    weth9 = await operator.deploy(codes["WETH9"])
    v2_factory = await operator.deploy(constructed(codes["UniswapV2Factory"], ("address",), operator.address))
    v2_router = await operator.deploy(
        constructed(codes["UniswapV2Router02"], ("address", "address"), v2_factory, weth9)
    )
    v3_factory = await operator.deploy(codes["UniswapV3Factory"])
    # The 0.01 % tier was added by a vote; a new factory knows 0.05 %, 0.3 % and 1 %.
    await operator.send(v3_factory, encoded("enableFeeAmount(uint24,int24)", 100, 1))
    manager = await operator.deploy(
        constructed(codes["NonfungiblePositionManager"], ("address",) * 3, v3_factory, weth9, _NOWHERE)
    )
    quoter = await operator.deploy(constructed(codes["QuoterV2"], ("address", "address"), v3_factory, weth9))
    router = await operator.deploy(
        constructed(codes["SwapRouter02"], ("address",) * 4, v2_factory, v3_factory, manager, weth9)
    )
    # Their public addresses come from their authors' transactions and salts; here the code is placed there.
    multicall3 = await rpc.call("eth_call", [{"data": "0x" + codes["Multicall3"].hex()}, "latest"])
    await rpc.call("anvil_setCode", [MULTICALL3, multicall3])
    await rpc.call("anvil_setCode", [PERMIT2, "0x" + codes["Permit2Runtime"].hex()])
    across = await _across(operator, codes, weth9)
    await deploy(rpc, signer(sandbox_account(DEPLOYER)), across["spoke_pool"])
    return {
        "weth9": weth9,
        "uniswap_v2_factory": v2_factory,
        "uniswap_v2_router": v2_router,
        "uniswap_v3_factory": v3_factory,
        "position_manager": manager,
        "quoter_v2": quoter,
        "swap_router_02": router,
        "multicall3": MULTICALL3,
        "permit2": PERMIT2,
        "diamond": diamond_address(),
        "executor": executor_address(),
        "receiver": receiver_address(across["spoke_pool"]),
        **across,
    }


async def _across(operator: Operator, codes: Mapping[str, bytes], weth9: str) -> dict[str, str]:
    """Deploy a SpokePool, whose owner acts as the hub, and the contracts around it."""
    terms = ("address", "uint32", "uint32", "address")
    pool = await operator.deploy(constructed(codes["SpokePool"], terms, weth9, _QUOTE_AGE_S, _FILL_AHEAD_S, _NOWHERE))
    begin = encoded("initialize(uint32,address)", _FIRST_DEPOSIT_ID, operator.address)
    return {
        "spoke_pool": await operator.deploy(constructed(codes["ERC1967Proxy"], ("address", "bytes"), pool, begin)),
        "spoke_pool_periphery": await operator.deploy(
            constructed(codes["SpokePoolPeriphery"], ("address", "address"), PERMIT2, MULTICALL3)
        ),
        "multicall_handler": await operator.deploy(codes["MulticallHandler"]),
    }


async def _tokens(plan: ChainPlan, rpc: EvmRpc) -> dict[str, str]:
    minter = await unlocked(rpc, sandbox_account(TOKEN_DEPLOYERS[plan.number]).address, _ETHER)
    codes = token_codes()
    tokens = {}
    for token in TOKENS:
        values: tuple[object, ...] = (token.name, token.symbol)
        if token.contract != "TaxedToken":
            values += (token.decimals,)
        code = constructed(codes[token.contract], ("string", "string", "uint8")[: len(values)], *values)
        tokens[token.symbol] = await minter.deploy(code)
    return tokens


async def _stock(operator: Operator, tokens: Mapping[str, str]) -> None:
    """Obtain more of every token than all pools together need."""
    for symbol, address in tokens.items():
        if symbol == "WETH":
            await operator.send(address, encoded("deposit()"), 100_000 * _ETHER)
        else:
            amount = _STOCK_USD * 10 ** DECIMALS[symbol]
            await operator.send(address, encoded("mint(address,uint256)", operator.address, amount))


async def _ready_relayer(rpc: EvmRpc, contracts: Mapping[str, str], tokens: Mapping[str, str]) -> None:
    """Approve the SpokePool for the tokens with which the relayer fills deposits."""
    relayer = await unlocked(rpc, sandbox_account(RELAYER).address, _OPERATOR_BALANCE)
    for token in tokens.values():
        await relayer.send(token, encoded("approve(address,uint256)", contracts["spoke_pool"], 2**256 - 1))


async def _endow(operator: Operator, tokens: Mapping[str, str]) -> None:
    """Give each funded account its tokens, in addition to anvil's 10,000 ether, and fund the accounts that pay."""
    for index in FUNDED:
        owner = sandbox_account(index).address
        for symbol, whole in _HOLDINGS.items():
            signature = "transfer(address,uint256)" if symbol == "WETH" else "mint(address,uint256)"
            await operator.send(tokens[symbol], encoded(signature, owner, whole * 10 ** DECIMALS[symbol]))
    for index in _PAYERS:
        payer = sandbox_account(index).address
        for symbol, token in tokens.items():
            signature = "transfer(address,uint256)" if symbol == "WETH" else "mint(address,uint256)"
            await operator.send(token, encoded(signature, payer, raw_amount(symbol, _PAYER_USD)))
