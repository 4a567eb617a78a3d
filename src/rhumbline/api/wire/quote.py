"""The answer to a quote. Optionals without a value are left out, never null."""

from base64 import b64encode
from collections.abc import Iterable
from typing import Annotated
from urllib.parse import quote as url_part

from pydantic import MISSING, Field, JsonValue, TypeAdapter

from rhumbline.api.wire.executable import QuoteCalldata, Sending, calldata_of, sending_of
from rhumbline.api.wire.fees import ParsedFees, to_fees
from rhumbline.api.wire.pool_plan import UsedLiquidity, liquidity_of
from rhumbline.api.wire.price import TokenPriceResult, to_price
from rhumbline.api.wire.shape import HexText, RawAmount, Wire
from rhumbline.api.wire.simulation import Simulation, to_simulation
from rhumbline.catalog.tools import CONTRACT_ADAPTERS, KNOWN_ADAPTERS
from rhumbline.domain.gas import EvmGasTerms, GasTerms
from rhumbline.domain.plan import Plan
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.route import RouteAnswer, RouteOffer, RouteWarning
from rhumbline.domain.transaction import SvmTransaction, Transaction

WARNING_CODES = (
    "INTEGRATOR_SOLANA_WALLET_NOT_ACTIVATED_FEE_SKIPPED",
    "INTEGRATOR_WALLET_NOT_CONFIGURED_FEE_SKIPPED",
    "SOLANA_SYSTEM_ACCOUNT_SKIPPED",
    "SOLANA_INSUFFICIENT_BALANCE",
    "SOLANA_SIMULATION_FAILED",
)
AdapterKey = Annotated[
    str, Field(json_schema_extra={"enum": list(KNOWN_ADAPTERS)}, description="The adapter; new keys may be added.")
]
OpenAdapterKey = Annotated[
    str,
    Field(
        description="An adapter's key, as `GET /v1/tools` lists them; new ones may be added.",
        examples=list(CONTRACT_ADAPTERS),
    ),
]


ExpectedSurplus = Annotated[
    RawAmount,
    Field(
        description="With `tradeType=EXACT_OUTPUT` only: how much more than asked for is expected. Beyond the contract."
    ),
]


_JSON = TypeAdapter(dict[str, JsonValue])


class GasEstimation(Wire):
    """`gasPrice`, or the pair of EIP-1559, never both; the limit was sufficient in a simulation."""

    gas_price: HexText | MISSING = MISSING
    max_fee_per_gas: HexText | MISSING = MISSING
    max_priority_fee_per_gas: HexText | MISSING = MISSING
    gas_limit: HexText | MISSING = MISSING


class QuoteWarning(Wire):
    """A warning beside an answer."""

    code: Annotated[str, Field(json_schema_extra={"enum": list(WARNING_CODES)})]
    message: str


class TransactionSize(Wire):
    """Size of a Solana transaction in bytes, and of its base64 in characters."""

    raw: Annotated[int, Field(le=1232)]
    encoded: int


class QuoteUsd(Wire):
    """Cached prices of both tokens."""

    origin_currency: TokenPriceResult
    destination_currency: TokenPriceResult


class QuoteResponse(Sending):
    """The best executable route."""

    input_amount: Annotated[RawAmount, Field(description="What is sent: the requested amount, or that for an output.")]
    output_amount: Annotated[RawAmount, Field(description="The receiver's estimated output, after all fees.")]
    min_output_amount: (
        Annotated[
            RawAmount,
            Field(description="The minimum output: enforced on chain; across chains guaranteed by the bridge."),
        ]
        | MISSING
    ) = MISSING
    estimated_time_sec: Annotated[int, Field(description="Bridge routes only.")] | MISSING = MISSING
    adapter: AdapterKey
    transaction_id: Annotated[str, Field(pattern="^0x[0-9a-f]{64}$", description="The ID for the tracking endpoints.")]
    calldata: QuoteCalldata
    fees: ParsedFees
    gas: GasEstimation | MISSING = MISSING
    warnings: list[QuoteWarning] | MISSING = MISSING
    approval_address: Annotated[str, Field(description="The spender to approve for the input token.")] | MISSING = (
        MISSING
    )
    transaction_size: TransactionSize | MISSING = MISSING
    bridge_scan: (
        Annotated[
            dict[str, JsonValue],
            Field(description="Bridge routes only: provider, url of the transfer's page, transferId if known."),
        ]
        | MISSING
    ) = MISSING
    simulation: Simulation | MISSING = MISSING
    usd: QuoteUsd | MISSING = MISSING
    liquidity: UsedLiquidity | MISSING = MISSING
    refund_to: (
        Annotated[str, Field(description="Who gets the tokens back, if the request names it. Beyond the contract.")]
        | MISSING
    ) = MISSING
    explanation: (
        Annotated[
            dict[str, JsonValue],
            Field(description="With `explain` only: what `rhumbline quote --explain` recomputes. Beyond the contract."),
        ]
        | MISSING
    ) = MISSING
    expected_surplus: ExpectedSurplus | MISSING = MISSING


def to_quote(answer: RouteAnswer) -> QuoteResponse:
    return QuoteResponse(
        input_amount=str(answer.request.amount),
        output_amount=str(answer.output_amount),
        min_output_amount=str(answer.min_output_amount),
        estimated_time_sec=MISSING if answer.seconds is None else answer.seconds,
        adapter=answer.adapter,
        transaction_id=answer.transaction_id,
        gas=gas_of(answer.gas),
        warnings=to_warnings(answer.warnings),
        approval_address=MISSING if answer.approval_address is None else answer.approval_address,
        transaction_size=size_of(answer.transaction),
        bridge_scan=bridge_scan(answer),
        refund_to=MISSING if answer.request.refund_to is None else answer.request.refund_to,
        explanation=explanation_of(answer),
        usd=_usd(answer.prices),
        fees=to_fees(answer.fees, answer.origin_token),
        simulation=MISSING if answer.simulation is None else to_simulation(answer.simulation),
        liquidity=MISSING if answer.pool_plan is None else liquidity_of(answer.pool_plan),
        expected_surplus=MISSING if answer.request.wanted_output is None else surplus_of(answer),
        calldata=(calldata := calldata_of(answer.transaction)),
        **sending_of(answer, calldata),
    )


def surplus_of(answer: RouteOffer | Plan) -> str | MISSING:
    surplus = answer.surplus
    return MISSING if surplus is None else str(surplus)


def explanation_of(answer: RouteAnswer) -> dict[str, JsonValue] | MISSING:
    if answer.pool_plan is None or not answer.request.explain:
        return MISSING
    return _JSON.validate_python(answer.pool_plan.explain())


def to_warnings(warnings: Iterable[RouteWarning]) -> list[QuoteWarning] | MISSING:
    return [QuoteWarning(code=each.code, message=each.message) for each in warnings] or MISSING


def bridge_scan(answer: RouteAnswer) -> dict[str, JsonValue] | MISSING:
    """Return the transfer's page: ``{txHash}`` stays in the URL until there is a transaction."""
    if answer.request.origin.id == answer.request.destination.id:
        return MISSING
    scan: dict[str, JsonValue] = {"provider": answer.adapter}
    if answer.scan_url is not None and (answer.reference is not None or "{reference}" not in answer.scan_url):
        scan["url"] = answer.scan_url.replace("{reference}", url_part(answer.reference or "", safe=""))
    if answer.reference is not None:
        scan["transferId"] = answer.reference
    return scan


def size_of(transaction: Transaction) -> TransactionSize | MISSING:
    """Return the size of a transaction on Solana; others have none worth telling."""
    if not isinstance(transaction, SvmTransaction):
        return MISSING
    return TransactionSize(raw=len(transaction.data), encoded=len(b64encode(transaction.data)))


def gas_of(gas: GasTerms | None) -> GasEstimation | MISSING:
    if not isinstance(gas, EvmGasTerms):
        return MISSING
    return GasEstimation(
        gas_price=_hex(gas.gas_price),
        max_fee_per_gas=_hex(gas.max_fee),
        max_priority_fee_per_gas=_hex(gas.max_priority_fee),
        gas_limit=_hex(gas.limit),
    )


def _hex(number: int | None) -> str | MISSING:
    return MISSING if number is None else hex(number)


def _usd(prices: tuple[PriceSnapshot, PriceSnapshot] | None) -> QuoteUsd | MISSING:
    if prices is None:
        return MISSING
    return QuoteUsd(origin_currency=to_price(prices[0]), destination_currency=to_price(prices[1]))
