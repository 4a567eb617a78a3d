"""What the four kinds have in common: what is asked of them, and what their calldata promises."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_DOWN, Context
from enum import StrEnum

from rhumbline.adapters.mayan.amounts import denormalised, whole_units
from rhumbline.adapters.mayan.bytes32 import ZERO
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.wire import QuoteSaid
from rhumbline.domain.amount import less_bps
from rhumbline.domain.errors import BelowMinimum, UpstreamFailed
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT


class Kind(StrEnum):
    """The kinds of transfer, as quotes name them."""

    SWIFT = "SWIFT"
    MCTP = "MCTP"
    FAST_MCTP = "FAST_MCTP"
    WORMHOLE = "WH"


DIRECT_GAS, SWAP_GAS = 300_000, 550_000
"""Rough estimates of the Forwarder's calls, without and with a swap on the origin."""
SOLANA_UNITS = 80_000
"""What an order takes of Solana's compute budget: 61,000 in a transaction of SWIFT (slot 449137703)."""
USDC_DECIMALS = 6
USUAL_SHARE = 3
"""What Mayan keeps of the output, in basis points, where a quote does not say (its documentation, read 2026-11-21)."""
_EXACT = Context(prec=1000)


@dataclass(frozen=True, slots=True)
class Places:
    """Origin and destination as Mayan knows them, the Unix time now, and a source of random bytes."""

    here: Deployment
    there: Deployment
    now: int
    random: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Terms:
    """What every kind's calldata says of the request; addresses are 32-byte words.

    ``amount`` is raw units of the input, ``token_out`` zeros for the native asset. ``random`` makes that many bytes.
    """

    here: Deployment
    there: Deployment
    trader: bytes
    destination: bytes
    token_out: bytes
    out_decimals: int
    amount: int
    random: Callable[[int], bytes]
    referrer: bytes = ZERO

    def guaranteed(self, minimum: int) -> int:
        """Return raw units of the output for the protocol's own."""
        return denormalised(minimum, self.out_decimals)


@dataclass(frozen=True, slots=True)
class Ledger:
    """What holds an order's tokens on Solana: ``owner`` is an address of the protocol's program, for this order alone.

    ``call`` is the program's own instruction, which starts the order with what is in the owner's token account.
    ``rent`` is the most that the wallet pays, in lamports, for the account that the program makes at that address.
    """

    owner: str
    call: SvmInstruction
    rent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A call of a protocol's contract, and what it promises.

    ``input_token`` is what the contract takes (zeros: native), ``amount`` what the Forwarder takes, ``min_middle`` the
    least that a swap on the origin must bring before, 0 without one. ``guaranteed`` is the least that the receiver gets
    in raw units of the output, ``most`` what it can get at all (None: not known). ``message_fee`` is in
    wei. ``deadline`` is the Unix second after which the transfer is given up. ``reference`` is the order's hash.
    ``carried`` and ``refund_fees`` are what is sent on its way and the fixed fees by which it may come back less, in
    the protocol's units. ``left`` is what those fees leave that are off the output: not above zero, they take too much.
    ``decimals`` are those of the input as the quote tells them.
    ``relayer_fee`` and ``circle_fee`` are in raw units of the contract's input, ``protocol_bps`` of the output. Of the
    relayers' fees ``start_fee`` is what one takes on the origin before anything is sent, in raw units of the input.
    ``ledger`` is there where the origin is Solana; ``data`` is the data of its call then, ``contract`` the program.
    """

    kind: Kind
    contract: str
    input_token: str
    amount: int
    data: bytes
    guaranteed: int
    carried: int
    refund_fees: int
    left: int
    decimals: int
    min_middle: int = 0
    deadline: int | None = None
    most: int | None = None
    message_fee: int = 0
    reference: str | None = None
    relayer_fee: int = 0
    circle_fee: int = 0
    start_fee: int = 0
    protocol_bps: int = 0
    ledger: Ledger | None = None

    @property
    def swaps(self) -> bool:
        """Whether there is a swap on the origin before: one that may bring nothing is refused."""
        return self.min_middle > 0

    @property
    def gas_units(self) -> int:
        """About what its transaction costs, in gas or compute units."""
        if self.ledger is not None:
            return SOLANA_UNITS
        return SWAP_GAS if self.swaps else DIRECT_GAS


def expected_output(said: QuoteSaid, decimals: int) -> int:
    """Return the expected output in raw units, rounded down; the text of base units is exact where it is there.

    Raise UpstreamFailed for more than any chain can hold.
    """
    told = int(said.expected_amount_out.scaleb(decimals, _EXACT).to_integral_value(ROUND_DOWN))
    exact = said.expected_amount_out_base_units
    output = max(0, told) if exact is None else exact
    if output > LARGEST_AMOUNT:
        raise UpstreamFailed("answered with an output that no chain can hold")
    return output


def least_middle(said: QuoteSaid, decimals: int) -> int:
    """Return what a swap on the origin must bring, in raw units; raise for none: it would be a gift.

    BelowMinimum where nothing is told to be the least, as it is told again for the same amount, else UpstreamFailed.
    """
    least = whole_units(said.min_middle_amount, decimals)
    if said.min_middle_amount is None:
        raise UpstreamFailed("answered a quote with a swap on the origin that may bring nothing")
    if not least:
        raise BelowMinimum("answers so small an amount with a swap on the origin that may bring nothing", None)
    return least


def share_of(said: QuoteSaid) -> int:
    """Return Mayan's share in basis points, which its fee manager decides on chain and the quote foretells."""
    return USUAL_SHARE if said.protocol_bps is None else said.protocol_bps


def without_share(amount: int, said: QuoteSaid) -> int:
    """Return an amount less Mayan's share, rounded down."""
    return less_bps(amount, share_of(said))
