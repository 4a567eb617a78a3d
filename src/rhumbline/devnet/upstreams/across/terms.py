"""The terms of Across's deposits on the sandbox: routes, fees, limits, and the calldata of its Swap API.

Shapes and rules are those of the API's source (``api/suggested-fees.ts``, ``limits.ts``, ``swap/``; 2026-02, read
2026-11-21); the ABI is that of SpokePool.sol and SpokePoolPeriphery.sol in @across-protocol/contracts 5.0.27.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rhumbline.devnet.evm.accounts import RELAYER, sandbox_account
from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import SandboxChain, SandboxToken
from rhumbline.devnet.svm.accounts import SOLVER, keypair
from rhumbline.devnet.svm.wallet import balance_of as svm_balance_of
from rhumbline.devnet.upstreams.across.relayer import pools_of
from rhumbline.devnet.upstreams.across.svm_spoke import SPOKE
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.svm.address import decode_address

STRANGER = "0x000000000000000000000000000000000000bEEF"
FILL_AHEAD_S = 10_800
EXCLUSIVE_S = 10
FILL_TIME_S = 2
QUOTE_AGE_S = 3600
_SMALLEST = 10
"""The least deposit, as a multiple of the relayer's gas fee."""
PLAIN_FILL_GAS = 100_000
"""The approximate gas of a fill without a message."""
_LP_BPS, _CAPITAL_BPS = 1, 2
_FULL_BPS = 10_000
_GAS: Mapping[str, int] = MappingProxyType(
    {"USDC": 20_000, "USDT": 20_000, "DAI": 2 * 10**16, "WETH": 10**13, "WBTC": 30}
)
"""A relayer's cost of a fill, in raw units of the bridged token, for the tokens that Across serves here."""
ON_SOLANA = frozenset({"USDC"})
"""The tokens that Across serves on Solana."""
_DEPOSIT = "deposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,uint32,bytes)"
_DEPOSIT_NATIVE = (
    "depositNative(address,bytes32,address,uint256,bytes32,uint256,uint256,bytes32,uint32,uint32,uint32,bytes)"
)
_SWAP_MARK = bytes.fromhex("73c0de")
_INTEGRATOR_MARK = bytes.fromhex("1dc0de")


@dataclass(frozen=True, slots=True)
class Side:
    """A token on one of the chains."""

    chain: SandboxChain
    symbol: str
    token: SandboxToken

    @property
    def on_solana(self) -> bool:
        """Whether the chain is Solana's."""
        return self.chain.type is ChainType.SVM

    @property
    def pool(self) -> str:
        """The chain's SpokePool."""
        return SPOKE if self.on_solana else self.chain.contracts["spoke_pool"]

    def place(self, address: str | None = None) -> dict[str, object]:
        """Write it in the form of answers."""
        return {
            "address": address or self.token.address,
            "symbol": self.symbol,
            "decimals": self.token.decimals,
            "chainId": self.chain.id,
        }


@dataclass(frozen=True, slots=True)
class Fees:
    """The fees of a deposit, in raw units of the input token."""

    lp: int
    capital: int
    gas: int

    @property
    def total(self) -> int:
        """The sum of all fees."""
        return self.lp + self.capital + self.gas


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a deposit. Times in Unix seconds, ``exclusivity`` a duration."""

    depositor: str
    recipient: str
    origin: Side
    destination: Side
    amount: int
    output: int
    timestamp: int
    fill_deadline: int
    exclusive_relayer: str
    exclusivity: int
    message: bytes = b""


def side_of(chain: SandboxChain, address: str) -> Side | None:
    """Find the token that Across serves at an address; None if there is none."""
    on_solana = chain.type is ChainType.SVM
    for symbol, token in chain.tokens.items():
        same = token.address == address if on_solana else token.address.lower() == address.lower()
        if same and symbol in (ON_SOLANA if on_solana else _GAS):
            return Side(chain, symbol, token)
    return None


def fees_of(side: Side, amount: int, extra_gas: int = 0) -> Fees:
    """Price a deposit; shares are rounded down, as the API's integers are. ``extra_gas`` is the gas of a message."""
    gas = _GAS[side.symbol] * (PLAIN_FILL_GAS + extra_gas) // PLAIN_FILL_GAS
    return Fees(amount * _LP_BPS // _FULL_BPS, amount * _CAPITAL_BPS // _FULL_BPS, gas)


def smallest(side: Side) -> int:
    """Return the least that may be deposited."""
    return _GAS[side.symbol] * _SMALLEST


async def largest(world: World, destination: Side) -> int:
    """Return the most: what the relayer can pay out on the destination."""
    if destination.on_solana:
        return await svm_balance_of(
            world.svm(destination.chain.id).rpc, destination.token.address, relayer_of(destination)
        )
    return await balance_of(world.rpc(destination.chain.id), destination.token.address, relayer_of(destination))


def limits_of(side: Side, most: int) -> dict[str, str]:
    """Write the limits in the form of answers."""
    words = ("maxDeposit", "maxDepositInstant", "maxDepositShortDelay", "recommendedDepositInstant")
    return {"minDeposit": str(smallest(side)), **dict.fromkeys(words, str(most))}


async def terms_of(
    world: World,
    origin: Side,
    destination: Side,
    amount: int,
    *,
    depositor: str,
    recipient: str,
    extra_gas: int = 0,
) -> Terms:
    """Offer a deposit at present terms, exclusively for the sandbox's relayer at first."""
    pools = pools_of(world)
    times = [await pools[side.chain.id].time() for side in (origin, destination)]
    output = (
        (amount - fees_of(origin, amount, extra_gas).total)
        * 10**destination.token.decimals
        // 10**origin.token.decimals
    )
    return Terms(
        *(depositor, recipient, origin, destination, amount, output, times[0]),
        max(times) + FILL_AHEAD_S,
        relayer_of(destination),
        EXCLUSIVE_S,
    )


def relayer_of(destination: Side) -> str:
    """Return the relayer's address on a chain."""
    return str(keypair(SOLVER).pubkey()) if destination.on_solana else sandbox_account(RELAYER).address


def lied(terms: Terms, lie: Lie | None) -> Terms:
    """Return the terms with the lie applied."""
    match lie:
        case Lie.WORSE_OUTPUT:
            return replace(terms, output=terms.output * 99 // 100)
        case Lie.NO_MINIMUM:
            return replace(terms, output=0)
        case Lie.OTHER_RECEIVER:
            return replace(terms, recipient=STRANGER)
        case Lie.OTHER_REFUND:
            return replace(terms, depositor=STRANGER)
        case Lie.OTHER_AMOUNT:
            return replace(terms, amount=terms.amount - 1)
        case Lie.OTHER_TOKEN:
            return replace(terms, destination=replace(terms.destination, token=SandboxToken(STRANGER, 18)))
    return terms


def word(address: str) -> bytes:
    """Return an address of either chain type as 32 bytes."""
    return bytes.fromhex(address[2:]).rjust(32, b"\x00") if address.startswith("0x") else decode_address(address)


def deposit_data(terms: Terms, integrator: str | None) -> bytes:
    """Encode the deposit with the tags that the API appends."""
    accounts = (terms.depositor, terms.recipient, terms.origin.token.address, terms.destination.token.address)
    data = encoded(
        _DEPOSIT,
        *map(word, accounts),
        *(terms.amount, terms.output, terms.destination.chain.id, word(terms.exclusive_relayer)),
        *(terms.timestamp, terms.fill_deadline, terms.exclusivity, terms.message),
    )
    return data + _marks(integrator)


def native_data(terms: Terms, integrator: str | None) -> bytes:
    """Encode a native deposit: a call of the periphery, which deposits in its own name."""
    data = encoded(
        _DEPOSIT_NATIVE,
        *(terms.origin.pool, word(terms.recipient), terms.origin.token.address, terms.amount),
        *(word(terms.destination.token.address), terms.output, terms.destination.chain.id),
        *(word(terms.exclusive_relayer), terms.timestamp, terms.fill_deadline, terms.exclusivity, terms.message),
    )
    return data + _marks(integrator)


def _marks(integrator: str | None) -> bytes:
    mark = b"" if integrator is None else _INTEGRATOR_MARK + bytes.fromhex(integrator[2:])
    return mark + _SWAP_MARK
