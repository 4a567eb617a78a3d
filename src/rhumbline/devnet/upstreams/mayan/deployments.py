"""Mayan on the sandbox: names of the chains, its notation of tokens, contracts, and the kinds' costs."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from types import MappingProxyType

from solders.pubkey import Pubkey

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM, ChainType, native_marker
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.address import is_address as is_solana_address

FORWARDER = "0x337685fdaB40D39bd02028545a4FfA7D287cC3E2"
STRANGER = checksummed("0x" + "5b" * 20)
SOLANA_STRANGER = encode_address(b"\x5b" * 32)
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
PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "SWIFT": "mayan34VedncxdK2XobtvWFDXQASUTBXhUVzt2kKgny",
        "MCTP": "dkpZqrxHFrhziEMQ931GLtfy11nFkCsfMftH9u6QwBU",
        "FAST_MCTP": "Gx9rivpS3YR8pBFwMuP6omYqVxunpLvLkNn7ubNyuZZ5",
    }
)
BUILDS: Mapping[str, str] = MappingProxyType(
    {"SWIFT": "mayan_swift", "MCTP": "mayan_ledgers", "FAST_MCTP": "mayan_ledgers"}
)
"""The program that stands for each kind's program on Solana; WORMHOLE's is left out."""
PROXY, FEE_MANAGER = "D8C8iW6zmoKg5TRr8nQ7h14TMWqQX8FiBdj2ju5MF3wa", "5VtQHnhs2pfVEr68qQsbTRwKh4JV5GTu9mBHgHFxpHeQ"
SHARE_BPS = 3
REDEEM_FEE = 20_000
"""A relayer's fee for Circle's transfers, in raw units of USDC."""
SOLANA_FEE = 5_000
"""The fee of a relayer that forwards USDC from a ledger on Solana; quotes do not include it."""
WHOLE = 10_000
LARGEST_DROP = 10**16
"""The most native on arrival, in wei."""
_BRIDGE = Pubkey.from_string("wormDTUJ6AWPNvk59vGQbDvGJmqbDTdgWgAqcLBCgUb")
_EXACT = Context(prec=200)


@dataclass(frozen=True, slots=True)
class Deployment:
    """A chain in Mayan's terms. ``message_fee`` is the price of a Wormhole message there, in wei."""

    chain: SandboxChain
    wormhole: int
    domain: int
    message_fee: int

    @property
    def name(self) -> str:
        """The chain's name in requests and answers."""
        return self.chain.key

    @property
    def usdc(self) -> str:
        """Circle's USDC."""
        return self.chain.tokens["USDC"].address

    @property
    def weth(self) -> str:
        """The wrapped native token."""
        return self.chain.tokens["WSOL"].address if self.on_solana else self.chain.contracts["weth9"]

    @property
    def on_solana(self) -> bool:
        return self.chain.type is ChainType.SVM

    @property
    def native(self) -> str:
        return native_marker(self.chain.type)

    @property
    def stranger(self) -> str:
        """An address that nobody asked for."""
        return SOLANA_STRANGER if self.on_solana else STRANGER

    def has_form(self, address: str) -> bool:
        """Return whether a text is an address of this chain."""
        return is_solana_address(address) if self.on_solana else is_address(address)

    def address(self, word: object) -> str:
        """Read an address from 32 bytes; raise ValueError for one of another chain type."""
        if not isinstance(word, bytes) or (any(word[:12]) and not self.on_solana):
            raise ValueError("not an address of the sandbox")
        return encode_address(word) if self.on_solana else checksummed(word[12:])


@dataclass(frozen=True, slots=True)
class Asset:
    """A token of a chain; ``address`` is canonical, or the native marker."""

    deployment: Deployment
    address: str
    symbol: str
    decimals: int

    @property
    def is_native(self) -> bool:
        return self.address == self.deployment.native

    @property
    def contract(self) -> str:
        """The token in Mayan's notation: zeros for any native asset."""
        if self.is_native:
            return NATIVE_EVM
        return self.address if self.deployment.on_solana else self.address.lower()

    @property
    def mint(self) -> str:
        """Its mint on Solana: its own there, otherwise the one that Wormhole's token bridge creates."""
        home = self.deployment.weth if self.is_native else self.address
        if self.deployment.on_solana:
            return home
        seeds = [b"wrapped", self.deployment.wormhole.to_bytes(2), int(home, 16).to_bytes(32)]
        return str(Pubkey.find_program_address(seeds, _BRIDGE)[0])

    def written(self) -> dict[str, object]:
        """Write it in the form of quotes."""
        solana = self.deployment.on_solana
        home = self.deployment.weth if self.is_native else self.address
        return {
            "name": self.symbol,
            "standard": "native" if self.is_native else "spl" if solana else "erc20",
            "symbol": self.symbol,
            "mint": self.mint,
            "verified": True,
            "contract": self.contract,
            "chainId": 0 if solana else self.deployment.chain.id,
            "wChainId": self.deployment.wormhole,
            "decimals": self.decimals,
            "logoURI": "",
            "coingeckoId": "",
            "realOriginContractAddress": home if solana else home.lower(),
            "realOriginChainId": self.deployment.wormhole,
            "supportsPermit": False,
            "hasAuction": True,
        }


def deployments_of(world: World) -> Mapping[int, Deployment]:
    """Return the chains by their IDs; on the second EVM chain, Wormhole messages cost something."""
    by_chain = {
        number: Deployment(chain, 10_001 + order, 101 + order, order * 10**13)
        for order, (number, chain) in enumerate(sorted(world.evm_chains.items()))
    }
    return by_chain | {number: Deployment(world.chain(number), 1, 5, 0) for number in world.nodes}


def asset_of(deployment: Deployment, address: str) -> Asset | None:
    """Find a token by its address (on EVM chains in any case), or by Mayan's notation; None if it is not traded."""
    if address in (NATIVE_EVM, deployment.native):
        symbol, decimals = ("SOL", 9) if deployment.on_solana else ("ETH", 18)
        return Asset(deployment, deployment.native, symbol, decimals)
    for symbol, token in deployment.chain.tokens.items():
        same = token.address == address or (not deployment.on_solana and token.address.lower() == address.lower())
        if same and symbol != "TAX":
            return Asset(deployment, token.address, symbol, token.decimals)
    return None


def contracts_of(key: str) -> Mapping[str, str]:
    """Return the protocol contracts by kind: the published ones for MAYAN, separate ones for every other emulator.

    Each sees only its own deposits, so that no two solvers pay for one.
    """
    if key == "MAYAN":
        return PINNED
    return {kind: checksummed(topic(f"{key} {kind}")[-20:]) for kind in KINDS}


def programs_of(key: str) -> Mapping[str, str]:
    """Return the programs on Solana by kind, as `contracts_of`."""
    return PROGRAMS if key == "MAYAN" else {kind: encode_address(topic(f"{key} {kind}")) for kind in PROGRAMS}


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
