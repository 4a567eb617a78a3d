"""The fields that are read of Mayan's answers, in its own names (in Python's spelling)."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.address import is_address as is_evm
from rhumbline.gateways.svm.address import is_address as is_svm
from rhumbline.gateways.upstreams.fields import CamelAnswer, EvmAddress, HexBytes, Number, RawAmount

Byte = Annotated[int, Field(ge=0, le=255)]
"""A u8 of the contracts: a share in basis points, a mode, a number of decimals."""


def _account(value: object) -> str:
    if isinstance(value, str) and is_evm(value):
        return checksummed(value)
    if not isinstance(value, str) or not is_svm(value):
        raise ValueError("must be an address of an EVM chain or of Solana")
    return value


Account = Annotated[str, BeforeValidator(_account)]
"""A contract or token of the origin: of an EVM chain, kept in EIP-55 form, or of Solana."""


class QuotesReply(CamelAnswer):
    """``GET /quote``: quotes of any kind, unparsed, and the oldest supported SDK version."""

    quotes: list[dict[str, Any]]
    minimum_sdk_version: list[int] | None = None


class MayanToken(CamelAnswer):
    """A token: ``contract`` is zeros for a native asset, ``mint`` its form on Solana, ``real_origin_…`` its home."""

    contract: str
    decimals: Byte
    w_chain_id: int
    mint: str = ""
    real_origin_contract_address: str | None = None
    real_origin_chain_id: int | None = None


class MayanQuote(CamelAnswer):
    """The common fields of quotes. Amounts without ``64`` or ``base_units`` are whole tokens."""

    type: str
    from_chain: str
    to_chain: str
    from_token: MayanToken
    to_token: MayanToken
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
        """The protocol's contract (empty if not stated), and, if the quote states it, the contract's input."""
        return tuple(value for name, value in self if name.endswith(("_mayan_contract", "_input_contract")))


class SwiftQuote(MayanQuote):
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


class MctpQuote(MayanQuote):
    """A quote of MCTP; ``cheaper_chain`` is where the relayer's fee is taken."""

    mctp_mayan_contract: Account = ""
    mctp_input_contract: Account
    has_auction: bool
    cheaper_chain: str
    redeem_relayer_fee: Number


class FastMctpQuote(MayanQuote):
    """A quote of FAST_MCTP."""

    fast_mctp_mayan_contract: Account = ""
    fast_mctp_input_contract: Account
    has_auction: bool
    redeem_relayer_fee: Number
    redeem_relayer_fee64: RawAmount | None = None
    refund_relayer_fee64: RawAmount | None = None
    circle_max_fee64: RawAmount
    fast_mctp_min_finality: Annotated[int, Field(ge=0, lt=2**32)]


class WormholeQuote(MayanQuote):
    """A quote of WORMHOLE, which Mayan calls ``WH``."""

    wh_mayan_contract: EvmAddress
    swap_relayer_fee: Number
    redeem_relayer_fee: Number
    refund_relayer_fee: Number


class SwapReply(CamelAnswer):
    """``GET /get-swap/evm``: the swap on the origin before the transfer."""

    swap_router_address: EvmAddress
    swap_router_calldata: HexBytes


class TransferReply(CamelAnswer):
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
    gas_drop: str | None = None
