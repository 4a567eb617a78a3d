"""What a wallet sends, in which order, until when, and its trust assumptions. Optionals are left out, never null."""

from base64 import b64encode
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Annotated, Any

from pydantic import MISSING, Field, JsonValue, TypeAdapter

from rhumbline.api.wire.shape import HexText, Number, RawAmount, Timestamp, Wire
from rhumbline.api.wire.solana_terms import SolanaTransaction, solana_of
from rhumbline.domain.permit import Permit, PermitKind
from rhumbline.domain.plan import Plan
from rhumbline.domain.route import RouteAnswer, RouteOffer
from rhumbline.domain.transaction import EvmTransaction, SvmTransaction, Transaction

_JSON = TypeAdapter(dict[str, JsonValue])
_SHARE_UNITS = 10**6
PriceImpact = Annotated[
    Number, Field(description="Share of the value that the trade loses: 0.0012 is 0.12 %; negative for a gain.")
]
TrustAssumptions = Annotated[
    list[str],
    Field(description="What this service cannot check or enforce, so that somebody has to be trusted for it."),
]


class QuoteCalldata(Wire):
    """What the wallet signs and sends."""

    to: Annotated[str, Field(description="The called contract; on Solana the main instruction's program.")]
    value: Annotated[HexText, Field(description="Native amount to send, in wei; 0x0 on Solana.")]
    data: Annotated[
        str, Field(description="EVM: hex. Solana: base64 of one unsigned, serialized v0 VersionedTransaction.")
    ]


class PermitOffer(Wire):
    """With `permits` only: a signature and one transaction in place of `approvals` and the call."""

    kind: PermitKind
    typed_data: Annotated[
        dict[str, JsonValue],
        Field(
            description="To be signed by the sender, as the parameter of `eth_signTypedData_v4`. The 65 bytes of the "
            "signature (r, s, v) replace the first 65 of the 96 zero bytes at the end of the calldata."
        ),
    ]
    calldata: QuoteCalldata
    gas_limit: Annotated[HexText, Field(description="A limit that was sufficient in a simulation.")] | MISSING = MISSING


class DestinationGas(Wire):
    """Native of the destination for the receiver, beside the output, which paid for it. Beyond the contract."""

    amount: Annotated[RawAmount, Field(description="Expected, in smallest units.")]
    min_amount: Annotated[RawAmount, Field(description="Guaranteed; otherwise nothing of it is done.")]
    currency_symbol: str
    currency_address: str
    chain_id: int


class Sending(Wire):
    """What an answer says about its transaction."""

    expires_at: Annotated[Timestamp, Field(description="When the transaction must be mined.")] | MISSING = MISSING
    last_valid_block_height: (
        Annotated[
            int,
            Field(description="Solana: above this block height the transaction can never be executed."),
        ]
        | MISSING
    ) = MISSING
    approvals: (
        Annotated[
            list[QuoteCalldata],
            Field(description="EVM, tokens only: transactions to send first, in order, for exactly the amount."),
        ]
        | MISSING
    ) = MISSING
    calls: (
        Annotated[
            list[QuoteCalldata],
            Field(
                description="EVM: approvals and transaction, in the form of `calls` of `wallet_sendCalls` (EIP-5792)."
            ),
        ]
        | MISSING
    ) = MISSING
    permit: PermitOffer | MISSING = MISSING
    price_impact: PriceImpact | MISSING = MISSING
    trust_assumptions: TrustAssumptions | MISSING = MISSING
    solana: (
        Annotated[
            SolanaTransaction,
            Field(description="With `priority`, `jitoTip` or `feePayer` only: what was chosen. Beyond the contract."),
        ]
        | MISSING
    ) = MISSING
    destination_gas: DestinationGas | MISSING = MISSING


def sending_of(answer: RouteAnswer, calldata: QuoteCalldata) -> dict[str, Any]:
    """Return the fields of ``Sending``; only EVM chains have approvals and batches of calls.

    ``calldata`` is what ``calldata_of`` makes of its transaction.
    """
    approvals = [calldata_of(each) for each in answer.approvals]
    is_evm = isinstance(answer.transaction, EvmTransaction)
    height = answer.transaction.last_valid_block_height if isinstance(answer.transaction, SvmTransaction) else MISSING
    end = answer.expires_at
    return {
        "expires_at": MISSING if end is None else datetime.fromtimestamp(end, UTC),
        "last_valid_block_height": height,
        "approvals": approvals or MISSING,
        "calls": [*approvals, calldata] if is_evm else MISSING,
        "solana": MISSING if answer.solana is None else solana_of(answer.solana),
        "permit": MISSING if answer.permit is None else _permit(answer.permit),
        **trust_of(answer),
    }


def _permit(permit: Permit) -> PermitOffer:
    return PermitOffer(
        kind=permit.kind,
        typed_data=_JSON.validate_python(permit.typed_data),
        calldata=calldata_of(permit.transaction),
        gas_limit=MISSING if permit.gas_limit is None else hex(permit.gas_limit),
    )


def trust_of(answer: RouteOffer | Plan) -> dict[str, Any]:
    """Return the price and trust fields of an answer or a plan, by the fields of ``Sending``."""
    return {
        "price_impact": MISSING if answer.price_impact is None else rounded_share(answer.price_impact),
        "trust_assumptions": list(answer.trust_assumptions) or MISSING,
        **(_gas_there(answer) if isinstance(answer, RouteOffer) else {}),
    }


def _gas_there(offer: RouteOffer) -> dict[str, Any]:
    brought, native = offer.gas_on_arrival, offer.request.destination.native
    if brought is None:
        return {}
    there = DestinationGas(
        amount=str(brought.amount),
        min_amount=str(brought.minimum),
        currency_symbol=native.symbol,
        currency_address=native.address,
        chain_id=native.chain_id,
    )
    return {"destination_gas": there}


def calldata_of(transaction: Transaction) -> QuoteCalldata:
    if isinstance(transaction, EvmTransaction):
        data = "0x" + transaction.data.hex()
        return QuoteCalldata(to=transaction.to, value=hex(transaction.value), data=data)
    return QuoteCalldata(to=transaction.program, value="0x0", data=b64encode(transaction.data).decode())


def rounded_share(share: Fraction) -> Decimal:
    """Return a share with six places, rounded up, so that a loss is never understated."""
    return Decimal(ceil(share * _SHARE_UNITS)) / _SHARE_UNITS
