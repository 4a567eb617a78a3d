"""Where pools come from on each chain, as data: Uniswap's here, others in ``fork_sources.py`` and ``rate_sources.py``.

Sources, read 2026-11, none of which contradicts another: https://github.com/Uniswap/contracts (deployments), Uniswap's
developer documentation and its package sdk-core. Anchors are the tokens that most liquidity is against. A chain without
a wrapped native token (Celo's native is a token itself) or with another virtual machine (EraVM) is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.evm.multicall import MULTICALL3
from rhumbline.liquidity.fork_sources import FORKS
from rhumbline.liquidity.kinds.pools import PoolKind, PoolSource
from rhumbline.liquidity.rate_sources import RATE_SOURCES

TIERS = ((100, 1), (500, 10), (3000, 60), (10000, 200))
"""Uniswap V3's fees, in millionths, and tick spacings, on every chain."""
V2_FEE = 3000


@dataclass(frozen=True, slots=True)
class Deployment:
    """Where pools of one chain come from; addresses, the tokens' too, in EIP-55 form.

    The wrapped native token and the ``anchors`` are tried as intermediate tokens. ``router`` is a SwapRouter02, which
    wallets call where the service has no contracts of its own: then only pools of those factories are used that the
    router itself names.
    """

    wrapped_native: Token
    sources: tuple[PoolSource, ...] = ()
    router: str | None = None
    anchors: tuple[Token, ...] = ()
    multicall: str = MULTICALL3


def uniswap(v2: str | None, v3: str | None, tiers: tuple[tuple[int, int], ...] = TIERS) -> tuple[PoolSource, ...]:
    """Return the sources of Uniswap's V2 and V3 by their factories."""
    pairs = () if v2 is None else (PoolSource("UNISWAP_V2", PoolKind.V2, v2, fee=V2_FEE),)
    return pairs if v3 is None else (*pairs, PoolSource("UNISWAP_V3", PoolKind.V3, v3, tiers))


def uniswap_v4(manager: str, wrapped_native: str) -> PoolSource:
    """Return the source of V4's pools, whose manager is one contract a chain."""
    return PoolSource("UNISWAP_V4", PoolKind.V4, manager, TIERS, wrapped_native=wrapped_native)


def anchors_of(deployment: Deployment) -> Mapping[str, Token]:
    """Return the intermediate tokens by address, the wrapped native first."""
    return {token.address: token for token in (deployment.wrapped_native, *deployment.anchors)}


_DECIMALS = MappingProxyType({"USDC": 6, "USDC.e": 6, "USDT": 6, "WBTC": 8, "cbBTC": 8})


def _token(chain_id: int, symbol: str, address: str, decimals: int | None = None) -> Token:
    return Token(chain_id, address, symbol, _DECIMALS.get(symbol, 18) if decimals is None else decimals, symbol)


_OP_WETH = "0x4200000000000000000000000000000000000006"
_FIRST_V3_FACTORY = "0x1F98431c8aD98523631AE4a59f267346ea31F984"
_BASE_TIERS = ((100, 1), (200, 4), (300, 6), (400, 8), (500, 10), (3000, 60), (10000, 200))
_FIRST_ROUTER = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"

_V4_MANAGERS: Mapping[int, str] = MappingProxyType(
    {
        1: "0x000000000004444c5dc75cB358380D2e3dE08A90",
        10: "0x9a13F98Cb987694C9F086b1F5eB990EeA8264Ec3",
        56: "0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF",
        130: "0x1F98400000000000000000000000000000000004",
        137: "0x67366782805870060151383F4BbFF9daB53e5cD6",
        143: "0x188d586Ddcf52439676Ca21A244753fA19F9Ea8e",
        480: "0xb1860D529182ac3BC1F51Fa2ABd56662b7D13f33",
        8453: "0x498581fF718922c3f8e6A244956aF099B2652b2b",
        42161: "0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32",
        43114: "0x06380C0e0912312B5150364B9DC4542BA0DbBc85",
        57073: "0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32",
        59144: "0x248083Fb965359d82b06C1F5322480Dcfc1AD857",
        81457: "0x1631559198A9e474033433b2958daBC135ab6446",
        7777777: "0x0575338e4C17006aE181B47900A84404247CA30f",
    }
)

_PLACES: Mapping[int, Deployment] = MappingProxyType(
    {
        1: Deployment(
            sources=uniswap("0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f", _FIRST_V3_FACTORY),
            router=_FIRST_ROUTER,
            wrapped_native=_token(1, "WETH", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
            anchors=(
                _token(1, "USDC", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
                _token(1, "USDT", "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
                _token(1, "DAI", "0x6B175474E89094C44Da98b954EedeAC495271d0F"),
                _token(1, "WBTC", "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599"),
            ),
        ),
        10: Deployment(
            sources=uniswap("0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf", _FIRST_V3_FACTORY),
            router=_FIRST_ROUTER,
            wrapped_native=_token(10, "WETH", _OP_WETH),
            anchors=(
                _token(10, "USDC", "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
                _token(10, "USDT", "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58"),
                _token(10, "DAI", "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"),
            ),
        ),
        56: Deployment(
            sources=uniswap("0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6", "0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7"),
            router="0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2",
            wrapped_native=_token(56, "WBNB", "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"),
            anchors=(
                _token(56, "USDT", "0x55d398326f99059fF775485246999027B3197955", 18),
                _token(56, "USDC", "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", 18),
                _token(56, "BTCB", "0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c"),
            ),
        ),
        130: Deployment(
            sources=uniswap("0x1F98400000000000000000000000000000000002", "0x1F98400000000000000000000000000000000003"),
            router="0x73855d06DE49d0fe4A9c42636Ba96c62da12FF9C",
            wrapped_native=_token(130, "WETH", _OP_WETH),
            anchors=(_token(130, "USDC", "0x078D782b760474a361dDA0AF3839290b0EF57AD6"),),
        ),
        137: Deployment(
            sources=uniswap("0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C", _FIRST_V3_FACTORY),
            router=_FIRST_ROUTER,
            wrapped_native=_token(137, "WPOL", "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270"),
            anchors=(
                _token(137, "USDC", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
                _token(137, "WETH", "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"),
                _token(137, "USDC.e", "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174"),
                _token(137, "USDT", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"),
            ),
        ),
        143: Deployment(
            sources=uniswap("0x182a927119D56008d921126764bF884221b10f59", "0x204FAca1764B154221e35c0d20aBb3c525710498"),
            router="0xfE31F71C1b106EAc32F1A19239c9a9A72ddfb900",
            wrapped_native=_token(143, "WMON", "0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A"),
        ),
        480: Deployment(
            sources=uniswap("0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f", "0x7a5028BDa40e7B173C278C5342087826455ea25a"),
            router="0x091AD9e2e6e5eD44c1c66dB50e49A601F9f36cF6",
            wrapped_native=_token(480, "WETH", _OP_WETH),
            anchors=(_token(480, "USDC", "0x79A02482A880bCE3F13e09Da970dC34db4CD24d1"),),
        ),
        8453: Deployment(
            sources=uniswap(
                "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6", "0x33128a8fC17869897dcE68Ed026d694621f6FDfD", _BASE_TIERS
            ),
            router="0x2626664c2603336E57B271c5C0b26F421741e481",
            wrapped_native=_token(8453, "WETH", _OP_WETH),
            anchors=(
                _token(8453, "USDC", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
                _token(8453, "cbBTC", "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"),
                _token(8453, "DAI", "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"),
            ),
        ),
        42161: Deployment(
            sources=uniswap("0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9", _FIRST_V3_FACTORY),
            router=_FIRST_ROUTER,
            wrapped_native=_token(42161, "WETH", "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"),
            anchors=(
                _token(42161, "USDC", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
                _token(42161, "USDT", "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"),
                _token(42161, "WBTC", "0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f"),
                _token(42161, "DAI", "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"),
            ),
        ),
        43114: Deployment(
            sources=uniswap("0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C", "0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD"),
            router="0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE",
            wrapped_native=_token(43114, "WAVAX", "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7"),
            anchors=(
                _token(43114, "USDC", "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"),
                _token(43114, "USDT", "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7"),
            ),
        ),
        57073: Deployment(
            sources=uniswap("0xfe57A6BA1951F69aE2Ed4abe23e0f095DF500C04", "0x640887A9ba3A9C53Ed27D0F7e8246A4F933f3424"),
            router="0x177778F19E89dD1012BdBe603F144088A95C4B53",
            wrapped_native=_token(57073, "WETH", _OP_WETH),
        ),
        59144: Deployment(
            sources=uniswap("0x114A43DF6C5f54EBB8A9d70Cd1951D3dD68004c7", "0x31FAfd4889FA1269F7a13A66eE0fB458f27D72A9"),
            router="0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a",
            wrapped_native=_token(59144, "WETH", "0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f"),
            anchors=(_token(59144, "USDC", "0x176211869cA2b568f2A7D4EE941E073a821EE1ff"),),
        ),
        81457: Deployment(
            sources=uniswap("0x5C346464d33F90bABaf70dB6388507CC889C1070", "0x792edAdE80af5fC680d96a2eD80A44247D2Cf6Fd"),
            router="0x549FEB8c9bd4c12Ad2AB27022dA12492aC452B66",
            wrapped_native=_token(81457, "WETH", "0x4300000000000000000000000000000000000004"),
            anchors=(_token(81457, "USDB", "0x4300000000000000000000000000000000000003"),),
        ),
        7777777: Deployment(
            sources=uniswap("0x0F797dC7efaEA995bB916f268D919d0a1950eE3C", "0x7145F8aeef1f6510E92164038E1B6F8cB2c42Cbb"),
            router="0x7De04c96BE5159c3b5CeffC82aa176dc81281557",
            wrapped_native=_token(7777777, "WETH", _OP_WETH),
        ),
    }
)


def _whole(chain_id: int, place: Deployment) -> Deployment:
    manager = _V4_MANAGERS.get(chain_id)
    v4 = () if manager is None else (uniswap_v4(manager, place.wrapped_native.address),)
    return replace(place, sources=(*place.sources, *v4, *FORKS.get(chain_id, ()), *RATE_SOURCES.get(chain_id, ())))


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(
    {chain_id: _whole(chain_id, place) for chain_id, place in _PLACES.items()}
)
"""By chain ID."""
