"""The common parts of the four kinds: their input, and what their calldata guarantees."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_DOWN, Context
from enum import StrEnum

from rhumbline.adapters.mayan.amounts import denormalised, whole_units
from rhumbline.adapters.mayan.bytes32 import ZERO
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.wire import MayanQuote
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
"""The compute units of an order on Solana: 61,000 in a transaction of SWIFT (slot 449137703)."""
USDC_DECIMALS = 6
USUAL_SHARE = 3
"""Mayan's share of the output in basis points, if a quote does not say it (its documentation, read 2026-11-21)."""
_EXACT = Context(prec=1000)


@dataclass(frozen=True, slots=True)
class Places:
    """Mayan's deployments on origin and destination, the Unix time now, and a source of random bytes."""

    here: Deployment
    there: Deployment
    now: int
    random: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Terms:
    """The request's terms in every kind's calldata; addresses are 32-byte words.

    ``trader`` gets refunds on the origin, if the kind makes any there; ``sender`` is the wallet. ``amount`` is raw
    units of the input, ``token_out`` zeros for the native asset. ``random`` makes that many bytes.
    """

    here: Deployment
    there: Deployment
    trader: bytes
    destination: bytes
    token_out: bytes
    out_decimals: int
    amount: int
    random: Callable[[int], bytes]
    sender: bytes
    referrer: bytes = ZERO

    def guaranteed(self, minimum: int) -> int:
        """Return raw units of the output for the protocol's own."""
        return denormalised(minimum, self.out_decimals)


@dataclass(frozen=True, slots=True)
class Ledger:
    """The account that holds an order's tokens on Solana: ``owner`` is a program address, for this order only.

    ``call`` is the program's own instruction, which starts the order with what is in the owner's token account.
    ``rent`` is the most that the wallet pays, in lamports, for the account that the program makes at that address.
    """

    owner: str
    call: SvmInstruction
    rent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A call of a protocol's contract, and its guarantee.

    The contract takes ``input_token`` (zeros: native), the Forwarder ``amount``; ``min_middle`` is the least output of
    a swap on the origin, 0 without one. ``guaranteed`` is the receiver's least in raw units of the output, ``most`` its
    largest possible output (None: unknown). ``message_fee`` is in wei. ``deadline`` is the Unix second after which the
    transfer is given up. ``reference`` is the order's hash. ``carried`` and ``refund_fees`` are the amount sent and the
    fixed fees by which a refund is less, in the protocol's units. ``left`` is what those fees leave that are deducted
    from the output: if it is not above zero, they are too large. ``decimals`` are the quote's decimals of the input.
    ``relayer_fee`` and ``circle_fee`` are in raw units of the contract's input, ``protocol_bps`` of the output.
    ``start_fee`` is a relayer's fee on the origin before anything is sent, in raw units of the input. ``ledger`` is set
    if the origin is Solana; then ``data`` is the data of its call, ``contract`` the program.
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
        """Whether there is a swap on the origin before: one without a minimum is refused."""
        return self.min_middle > 0

    @property
    def gas_units(self) -> int:
        """About what its transaction costs, in gas or compute units."""
        if self.ledger is not None:
            return SOLANA_UNITS
        return SWAP_GAS if self.swaps else DIRECT_GAS


def expected_output(reply: MayanQuote, decimals: int) -> int:
    """Return the expected output in raw units, rounded down; the text of base units is exact if present.

    Raise UpstreamFailed for more than any chain can hold.
    """
    rounded = int(reply.expected_amount_out.scaleb(decimals, _EXACT).to_integral_value(ROUND_DOWN))
    exact = reply.expected_amount_out_base_units
    output = max(0, rounded) if exact is None else exact
    if output > LARGEST_AMOUNT:
        raise UpstreamFailed("answered with an output that is too large for any chain")
    return output


def least_middle(reply: MayanQuote, decimals: int) -> int:
    """Return the least output of a swap on the origin, in raw units; raise if there is none: it would be a gift.

    BelowMinimum if the quote's minimum is 0, because the same amount would get the same answer, otherwise
    UpstreamFailed.
    """
    least = whole_units(reply.min_middle_amount, decimals)
    if reply.min_middle_amount is None:
        raise UpstreamFailed("answered a quote with a swap on the origin that may bring nothing")
    if not least:
        raise BelowMinimum("answers so small an amount with a swap on the origin that may bring nothing", None)
    return least


def share_of(reply: MayanQuote) -> int:
    """Return Mayan's share in basis points, which its fee manager decides on chain and the quote foretells."""
    return USUAL_SHARE if reply.protocol_bps is None else reply.protocol_bps


def without_share(amount: int, reply: MayanQuote) -> int:
    """Return an amount less Mayan's share, rounded down."""
    return less_bps(amount, share_of(reply))
