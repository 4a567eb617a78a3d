"""The fields that are read of the API's answers, by its names (https://docs.across.to, the API's source; 2026-02)."""

from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints, TypeAdapter

from rhumbline.adapters.across.bytes32 import to_word
from rhumbline.gateways.upstreams.fields import Answer, HexBytes, Quantity, RawAmount

LARGEST_UINT32 = 2**32 - 1
_HEX: TypeAdapter[bytes] = TypeAdapter(HexBytes)


def _word(value: object) -> bytes:
    """Read an account of any chain as the 32 bytes that the contracts know it by."""
    if not isinstance(value, str):
        raise ValueError("must be an address")
    return to_word(value)


def _second(value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_UINT32:
        raise ValueError("must be seconds that fit 32 bits")
    return value


Word = Annotated[bytes, BeforeValidator(_word)]
"""An address: EVM's, base58 or 32 bytes of hex."""
TxRef = Annotated[str, StringConstraints(pattern=r"^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,96})$")]
"""A transaction: an EVM hash, or a signature of Solana's."""
Seconds = Annotated[int, BeforeValidator(_second)]
"""A Unix time or a span, a text or a number."""


class Place(Answer):
    """A token on one of Across's chains."""

    address: str
    chain_id: int = Field(alias="chainId")


class Part(Answer):
    """A part of the fee, in raw units of the input token."""

    total: RawAmount


class Limits(Answer):
    """``/limits``, and the same inside ``/suggested-fees``: raw units of the input token."""

    min_deposit: RawAmount = Field(alias="minDeposit")
    max_deposit: RawAmount = Field(alias="maxDeposit")


class SuggestedFees(Answer):
    """``/suggested-fees``. ``exclusivity`` is a span or a time, as the contract takes it."""

    output_amount: RawAmount = Field(alias="outputAmount")
    input_token: Place = Field(alias="inputToken")
    output_token: Place = Field(alias="outputToken")
    timestamp: Seconds
    fill_deadline: Seconds = Field(alias="fillDeadline")
    exclusive_relayer: Word = Field(alias="exclusiveRelayer")
    exclusivity: Seconds = Field(alias="exclusivityDeadline")
    spoke_pool: str = Field(alias="spokePoolAddress")
    destination_spoke_pool: str = Field(alias="destinationSpokePoolAddress")
    is_amount_too_low: bool = Field(alias="isAmountTooLow")
    limits: Limits
    fill_time: Seconds = Field(alias="estimatedFillTimeSec")
    capital: Part = Field(alias="relayerCapitalFee")
    gas: Part = Field(alias="relayerGasFee")
    lp: Part = Field(alias="lpFee")


class Portion(Answer):
    """A part of the fee in ``/swap/approval``: ``amount`` by its source code, ``total`` by its documentation."""

    amount: RawAmount | None = None
    total: RawAmount | None = None

    @property
    def raw(self) -> int:
        return self.amount if self.amount is not None else self.total or 0


class FeeDetails(Answer):
    """The parts of the bridge's fee."""

    capital: Portion = Field(alias="relayerCapital")
    gas: Portion = Field(alias="destinationGas")
    lp: Portion


class BridgeFees(Answer):
    """The bridge's fee in raw units of its input token."""

    amount: RawAmount
    details: FeeDetails | None = None


class BridgeStep(Answer):
    """The bridge's part of a swap."""

    input_amount: RawAmount = Field(alias="inputAmount")
    output_amount: RawAmount = Field(alias="outputAmount")
    token_in: Place = Field(alias="tokenIn")
    token_out: Place = Field(alias="tokenOut")
    fees: BridgeFees
    provider: str


class Steps(Answer):
    """The parts of a swap; those whose presence alone matters are not parsed."""

    origin_swap: object = Field(default=None, alias="originSwap")
    bridge: BridgeStep
    destination_swap: object = Field(default=None, alias="destinationSwap")


class Allowance(Answer):
    """Who must be approved for which amount; on Solana only the program is named."""

    spender: str


class Checks(Answer):
    """What the wallet should prepare, by the API."""

    allowance: Allowance


class SwapTx(Answer):
    """The API's own transaction, which is checked but not used.

    ``data`` is calldata in hex, on Solana a whole transaction in base64.
    """

    chain_id: int = Field(alias="chainId")
    to: str
    data: str
    value: Quantity | None = None

    def calldata(self) -> bytes:
        """Return the bytes of an EVM call; raise ValueError for invalid hex."""
        return _HEX.validate_python(self.data)


class Approval(Answer):
    """``/swap/approval``."""

    cross_swap_type: str = Field(alias="crossSwapType")
    checks: Checks
    steps: Steps
    input_token: Place = Field(alias="inputToken")
    output_token: Place = Field(alias="outputToken")
    refund_token: Place = Field(alias="refundToken")
    input_amount: RawAmount = Field(alias="inputAmount")
    expected_output: RawAmount = Field(alias="expectedOutputAmount")
    min_output: RawAmount = Field(alias="minOutputAmount")
    fill_time: Seconds = Field(alias="expectedFillTime")
    swap_tx: SwapTx = Field(alias="swapTx")
    expiry: Seconds = Field(default=0, alias="quoteExpiryTimestamp")


class Pagination(Answer):
    """Which of a transaction's deposits an answer is about."""

    max_index: int = Field(alias="maxIndex")


class DepositStatus(Answer):
    """``/deposit/status``. The transactions have an old name and a new; either may be absent.

    ``deposit_id`` is None for deposits that no pool numbers, of kinds that are never made here.
    """

    status: str
    origin_chain_id: int = Field(alias="originChainId")
    deposit_id: RawAmount | None = Field(default=None, alias="depositId")
    destination_chain_id: int | None = Field(default=None, alias="destinationChainId")
    deposit_ref: TxRef | None = Field(default=None, alias="depositTxnRef")
    deposit_hash: TxRef | None = Field(default=None, alias="depositTxHash")
    fill_ref: TxRef | None = Field(default=None, alias="fillTxnRef")
    fill_hash: TxRef | None = Field(default=None, alias="fillTx")
    refund_ref: TxRef | None = Field(default=None, alias="depositRefundTxnRef")
    refund_hash: TxRef | None = Field(default=None, alias="depositRefundTxHash")
    actions_succeeded: object = Field(default=None, alias="actionsSucceeded")
    pagination: Pagination | None = None

    @property
    def deposit_tx(self) -> str | None:
        return self.deposit_ref or self.deposit_hash

    @property
    def fill_tx(self) -> str | None:
        return self.fill_ref or self.fill_hash

    @property
    def refund_tx(self) -> str | None:
        return self.refund_ref or self.refund_hash
