"""What the service answers, generated of docs/openapi.json by clients/generate.py."""

from datetime import date as date_aliased
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from rhumbline_client.values import Amount, Model, Number, Quantity


class AdapterOutcome(Model):
    """What became of an adapter, and why; `less…` is by how much it is worth less than the chosen one."""

    adapter: str
    verdict: str
    """chosen, outranked, not_built, offered, dropped, refused or not_asked."""
    why: str
    kind: str | None = None
    output_amount: Annotated[Amount | None, Field(alias="outputAmount")] = None
    """Integer in the token's smallest unit."""
    min_output_amount: Annotated[Amount | None, Field(alias="minOutputAmount")] = None
    """Integer in the token's smallest unit."""
    counted_amount: Annotated[Amount | None, Field(alias="countedAmount")] = None
    """Integer in the token's smallest unit."""
    measured_amount: Annotated[Amount | None, Field(alias="measuredAmount")] = None
    """Integer in the token's smallest unit."""
    simulation: str | None = None
    gas_used: Annotated[Amount | None, Field(alias="gasUsed")] = None
    """Integer in the token's smallest unit."""
    worth_usd: Annotated[Number | None, Field(alias="worthUsd")] = None
    cost_usd: Annotated[Number | None, Field(alias="costUsd")] = None
    less_usd: Annotated[Number | None, Field(alias="lessUsd")] = None
    less_percent: Annotated[Number | None, Field(alias="lessPercent")] = None
    quote_ms: Annotated[int | None, Field(alias="quoteMs")] = None
    build_ms: Annotated[int | None, Field(alias="buildMs")] = None


class ChainState(Model):
    """How far a chain has been followed, as its leader wrote to the store a few seconds ago."""

    leader: str | None
    """The process that follows the chain; null if none does."""
    head: int | None
    """The newest block, on Solana slot, of the leader's node."""
    behind: int | None
    """How many blocks are not read yet."""
    still_for: Annotated[int | None, Field(alias="stillFor")]
    """Seconds since either last changed."""


class DestinationGas(Model):
    """Native of the destination for the receiver, beside the output, which paid for it. Beyond the contract."""

    amount: Amount
    """Expected, in smallest units."""
    min_amount: Annotated[Amount, Field(alias="minAmount")]
    """Guaranteed; otherwise nothing of it is done."""
    currency_symbol: Annotated[str, Field(alias="currencySymbol")]
    currency_address: Annotated[str, Field(alias="currencyAddress")]
    chain_id: Annotated[int, Field(alias="chainId")]


class ExecutionCounts(Model):
    """Transactions that were seen on chain, and what was measured there of those that brought what was bought."""

    executed: int
    completed: int
    failed: int
    senders: int
    measured: int
    deviation_bps: Annotated[Number | None, Field(alias="deviationBps")]
    """Median of delivered less quoted, in ten-thousandths of the quoted amount."""
    promised_seconds: Annotated[int | None, Field(alias="promisedSeconds")]
    """Median of what the bridge had estimated."""
    taken_seconds: Annotated[int | None, Field(alias="takenSeconds")]
    """Median of what the same transfers took."""


class FeeTotal(Model):
    """All fees together, in the origin currency."""

    amount: Amount
    """Integer in the token's smallest unit."""
    currency_symbol: Annotated[str, Field(alias="currencySymbol")]
    currency_address: Annotated[str, Field(alias="currencyAddress")]
    chain_id: Annotated[int, Field(alias="chainId")]
    decimals: int | None = None


class GasEstimation(Model):
    """`gasPrice`, or the pair of EIP-1559, never both; the limit was sufficient in a simulation."""

    gas_price: Annotated[Quantity | None, Field(alias="gasPrice")] = None
    max_fee_per_gas: Annotated[Quantity | None, Field(alias="maxFeePerGas")] = None
    max_priority_fee_per_gas: Annotated[Quantity | None, Field(alias="maxPriorityFeePerGas")] = None
    gas_limit: Annotated[Quantity | None, Field(alias="gasLimit")] = None


class Health(Model):
    """The process answers."""

    status: Literal["ok"] | str


class LiquidityBlock(Model):
    """The block whose state the amounts are exact for."""

    number: int
    hash: str


class LiquidityBound(Model):
    """The upper bound of all plans over the same pools, and how far below it this plan is."""

    amount: Amount
    """Integer in the token's smallest unit."""
    gap_bps: Annotated[float, Field(alias="gapBps")]
    """In basis points, rounded up to four places."""


class LiquidityToken(Model):
    """A token between two pools, or at either end; native assets are wrapped before they are traded."""

    address: str
    symbol: str | None = None
    decimals: int | None = None


class ListVersion(Model):
    """The list's semantic version."""

    major: int
    minor: int
    patch: int


class ListedToken(Model):
    """A token in the form of the Token Lists schema."""

    chain_id: Annotated[int, Field(alias="chainId")]
    address: str
    name: str
    decimals: int
    symbol: str
    logo_uri: Annotated[str, Field(alias="logoURI")]
    """The token list's, otherwise a generated image."""


class NativeToken(Model):
    """A chain's native asset."""

    address: str
    decimals: int
    symbol: str
    chain_id: Annotated[int, Field(alias="chainId")]
    coin_key: Annotated[str, Field(alias="coinKey")]
    """The same for the same asset on every chain; the symbol if no list has one."""
    name: str
    logo_uri: Annotated[str, Field(alias="logoURI")]
    """The token list's, otherwise a generated image."""


class NewWebhook(Model):
    """An endpoint that was just added."""

    id: str
    url: str
    events: list[
        Literal[
            "transaction.seen",
            "transaction.status",
            "transaction.final",
            "transaction.updated",
            "transaction.withdrawn",
        ]
        | str
    ]
    """Which events are sent."""
    enabled: bool
    """Whether anything is sent to it."""
    off_reason: Annotated[str | None, Field(alias="offReason")]
    """Why it was switched off."""
    off_at: Annotated[AwareDatetime | None, Field(alias="offAt")]
    failing_since: Annotated[AwareDatetime | None, Field(alias="failingSince")]
    """Since when it has taken nothing."""
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """ISO 8601 in UTC, with milliseconds."""
    secret: str
    """`whsec_…`, the key of the signatures; it is not shown again."""


class QuoteCalldata(Model):
    """What the wallet signs and sends."""

    to: str
    """The called contract; on Solana the main instruction's program."""
    value: Quantity
    """Native amount to send, in wei; 0x0 on Solana."""
    data: str
    """EVM: hex. Solana: base64 of one unsigned, serialized v0 VersionedTransaction."""


class QuoteWarning(Model):
    """A warning beside an answer."""

    code: (
        Literal[
            "INTEGRATOR_SOLANA_WALLET_NOT_ACTIVATED_FEE_SKIPPED",
            "INTEGRATOR_WALLET_NOT_CONFIGURED_FEE_SKIPPED",
            "SOLANA_SYSTEM_ACCOUNT_SKIPPED",
            "SOLANA_INSUFFICIENT_BALANCE",
            "SOLANA_SIMULATION_FAILED",
        ]
        | str
    )
    message: str


class Readiness(Model):
    """Everything that all requests need is available."""

    status: Literal["ok"] | str
    dependencies: dict[str, str]
    """Each dependency by name: `ok`, its fault, or `degraded` and why if only some requests need it."""
    process: str
    """This process's name among the leaders; new at each start."""
    chains: dict[str, ChainState]
    """Each served chain by its key."""


class RefusalEvent(Model):
    """Why an adapter offers nothing."""

    adapter: str
    """An adapter's key, as `GET /v1/tools` lists them; new ones may be added."""
    kind: str
    """As in `details.adapters` of an error."""
    reason: str


class RequestAnswer(Model):
    """An answered route; plans have no transaction yet."""

    adapters: list[str]
    output_amount: Annotated[Amount, Field(alias="outputAmount")]
    """Integer in the token's smallest unit."""
    min_output_amount: Annotated[Amount, Field(alias="minOutputAmount")]
    """Integer in the token's smallest unit."""
    transaction_id: Annotated[str | None, Field(alias="transactionId")] = None


class RequestCounts(Model):
    """Requests that were counted; ``refusals`` are the reasons for which the adapter gave nothing, without zeros."""

    asked: int
    answered: int
    built: int
    won: int
    refusals: dict[str, int]


class RequestToken(Model):
    """A token of the request."""

    chain_id: Annotated[int, Field(alias="chainId")]
    address: str
    symbol: str
    decimals: int


class RequestedQuote(Model):
    """What was asked for, without wallets."""

    origin_chain_id: Annotated[int, Field(alias="originChainId")]
    destination_chain_id: Annotated[int, Field(alias="destinationChainId")]
    origin_currency: Annotated[str, Field(alias="originCurrency")]
    destination_currency: Annotated[str, Field(alias="destinationCurrency")]
    amount: Amount
    """Integer in the token's smallest unit."""
    order: str
    slippage: str | None = None
    auto_slippage: Annotated[bool, Field(alias="autoSlippage")]
    fee: str | None = None
    include_exchanges: Annotated[list[str] | None, Field(alias="includeExchanges")] = None
    include_bridges: Annotated[list[str] | None, Field(alias="includeBridges")] = None
    exclude_exchanges: Annotated[list[str], Field(alias="excludeExchanges")]
    exclude_bridges: Annotated[list[str], Field(alias="excludeBridges")]
    trade_type: Annotated[str | None, Field(alias="tradeType")] = None


class ScorecardEntry(Model):
    """One adapter on one pair of chains, on one day (UTC); ``day`` is null for all days of the answer together."""

    day: date_aliased | None
    adapter: str
    source_chain_id: Annotated[int, Field(alias="sourceChainId")]
    dest_chain_id: Annotated[int, Field(alias="destChainId")]
    requests: RequestCounts
    executions: ExecutionCounts


class SigningKeyEntry(Model):
    """A public key as a JSON Web Key (RFC 8037)."""

    crv: Literal["Ed25519"] | str
    kty: Literal["OKP"] | str
    x: str
    kid: str
    use: Literal["sig"] | str


class SigningKeySet(Model):
    """A JSON Web Key Set (RFC 7517)."""

    keys: list[SigningKeyEntry]


class SimulationDeviation(Model):
    """Simulated minus advertised output; negative means that the adapter overstated it."""

    absolute: Amount
    """In raw units."""
    bps: float
    """Signed basis points, with two decimals."""
    percent: str


class SolanaTransaction(Model):
    """What was chosen for a transaction on Solana, and what it costs; amounts in lamports."""

    network_fee: Annotated[Amount, Field(alias="networkFee")]
    """For the signatures and the priority, at most."""
    priority_fee: Annotated[Amount, Field(alias="priorityFee")]
    """The part of it for priority, at most."""
    signers: list[str]
    """All who sign, in the order of their signatures."""
    jito_tip: Annotated[Amount | None, Field(alias="jitoTip")] = None
    """Integer in the token's smallest unit."""
    jito_tip_account: Annotated[str | None, Field(alias="jitoTipAccount")] = None
    fee_payer: Annotated[str | None, Field(alias="feePayer")] = None
    fee_payer_cost: Annotated[Amount | None, Field(alias="feePayerCost")] = None
    """The most by which the fee payer's balance falls: network fee, tip, and rent."""


class StandardError(Model):
    """The body of every error."""

    status_code: Annotated[int, Field(alias="statusCode")]
    """The HTTP status."""
    code: (
        Literal[
            "NO_AVAILABLE_QUOTES",
            "AMOUNT_TOO_LOW",
            "WRONG_ADDRESS",
            "RATE_LIMIT",
            "SLIPPAGE_EXCEEDED",
            "ADAPTER_BAD_REQUEST",
            "ADAPTER_UNAUTHORIZED",
            "ADAPTER_INTERNAL",
            "VALIDATION_ERROR",
            "NOT_FOUND",
            "UNKNOWN",
        ]
        | str
    )
    message: str
    details: Any | None = None
    """More, by the kind of error."""
    timestamp: AwareDatetime
    """ISO 8601 in UTC, with milliseconds."""
    path: str | None = None
    """The request's target."""


class DestinationCall(Model):
    """The call with what arrives."""

    target: str
    calldata: str
    gas: int | None = None
    fallback_address: Annotated[str | None, Field(alias="fallbackAddress")] = None


class StepExecution(Model):
    """How to request a step: send it back to `/v1/advanced/stepTransaction`, or quote it with `quoteRequest`."""

    apply_fee: Annotated[bool, Field(alias="applyFee")]
    """Whether this step takes the fees of the route."""
    requires_previous_step_amount: Annotated[bool, Field(alias="requiresPreviousStepAmount")]
    quote_request: Annotated[dict[str, Any], Field(alias="quoteRequest")]
    """Parameters of `GET /v1/quotes` for this step."""
    route_request: Annotated[dict[str, Any], Field(alias="routeRequest")]
    """The whole route's request; send it back."""


class StepToken(Model):
    """A step's input or output token."""

    address: str
    symbol: str
    decimals: int
    chain_id: Annotated[int, Field(alias="chainId")]


class Token(Model):
    """A token with its cached price."""

    address: str
    symbol: str
    decimals: int
    chain_id: Annotated[int, Field(alias="chainId")]
    name: str
    coin_key: Annotated[str, Field(alias="coinKey")]
    """The same for the same asset on every chain; the symbol if no list has one."""
    price_usd: Annotated[Number | None, Field(alias="priceUSD")] = None
    price_updated_at: Annotated[AwareDatetime | None, Field(alias="priceUpdatedAt")] = None
    """ISO 8601 in UTC, with milliseconds."""
    price_source: Annotated[str | None, Field(alias="priceSource")] = None
    price_stale: Annotated[bool, Field(alias="priceStale")]
    price_tier: Annotated[Literal["hot", "cold"] | str, Field(alias="priceTier")]
    """How often a price is refreshed."""
    logo_uri: Annotated[str, Field(alias="logoURI")]
    """The token list's, otherwise a generated image."""


class TokenList(Model):
    """A chain's listed tokens in the standard form of token lists."""

    name: str
    timestamp: AwareDatetime
    """ISO 8601 in UTC, with milliseconds."""
    version: ListVersion
    tokens: list[ListedToken]


class TokenPriceResult(Model):
    """The cached price of one whole token in USD; without `priceUSD` if none is known."""

    chain_id: Annotated[int, Field(alias="chainId")]
    token: str
    """The token's address."""
    price_usd: Annotated[Number | None, Field(alias="priceUSD")] = None
    source: str | None = None
    updated_at: Annotated[AwareDatetime | None, Field(alias="updatedAt")] = None
    """ISO 8601 in UTC, with milliseconds."""
    stale: bool
    """The cached value is older than its freshness window."""
    tier: Literal["hot", "cold"] | str
    """How often a price is refreshed."""
    refreshing: bool
    """A refresh is scheduled or running."""


class Tool(Model):
    """An adapter that can quote with the present settings."""

    key: str
    """An adapter's key, as `GET /v1/tools` lists them; new ones may be added."""
    name: str
    logo_uri: Annotated[str, Field(alias="logoURI")]
    supported_chains: Annotated[list[str], Field(alias="supportedChains")]
    """Chain IDs."""


class ToolList(Model):
    """Adapters that do both are in both lists."""

    exchanges: list[Tool]
    bridges: list[Tool]


class TrackRecordEntry(Model):
    """What an adapter's measured transactions of the last thirty days cost it in the ranking of recommended answers."""

    adapter: str
    source_chain_id: Annotated[int, Field(alias="sourceChainId")]
    dest_chain_id: Annotated[int, Field(alias="destChainId")]
    senders: int
    value_usd: Annotated[Number, Field(alias="valueUsd")]
    shortfall_bps: Annotated[Number, Field(alias="shortfallBps")]
    late_seconds: Annotated[int, Field(alias="lateSeconds")]
    cost_bps: Annotated[Number, Field(alias="costBps")]


class TrackedFee(Model):
    """A paid fee."""

    token: str
    """The token's symbol; the address of an unlisted one."""
    amount_raw: Annotated[Amount, Field(alias="amountRaw")]
    """Integer in the token's smallest unit."""
    amount_formatted: Annotated[Number, Field(alias="amountFormatted")]
    decimals: int
    amount_usd: Annotated[Number | None, Field(alias="amountUsd")]


class TrackedToken(Model):
    """An amount of a token."""

    chain_id: Annotated[int, Field(alias="chainId")]
    address: str
    symbol: str
    amount_raw: Annotated[Amount, Field(alias="amountRaw")]
    """Integer in the token's smallest unit."""
    amount_formatted: Annotated[Number, Field(alias="amountFormatted")]
    decimals: int
    amount_usd: Annotated[Number | None, Field(alias="amountUsd")]


class TransactionSize(Model):
    """Size of a Solana transaction in bytes, and of its base64 in characters."""

    raw: int
    encoded: int


class WebhookAnswer(Model):
    """An endpoint."""

    id: str
    url: str
    events: list[
        Literal[
            "transaction.seen",
            "transaction.status",
            "transaction.final",
            "transaction.updated",
            "transaction.withdrawn",
        ]
        | str
    ]
    """Which events are sent."""
    enabled: bool
    """Whether anything is sent to it."""
    off_reason: Annotated[str | None, Field(alias="offReason")]
    """Why it was switched off."""
    off_at: Annotated[AwareDatetime | None, Field(alias="offAt")]
    failing_since: Annotated[AwareDatetime | None, Field(alias="failingSince")]
    """Since when it has taken nothing."""
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """ISO 8601 in UTC, with milliseconds."""


class WebhookAttempt(Model):
    """One attempt of a delivery."""

    at: AwareDatetime
    """ISO 8601 in UTC, with milliseconds."""
    status: int | None
    """What the endpoint answered; null without an answer."""
    error: str | None
    ms: int


class WebhookDeliveryAnswer(Model):
    """One event for one endpoint."""

    id: int
    number: int | None
    """The event's; null for a test."""
    type: str
    state: str
    """`pending`, `delivered`, `failed`, `skipped`."""
    next_attempt_at: Annotated[AwareDatetime | None, Field(alias="nextAttemptAt")]
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """ISO 8601 in UTC, with milliseconds."""
    attempts: list[WebhookAttempt]


class WebhookList(Model):
    """The integrator's endpoints, oldest first."""

    webhooks: list[WebhookAnswer]


class WebhookRemoved(Model):
    """An endpoint that was removed."""

    id: str


class WebhookSecret(Model):
    """An endpoint's new secret."""

    id: str
    secret: str
    """`whsec_…`, the key of the signatures; it is not shown again."""


class Chain(Model):
    """A chain."""

    key: str
    name: str
    chain_type: Annotated[Literal["EVM", "SVM"] | str, Field(alias="chainType")]
    """The type of a chain's virtual machine."""
    id: int
    id_hex: Annotated[str, Field(alias="idHex")]
    mainnet: bool
    logo_uri: Annotated[str, Field(alias="logoURI")]
    """The token list's, otherwise a generated image."""
    tokenlist_url: Annotated[str | None, Field(alias="tokenlistUrl")] = None
    multicall_address: Annotated[str | None, Field(alias="multicallAddress")] = None
    rpc_urls: Annotated[list[str], Field(alias="rpcUrls")]
    """Public endpoints."""
    block_explorer_urls: Annotated[str | None, Field(alias="blockExplorerUrls")] = None
    """The explorer's address."""
    native_token: Annotated[NativeToken, Field(alias="nativeToken")]
    served: bool
    """Whether the service has a node of the chain and can quote from it. Beyond the contract."""
    rhumbline_diamond: Annotated[str | None, Field(alias="RhumblineDiamond")] = None
    """The service's contract, which wallets approve; absent if there is none."""


class ChainList(Model):
    """The known chains."""

    chains: list[Chain]


class FeeBreakdownItem(Model):
    """One fee, in the currency it is taken in."""

    amount: Amount
    """Integer in the token's smallest unit."""
    currency_symbol: Annotated[str, Field(alias="currencySymbol")]
    currency_address: Annotated[str, Field(alias="currencyAddress")]
    chain_id: Annotated[int, Field(alias="chainId")]
    decimals: int | None = None
    type: (
        Literal["gas", "relayer", "relayerGas", "relayerService", "capital", "lp", "app", "total", "destinationGas"]
        | str
    )
    """The types of a fee item: those of the contract, and what native on arrival costs."""
    included: bool
    """True: already deducted from the amount or the output. False: the wallet pays it in addition."""
    amount_usd: Annotated[Number | None, Field(alias="amountUsd")] = None
    """Rounded up to six places."""
    paid_by: Annotated[str | None, Field(alias="paidBy")] = None
    """The fee payer, where it pays this and not the wallet."""


class IncludedStep(Model):
    """What one adapter does within a step's transaction."""

    type: Literal["swap", "bridge"] | str
    """The type of a step: a swap on one chain, or a transfer to another."""
    tool: str
    """An adapter's key, as `GET /v1/tools` lists them; new ones may be added."""
    from_token: Annotated[StepToken, Field(alias="fromToken")]
    to_token: Annotated[StepToken, Field(alias="toToken")]
    from_amount: Annotated[Amount, Field(alias="fromAmount")]
    """Integer in the token's smallest unit."""
    to_amount: Annotated[Amount, Field(alias="toAmount")]
    """As it was quoted; no guarantee."""


class LiquidityHop(Model):
    """The input and output of one pool."""

    source: str
    """Whose pool it is."""
    kind: str
    """The pool's design; new ones may join."""
    pool: str
    """Its address, or its ID where one contract has many pools."""
    fee: Number
    """Share of its input that the pool keeps: 0.0005 is 0.05 %."""
    token_in: Annotated[LiquidityToken, Field(alias="tokenIn")]
    token_out: Annotated[LiquidityToken, Field(alias="tokenOut")]
    amount_in: Annotated[Amount, Field(alias="amountIn")]
    """Integer in the token's smallest unit."""
    amount_out: Annotated[Amount, Field(alias="amountOut")]
    """Integer in the token's smallest unit."""
    share: Number
    """The part of all of `tokenIn` that goes through this pool."""


class PairPrice(Model):
    """About what an amount would bring. No quote: nothing was built or simulated, and nobody guarantees it."""

    indicative: Literal[True]
    input_amount: Annotated[Amount, Field(alias="inputAmount")]
    """Integer in the token's smallest unit."""
    output_amount: Annotated[Amount, Field(alias="outputAmount")]
    """Integer in the token's smallest unit."""
    rate: Number
    """Whole destination tokens for a whole origin token."""
    source: Literal["POOLS", "PRICES"] | str
    """`POOLS`: what pools of the chain would pay now, less the service's fee. `PRICES`: both tokens' cached prices in USD, less that fee: without costs and price impact of any exchange or bridge."""
    origin_token: Annotated[StepToken, Field(alias="originToken")]
    destination_token: Annotated[StepToken, Field(alias="destinationToken")]
    at: AwareDatetime
    """When it was computed; it may be a second old."""


class ParsedFees(Model):
    """The route's costs beside the exchange rate."""

    total: FeeTotal
    breakdown: list[FeeBreakdownItem]
    total_usd: Annotated[Number | None, Field(alias="totalUsd")] = None
    """Absent if a price is missing."""


class PermitOffer(Model):
    """With `permits` only: a signature and one transaction in place of `approvals` and the call."""

    kind: Literal["EIP2612", "PERMIT2"] | str
    """Who checks the signature: the token itself (EIP-2612), or Permit2, which the wallet has approved before."""
    typed_data: Annotated[dict[str, Any], Field(alias="typedData")]
    """To be signed by the sender, as the parameter of `eth_signTypedData_v4`. The 65 bytes of the signature (r, s, v) replace the first 65 of the 96 zero bytes at the end of the calldata."""
    calldata: QuoteCalldata
    gas_limit: Annotated[Quantity | None, Field(alias="gasLimit")] = None
    """A limit that was sufficient in a simulation."""


class PriceList(Model):
    """Price snapshots in the order of the request."""

    prices: list[TokenPriceResult]


class PublicStatus(Model):
    """A transaction's status, and what arrived."""

    id: str
    transaction_id: Annotated[str | None, Field(alias="transactionId")]
    source_tx_hash: Annotated[str, Field(alias="sourceTxHash")]
    dest_tx_hash: Annotated[str | None, Field(alias="destTxHash")]
    status: (
        Literal["success", "recovered", "bridge_pending", "refund_pending", "refunded", "bridge_failed", "unknown"]
        | str
    )
    """The tracking status of the contract."""
    substatus: str | None
    status_source: Annotated[
        Literal["analytics", "receipt", "bridge_api", "mixed", "unknown"] | str,
        Field(alias="statusSource"),
    ]
    """The source of a status."""
    updated_at: Annotated[AwareDatetime, Field(alias="updatedAt")]
    """ISO 8601 in UTC, with milliseconds."""
    output_token: Annotated[TrackedToken | None, Field(alias="outputToken")]
    output_amount_raw: Annotated[Amount | None, Field(alias="outputAmountRaw")]
    refund_to: Annotated[str | None, Field(alias="refundTo")] = None
    """Who gets refunds on the origin, if the request named it."""


class QuoteEvent(Model):
    """An adapter's offer: nothing is built or simulated yet, and the fees do not include gas."""

    adapter: str
    """An adapter's key, as `GET /v1/tools` lists them; new ones may be added."""
    output_amount: Annotated[Amount, Field(alias="outputAmount")]
    """Integer in the token's smallest unit."""
    min_output_amount: Annotated[Amount, Field(alias="minOutputAmount")]
    """Integer in the token's smallest unit."""
    fees: ParsedFees
    estimated_time_sec: Annotated[int | None, Field(alias="estimatedTimeSec")] = None
    input_amount: Annotated[Amount | None, Field(alias="inputAmount")] = None
    """With `tradeType=EXACT_OUTPUT` only. Beyond the contract."""


class QuoteUsd(Model):
    """Cached prices of both tokens."""

    origin_currency: Annotated[TokenPriceResult, Field(alias="originCurrency")]
    destination_currency: Annotated[TokenPriceResult, Field(alias="destinationCurrency")]


class RequestPart(Model):
    """What was asked of adapters for one pair of tokens: the request's own, or a leg's of a longer route."""

    origin_token: Annotated[RequestToken, Field(alias="originToken")]
    destination_token: Annotated[RequestToken, Field(alias="destinationToken")]
    amount: Amount
    """Integer in the token's smallest unit."""
    chosen: str | None = None
    adapters: list[AdapterOutcome]


class ScorecardList(Model):
    """The newest day first; ``mostCostBps`` is the most that a track record costs in the ranking, 0 for nothing."""

    read_at: Annotated[AwareDatetime, Field(alias="readAt")]
    """ISO 8601 in UTC, with milliseconds."""
    complete: bool
    """False if there are more than are told: ask for less."""
    scorecards: list[ScorecardEntry]
    most_cost_bps: Annotated[Number, Field(alias="mostCostBps")]
    track_records: Annotated[list[TrackRecordEntry], Field(alias="trackRecords")]


class SimulationProviderResult(Model):
    """One provider's own result."""

    source: Literal["RPC", "TENDERLY", "SOLANA_RUNTIME", "NONE"] | str
    """Who ran the simulation."""
    execution_status: Annotated[
        Literal["SUCCESS", "REVERTED", "TIMEOUT", "SKIPPED", "UNSUPPORTED", "ERROR"] | str,
        Field(alias="executionStatus"),
    ]
    """How the simulation ended."""
    output_validation: Annotated[
        Literal["VERIFIED", "UNVERIFIABLE", "NOT_SIMULATED"] | str,
        Field(alias="outputValidation"),
    ]
    """Whether the receiver's gain was measured."""
    simulated_output_amount: Annotated[Amount | None, Field(alias="simulatedOutputAmount")] = None
    """Integer in the token's smallest unit."""
    deviation: SimulationDeviation | None = None
    gas_used: Annotated[Amount | None, Field(alias="gasUsed")] = None
    """Integer in the token's smallest unit."""
    reason: str | None = None
    latency_ms: Annotated[int, Field(alias="latencyMs")]


class StatusEvent(Model):
    """What happened to a transaction, for whoever has its ID."""

    type: (
        Literal[
            "transaction.seen",
            "transaction.status",
            "transaction.final",
            "transaction.updated",
            "transaction.withdrawn",
        ]
        | str
    )
    number: int
    """Grows in the order of what happened, also across transactions."""
    timestamp: AwareDatetime
    """When it happened."""
    data: PublicStatus
    """As `GET /v1/status/{transactionId}` answers now."""


class StepAction(Model):
    """What a step does."""

    destination_gas: Annotated[str | None, Field(alias="destinationGas")] = None
    """Native token that the receiver gets, in smallest units."""
    destination_call: Annotated[DestinationCall | None, Field(alias="destinationCall")] = None
    """The call with what arrives."""
    from_chain_id: Annotated[int, Field(alias="fromChainId")]
    to_chain_id: Annotated[int, Field(alias="toChainId")]
    from_token: Annotated[StepToken, Field(alias="fromToken")]
    to_token: Annotated[StepToken, Field(alias="toToken")]
    from_amount: Annotated[Amount, Field(alias="fromAmount")]
    """Integer in the token's smallest unit."""
    slippage: float | None = None
    slippage_mode: Annotated[Literal["auto"] | str | None, Field(alias="slippageMode")] = None
    from_address: Annotated[str, Field(alias="fromAddress")]
    """The wallet that signs the step."""
    to_address: Annotated[str, Field(alias="toAddress")]
    """The wallet that gets its output: the signer of the next step, or the receiver."""
    refund_to: Annotated[str | None, Field(alias="refundTo")] = None
    """Who gets the tokens back on the origin, if the request names it."""


class StepTransaction(Model):
    """What the wallet signs and sends."""

    to: str
    value: str
    data: str
    gas: GasEstimation | None = None
    transaction_size: Annotated[TransactionSize | None, Field(alias="transactionSize")] = None


class TrackedTransaction(Model):
    """An executed transaction."""

    id: str
    transaction_id: Annotated[str | None, Field(alias="transactionId")]
    source_tx_hash: Annotated[str, Field(alias="sourceTxHash")]
    dest_tx_hash: Annotated[str | None, Field(alias="destTxHash")]
    source_block_number: Annotated[int, Field(alias="sourceBlockNumber")]
    """The slot on Solana."""
    source_log_index: Annotated[int | None, Field(alias="sourceLogIndex")]
    """The index of the tracking instruction on Solana; null if a wallet called a bridge itself."""
    source_chain_id: Annotated[int, Field(alias="sourceChainId")]
    dest_chain_id: Annotated[int | None, Field(alias="destChainId")]
    canonical_source_chain_id: Annotated[int, Field(alias="canonicalSourceChainId")]
    canonical_dest_chain_id: Annotated[int | None, Field(alias="canonicalDestChainId")]
    protocol_raw_source_chain_id: Annotated[int | None, Field(alias="protocolRawSourceChainId")]
    protocol_raw_dest_chain_id: Annotated[int | None, Field(alias="protocolRawDestChainId")]
    source_network: Annotated[str, Field(alias="sourceNetwork")]
    dest_network: Annotated[str | None, Field(alias="destNetwork")]
    date: AwareDatetime
    """Legacy alias of `sourceBlockTimestamp`."""
    source_block_timestamp: Annotated[AwareDatetime, Field(alias="sourceBlockTimestamp")]
    """ISO 8601 in UTC, with milliseconds."""
    destination_block_timestamp: Annotated[AwareDatetime | None, Field(alias="destinationBlockTimestamp")]
    sender: str | None
    receiver: str | None
    integrator: str | None
    protocol: str
    """An adapter key, or `GENERIC_SWAP`; new values may be added."""
    route_type: Annotated[
        Literal["bridge", "swap", "bridge_swap", "unknown"] | str,
        Field(alias="routeType"),
    ]
    """What kind of route a record is."""
    has_dest_call: Annotated[bool, Field(alias="hasDestCall")]
    input_token: Annotated[TrackedToken | None, Field(alias="inputToken")]
    output_token: Annotated[TrackedToken | None, Field(alias="outputToken")]
    source_gas_fee: Annotated[TrackedFee | None, Field(alias="sourceGasFee")]
    destination_gas_fee: Annotated[TrackedFee | None, Field(alias="destinationGasFee")]
    integrator_fee: Annotated[TrackedFee | None, Field(alias="integratorFee")]
    rhumbline_fee: Annotated[TrackedFee | None, Field(alias="rhumblineFee")] = None
    status: (
        Literal["success", "recovered", "bridge_pending", "refund_pending", "refunded", "bridge_failed", "unknown"]
        | str
    )
    """The tracking status of the contract."""
    substatus: str | None
    status_source: Annotated[
        Literal["analytics", "receipt", "bridge_api", "mixed", "unknown"] | str,
        Field(alias="statusSource"),
    ]
    """The source of a status."""
    bridge_scan_url: Annotated[str | None, Field(alias="bridgeScanUrl")]
    raw_bridge_status: Annotated[dict[str, Any] | None, Field(alias="rawBridgeStatus")]
    last_receipt_checked_at: Annotated[AwareDatetime | None, Field(alias="lastReceiptCheckedAt")]
    last_bridge_checked_at: Annotated[AwareDatetime | None, Field(alias="lastBridgeCheckedAt")]
    last_bridge_success_checked_at: Annotated[AwareDatetime | None, Field(alias="lastBridgeSuccessCheckedAt")]
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """ISO 8601 in UTC, with milliseconds."""
    updated_at: Annotated[AwareDatetime, Field(alias="updatedAt")]
    """ISO 8601 in UTC, with milliseconds."""


class TransactionEvent(Model):
    """What happened to a transaction."""

    type: (
        Literal[
            "transaction.seen",
            "transaction.status",
            "transaction.final",
            "transaction.updated",
            "transaction.withdrawn",
        ]
        | str
    )
    number: int
    """Grows in the order of what happened, also across transactions."""
    timestamp: AwareDatetime
    """When it happened."""
    data: TrackedTransaction
    """As `GET /v1/transactions/{id}` answers now; of a withdrawn one, as it was."""


class TransactionList(Model):
    """One page, newest first."""

    transactions: list[TrackedTransaction]
    next_cursor: Annotated[str | None, Field(alias="nextCursor")]


class TransactionStatus(Model):
    """A transaction's status."""

    id: str
    transaction_id: Annotated[str | None, Field(alias="transactionId")]
    source_tx_hash: Annotated[str, Field(alias="sourceTxHash")]
    dest_tx_hash: Annotated[str | None, Field(alias="destTxHash")]
    status: (
        Literal["success", "recovered", "bridge_pending", "refund_pending", "refunded", "bridge_failed", "unknown"]
        | str
    )
    """The tracking status of the contract."""
    substatus: str | None
    status_source: Annotated[
        Literal["analytics", "receipt", "bridge_api", "mixed", "unknown"] | str,
        Field(alias="statusSource"),
    ]
    """The source of a status."""
    updated_at: Annotated[AwareDatetime, Field(alias="updatedAt")]
    """ISO 8601 in UTC, with milliseconds."""


class WebhookDeliveries(Model):
    """An endpoint's deliveries, newest first."""

    deliveries: list[WebhookDeliveryAnswer]


class KeptRequest(Model):
    """A request for quotes, routes or a step, and how it was answered. `status` 0: the client had left before."""

    request_id: Annotated[str, Field(alias="requestId")]
    endpoint: str
    timestamp: AwareDatetime
    """ISO 8601 in UTC, with milliseconds."""
    duration_ms: Annotated[int, Field(alias="durationMs")]
    status: int
    code: str | None = None
    message: str | None = None
    transaction_id: Annotated[str | None, Field(alias="transactionId")] = None
    asked: RequestedQuote | None = None
    answers: list[RequestAnswer]
    parts: list[RequestPart]


class KeptRequests(Model):
    """The requests under one ID, the newest first: clients choose IDs themselves, so there may be several."""

    requests: list[KeptRequest]


class Liquidity(Model):
    """A plan over pools, exact for one block. Amounts are of the plan: after fees, and before any simulation."""

    block: LiquidityBlock
    input_amount: Annotated[Amount, Field(alias="inputAmount")]
    """Integer in the token's smallest unit."""
    output_amount: Annotated[Amount, Field(alias="outputAmount")]
    """Integer in the token's smallest unit."""
    net_output_amount: Annotated[Amount, Field(alias="netOutputAmount")]
    """The output less the gas of its hops, in its own token."""
    bound: LiquidityBound
    """Of the output."""
    net_bound: Annotated[LiquidityBound, Field(alias="netBound")]
    """Of the output less gas."""
    hops: list[LiquidityHop]
    """In the order of their execution."""


class Simulation(Model):
    """The verdict that counts, and every provider's result."""

    source: Literal["RPC", "TENDERLY", "SOLANA_RUNTIME", "NONE"] | str
    """Who ran the simulation."""
    execution_status: Annotated[
        Literal["SUCCESS", "REVERTED", "TIMEOUT", "SKIPPED", "UNSUPPORTED", "ERROR"] | str,
        Field(alias="executionStatus"),
    ]
    """How the simulation ended."""
    output_validation: Annotated[
        Literal["VERIFIED", "UNVERIFIABLE", "NOT_SIMULATED"] | str,
        Field(alias="outputValidation"),
    ]
    """Whether the receiver's gain was measured."""
    simulated_output_amount: Annotated[Amount | None, Field(alias="simulatedOutputAmount")] = None
    """Integer in the token's smallest unit."""
    deviation: SimulationDeviation | None = None
    gas_used: Annotated[Amount | None, Field(alias="gasUsed")] = None
    """Integer in the token's smallest unit."""
    reason: str | None = None
    latency_ms: Annotated[int, Field(alias="latencyMs")]
    advertised_output_amount: Annotated[Amount, Field(alias="advertisedOutputAmount")]
    """Integer in the token's smallest unit."""
    provider_results: Annotated[list[SimulationProviderResult], Field(alias="providerResults")]


class StepEstimate(Model):
    """A step's expected output; for planning, not for execution."""

    from_amount: Annotated[Amount, Field(alias="fromAmount")]
    """Integer in the token's smallest unit."""
    to_amount: Annotated[Amount, Field(alias="toAmount")]
    """Integer in the token's smallest unit."""
    to_amount_min: Annotated[Amount, Field(alias="toAmountMin")]
    """Integer in the token's smallest unit."""
    fees: ParsedFees
    quote_from_amount: Annotated[Amount, Field(alias="quoteFromAmount")]
    """The amount of the request to the adapter, after fees."""
    estimated_time_sec: Annotated[int | None, Field(alias="estimatedTimeSec")] = None
    approval_address: Annotated[str | None, Field(alias="approvalAddress")] = None
    simulated_to_amount: Annotated[Amount | None, Field(alias="simulatedToAmount")] = None
    """Integer in the token's smallest unit."""
    simulation: Simulation | None = None


class QuoteResponse(Model):
    """The best executable route."""

    expires_at: Annotated[AwareDatetime | None, Field(alias="expiresAt")] = None
    """When the transaction must be mined."""
    last_valid_block_height: Annotated[int | None, Field(alias="lastValidBlockHeight")] = None
    """Solana: above this block height the transaction can never be executed."""
    approvals: list[QuoteCalldata] | None = None
    """EVM, tokens only: transactions to send first, in order, for exactly the amount."""
    calls: list[QuoteCalldata] | None = None
    """EVM: approvals and transaction, in the form of `calls` of `wallet_sendCalls` (EIP-5792)."""
    permit: PermitOffer | None = None
    price_impact: Annotated[Number | None, Field(alias="priceImpact")] = None
    """Share of the value that the trade loses: 0.0012 is 0.12 %; negative for a gain."""
    trust_assumptions: Annotated[list[str] | None, Field(alias="trustAssumptions")] = None
    """What this service cannot check or enforce, so that somebody has to be trusted for it."""
    solana: SolanaTransaction | None = None
    """With `priority`, `jitoTip` or `feePayer` only: what was chosen. Beyond the contract."""
    destination_gas: Annotated[DestinationGas | None, Field(alias="destinationGas")] = None
    input_amount: Annotated[Amount, Field(alias="inputAmount")]
    """What is sent: the requested amount, or that for an output."""
    output_amount: Annotated[Amount, Field(alias="outputAmount")]
    """The receiver's estimated output, after all fees."""
    min_output_amount: Annotated[Amount | None, Field(alias="minOutputAmount")] = None
    """The minimum output: enforced on chain; across chains guaranteed by the bridge."""
    estimated_time_sec: Annotated[int | None, Field(alias="estimatedTimeSec")] = None
    """Bridge routes only."""
    adapter: (
        Literal[
            "ACROSS",
            "RELAY",
            "GASZIP",
            "OPENOCEAN",
            "JUPITER",
            "SYMBIOSIS",
            "MAYAN",
            "MAYAN_WORMHOLE",
            "MAYAN_SWIFT",
            "MAYAN_MCTP",
            "MAYAN_FAST_MCTP",
            "OKX",
            "RISE",
            "NORDSTERN",
            "KYBERSWAP",
            "DFLOW",
            "NEAR_INTENTS",
            "ONCHAIN",
        ]
        | str
    )
    """The adapter; new keys may be added."""
    transaction_id: Annotated[str, Field(alias="transactionId")]
    """The ID for the tracking endpoints."""
    calldata: QuoteCalldata
    fees: ParsedFees
    gas: GasEstimation | None = None
    warnings: list[QuoteWarning] | None = None
    approval_address: Annotated[str | None, Field(alias="approvalAddress")] = None
    """The spender to approve for the input token."""
    transaction_size: Annotated[TransactionSize | None, Field(alias="transactionSize")] = None
    bridge_scan: Annotated[dict[str, Any] | None, Field(alias="bridgeScan")] = None
    """Bridge routes only: provider, url of the transfer's page, transferId if known."""
    simulation: Simulation | None = None
    usd: QuoteUsd | None = None
    liquidity: Liquidity | None = None
    """ONCHAIN only: the pools that are traded with. Beyond the contract."""
    refund_to: Annotated[str | None, Field(alias="refundTo")] = None
    """Who gets the tokens back, if the request names it. Beyond the contract."""
    explanation: dict[str, Any] | None = None
    """With `explain` only: what `rhumbline quote --explain` recomputes. Beyond the contract."""
    expected_surplus: Annotated[Amount | None, Field(alias="expectedSurplus")] = None
    """With `tradeType=EXACT_OUTPUT` only: how much more than asked for is expected. Beyond the contract."""


class Step(Model):
    """One transaction of a route."""

    expires_at: Annotated[AwareDatetime | None, Field(alias="expiresAt")] = None
    """When the transaction must be mined."""
    last_valid_block_height: Annotated[int | None, Field(alias="lastValidBlockHeight")] = None
    """Solana: above this block height the transaction can never be executed."""
    approvals: list[QuoteCalldata] | None = None
    """EVM, tokens only: transactions to send first, in order, for exactly the amount."""
    calls: list[QuoteCalldata] | None = None
    """EVM: approvals and transaction, in the form of `calls` of `wallet_sendCalls` (EIP-5792)."""
    permit: PermitOffer | None = None
    price_impact: Annotated[Number | None, Field(alias="priceImpact")] = None
    """Share of the value that the trade loses: 0.0012 is 0.12 %; negative for a gain."""
    trust_assumptions: Annotated[list[str] | None, Field(alias="trustAssumptions")] = None
    """What this service cannot check or enforce, so that somebody has to be trusted for it."""
    solana: SolanaTransaction | None = None
    """With `priority`, `jitoTip` or `feePayer` only: what was chosen. Beyond the contract."""
    destination_gas: Annotated[DestinationGas | None, Field(alias="destinationGas")] = None
    id: str
    """The route's ID, a colon and the step's number."""
    route_id: Annotated[str, Field(alias="routeId")]
    type: Literal["swap", "bridge"] | str
    """The type of a step: a swap on one chain, or a transfer to another."""
    tool: str
    """An adapter's key, as `GET /v1/tools` lists them; new ones may be added."""
    action: StepAction
    estimate: StepEstimate
    execution: StepExecution
    integrator: str | None = None
    fee: float | None = None
    warnings: list[QuoteWarning] | None = None
    bridge_scan: Annotated[dict[str, Any] | None, Field(alias="bridgeScan")] = None
    transaction_id: Annotated[str | None, Field(alias="transactionId")] = None
    """Of a populated step: its ID for tracking."""
    transaction_request: Annotated[StepTransaction | None, Field(alias="transactionRequest")] = None
    liquidity: Liquidity | None = None
    """ONCHAIN only: the pools that are traded with. Beyond the contract."""
    included_steps: Annotated[list[IncludedStep] | None, Field(alias="includedSteps")] = None
    """Of a transaction that several adapters share, in their order: a swap before the bridge, the bridge, a swap on arrival. Beyond the contract."""


class AdvancedRoute(Model):
    """A plan: its steps in their order."""

    id: str
    route_kind: Annotated[Literal["single-step", "multistep"] | str, Field(alias="routeKind")]
    input_amount: Annotated[Amount, Field(alias="inputAmount")]
    """Integer in the token's smallest unit."""
    output_amount: Annotated[Amount, Field(alias="outputAmount")]
    """Integer in the token's smallest unit."""
    min_output_amount: Annotated[Amount, Field(alias="minOutputAmount")]
    """Integer in the token's smallest unit."""
    fees: ParsedFees
    adapter: str
    """The adapter of the first step that leaves the chain, otherwise of the first step."""
    is_multistep: Annotated[bool, Field(alias="isMultistep")]
    steps: list[Step]
    tags: list[Literal["RECOMMENDED", "CHEAPEST", "FASTEST"] | str]
    """The orders in which no route found is better."""
    estimated_time_sec: Annotated[int | None, Field(alias="estimatedTimeSec")] = None
    warnings: list[QuoteWarning] | None = None
    simulation: Simulation | None = None
    price_impact: Annotated[Number | None, Field(alias="priceImpact")] = None
    """Share of the value that the trade loses: 0.0012 is 0.12 %; negative for a gain."""
    trust_assumptions: Annotated[list[str] | None, Field(alias="trustAssumptions")] = None
    """What this service cannot check or enforce, so that somebody has to be trusted for it."""
    expected_surplus: Annotated[Amount | None, Field(alias="expectedSurplus")] = None
    """With `tradeType=EXACT_OUTPUT` only: how much more than asked for is expected. Beyond the contract."""


class RoutesResponse(Model):
    """Routes, best first."""

    routes: list[AdvancedRoute]
