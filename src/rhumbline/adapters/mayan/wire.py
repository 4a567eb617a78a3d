"""What is read of Mayan's answers, in its own names (written as Python writes names)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.address import is_address as is_evm
from rhumbline.gateways.svm.address import is_address as is_svm
from rhumbline.gateways.upstreams.fields import CamelAnswer, EvmAddress, HexBytes, Number, RawAmount

Byte = Annotated[int, Field(ge=0, le=255)]
"""What a u8 of the contracts holds: a share in basis points, a mode, a number of decimals."""


def _account(value: object) -> str:
    if isinstance(value, str) and is_evm(value):
        return checksummed(value)
    if not isinstance(value, str) or not is_svm(value):
        raise ValueError("must be an address of an EVM chain or of Solana")
    return value


Account = Annotated[str, BeforeValidator(_account)]
"""A contract or token of the origin: of an EVM chain, kept in EIP-55 form, or of Solana."""


class QuotesSaid(CamelAnswer):
    """``GET /quote``: quotes of any kind, unread, and the oldest version of the SDK that is still understood."""

    quotes: list[dict[str, Any]]
    minimum_sdk_version: list[int] | None = None


class TokenSaid(CamelAnswer):
    """A token: ``contract`` is zeros for a native asset, ``mint`` its form on Solana, ``real_origin_…`` its home."""

    contract: str
    decimals: Byte
    w_chain_id: int
    mint: str = ""
    real_origin_contract_address: str | None = None
    real_origin_chain_id: int | None = None


class QuoteSaid(CamelAnswer):
    """What quotes of all kinds have. Amounts without ``64`` or ``base_units`` are whole tokens."""

    type: str
    from_chain: str
    to_chain: str
    from_token: TokenSaid
    to_token: TokenSaid
    effective_amount_in64: RawAmount
    expected_amount_out: Number
    expected_amount_out_base_units: RawAmount | None = None
    min_amount_out: Number
    slippage_bps: Annotated[int, Field(ge=0)]
    gas_drop: Number
    gasless: bool = False
    eta_seconds: Number | None = None
    min_middle_amount: Number | None = None
    bridge_fee: Number | None = None
    protocol_bps: Byte | None = None
    referrer_bps: Byte | None = None
    deadline64: RawAmount | None = None
    solana_relayer_fee64: RawAmount | None = None

    @property
    def accounts(self) -> tuple[str, ...]:
        """The protocol's contract (empty where it is not told), and, where the quote says it, what that takes."""
        return tuple(value for name, value in self if name.endswith(("_mayan_contract", "_input_contract")))


class SwiftSaid(QuoteSaid):
    """A quote of SWIFT. The relayers' fees are in the protocol's own units of the input."""

    swift_version: str
    swift_mayan_contract: Account
    swift_input_contract: Account
    swift_input_contract_standard: str | None = None
    swift_input_decimals: Byte
    swift_auction_mode: Byte
    swift_wrap_and_lock: bool | None = None
    cancel_relayer_fee64: RawAmount
    refund_relayer_fee64: RawAmount
    submit_relayer_fee64: RawAmount | None = None
    quote_id: HexBytes | None = None
    memo_hex: HexBytes | None = None


class MctpSaid(QuoteSaid):
    """A quote of MCTP; ``cheaper_chain`` is where the relayer's fee is taken."""

    mctp_mayan_contract: Account = ""
    mctp_input_contract: Account
    has_auction: bool
    cheaper_chain: str
    redeem_relayer_fee: Number


class FastMctpSaid(QuoteSaid):
    """A quote of FAST_MCTP."""

    fast_mctp_mayan_contract: Account = ""
    fast_mctp_input_contract: Account
    has_auction: bool
    redeem_relayer_fee: Number
    redeem_relayer_fee64: RawAmount | None = None
    refund_relayer_fee64: RawAmount | None = None
    circle_max_fee64: RawAmount
    fast_mctp_min_finality: Annotated[int, Field(ge=0, lt=2**32)]


class WormholeSaid(QuoteSaid):
    """A quote of WORMHOLE, which Mayan calls ``WH``."""

    wh_mayan_contract: EvmAddress
    swap_relayer_fee: Number
    redeem_relayer_fee: Number
    refund_relayer_fee: Number


class SwapSaid(CamelAnswer):
    """``GET /get-swap/evm``: the swap on the origin that goes before."""

    swap_router_address: EvmAddress
    swap_router_calldata: HexBytes


class TransferSaid(CamelAnswer):
    """``GET /swap/trx/…`` of the explorer; chains are Wormhole's IDs, amounts whole tokens, both as texts."""

    status: str | None = None
    client_status: str | None = None
    service: str | None = None
    trader: str | None = None
    source_tx_hash: str | None = None
    source_chain: str | None = None
    dest_chain: str | None = None
    dest_address: str | None = None
    order_hash: str | None = None
    fulfill_tx_hash: str | None = None
    redeem_tx_hash: str | None = None
    refund_tx_hash: str | None = None
    refund_chain: str | None = None
    to_amount: str | None = None
    to_token_address: str | None = None
    to_token_symbol: str | None = None
    from_token_address: str | None = None
    refund_amount: str | None = None
