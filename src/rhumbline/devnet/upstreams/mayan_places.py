"""Mayan's sandbox: names of the chains, tokens as it writes them, contracts, and what the kinds cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from types import MappingProxyType

from solders.pubkey import Pubkey

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed

FORWARDER = "0x337685fdaB40D39bd02028545a4FfA7D287cC3E2"
STRANGER = checksummed("0x" + "5b" * 20)
KINDS = ("SWIFT", "MCTP", "FAST_MCTP", "WH")
PINNED: Mapping[str, str] = MappingProxyType(
    {
        "SWIFT": "0x40fFE85A28DC9993541449464d7529a922142960",
        "MCTP": "0x875d6d37EC55c8cF220B9E5080717549d8Aa8EcA",
        "FAST_MCTP": "0xC1062b7C5Dc8E4b1Df9F200fe360cDc0eD6e7741",
        "WH": "0xBF5f3f65102aE745A48BD521d10BaB5BF02A9eF4",
    }
)
CONTRACTS: Mapping[str, str] = MappingProxyType(
    {"SWIFT": "MayanSwift", "MCTP": "MayanCircle", "FAST_MCTP": "FastMCTP", "WH": "MayanSwap"}
)
SHARE_BPS = 3
REDEEM_FEE = 20_000
"""What a relayer takes for Circle's transfers, in raw units of USDC."""
WHOLE = 10_000
_BRIDGE = Pubkey.from_string("wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb")
_EXACT = Context(prec=200)


@dataclass(frozen=True, slots=True)
class Place:
    """A chain as Mayan knows it. ``message_fee`` is what a message of Wormhole costs there, in wei."""

    chain: SandboxChain
    wormhole: int
    domain: int
    message_fee: int

    @property
    def name(self) -> str:
        """The chain's name in questions and answers."""
        return self.chain.key

    @property
    def usdc(self) -> str:
        """Circle's USDC."""
        return self.chain.tokens["USDC"].address

    @property
    def weth(self) -> str:
        """The wrapped native token."""
        return self.chain.contracts["weth9"]


@dataclass(frozen=True, slots=True)
class Asset:
    """A token of a chain; ``address`` is the native marker or EIP-55."""

    place: Place
    address: str
    symbol: str
    decimals: int

    @property
    def is_native(self) -> bool:
        """Tell whether it is the chain's native asset."""
        return self.address == NATIVE_EVM

    def written(self) -> dict[str, object]:
        """Write it as quotes do; ``mint`` is what Wormhole's token bridge makes of it on Solana."""
        home = self.place.weth if self.is_native else self.address
        seeds = [b"wrapped", self.place.wormhole.to_bytes(2), int(home, 16).to_bytes(32)]
        mint, _ = Pubkey.find_program_address(seeds, _BRIDGE)
        return {
            "name": self.symbol,
            "standard": "native" if self.is_native else "erc20",
            "symbol": self.symbol,
            "mint": str(mint),
            "verified": True,
            "contract": self.address.lower(),
            "chainId": self.place.chain.id,
            "wChainId": self.place.wormhole,
            "decimals": self.decimals,
            "logoURI": "",
            "coingeckoId": "",
            "realOriginContractAddress": home.lower(),
            "realOriginChainId": self.place.wormhole,
            "supportsPermit": False,
            "hasAuction": True,
        }


def places_of(world: World) -> Mapping[int, Place]:
    """Return both chains by their IDs; on the second, messages cost something."""
    return {
        number: Place(chain, 10_001 + order, 101 + order, order * 10**13)
        for order, (number, chain) in enumerate(sorted(world.evm_chains.items()))
    }


def asset_of(place: Place, address: str) -> Asset | None:
    """Find a token by its address in any case; None for one that is not traded."""
    if address == NATIVE_EVM:
        return Asset(place, NATIVE_EVM, "ETH", 18)
    for symbol, token in place.chain.tokens.items():
        if token.address.lower() == address.lower() and symbol != "TAX":
            return Asset(place, token.address, symbol, token.decimals)
    return None


def contracts_of(key: str) -> Mapping[str, str]:
    """Return the protocol contracts by kind: the published ones for MAYAN, others of its own for every other emulator.

    Each sees its own deposits only, so that no two solvers pay one.
    """
    if key == "MAYAN":
        return PINNED
    return {kind: checksummed(topic(f"{key} {kind}")[-20:]) for kind in KINDS}


def wrapping(router: str, wrapped: str, amount: int, recipient: str) -> tuple[str, bytes]:
    """Return the call of a Uniswap router that wraps native value and pays it out."""
    steps = [
        encoded("wrapETH(uint256)", amount),
        encoded("sweepToken(address,uint256,address)", wrapped, amount, recipient),
    ]
    return router, encoded("multicall(bytes[])", steps)


def human(amount: int, decimals: int) -> Decimal:
    """Write raw units as whole tokens."""
    return Decimal(amount).scaleb(-decimals, _EXACT)


def without(amount: int, bps: int) -> int:
    """Return an amount less a share, rounded down."""
    return amount * (WHOLE - bps) // WHOLE
