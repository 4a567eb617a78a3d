/** What the service answers, generated of docs/openapi.json by clients/generate.py. */

/**
 * The types of a fee item: those of the contract, and what native on arrival costs.
 */
export type FeeType =
  | ("gas" | "relayer" | "relayerGas" | "relayerService" | "capital" | "lp" | "app" | "total" | "destinationGas")
  | (string & {});
/**
 * Who checks the signature: the token itself (EIP-2612), or Permit2, which the wallet has approved before.
 */
export type PermitKind = ("EIP2612" | "PERMIT2") | (string & {});
export type JsonValue = unknown;
/**
 * The type of a step: a swap on one chain, or a transfer to another.
 */
export type StepType = ("swap" | "bridge") | (string & {});
/**
 * Who ran the simulation.
 */
export type SimulationSource = ("RPC" | "TENDERLY" | "SOLANA_RUNTIME" | "NONE") | (string & {});
/**
 * How the simulation ended.
 */
export type ExecutionStatus =
  | ("SUCCESS" | "REVERTED" | "TIMEOUT" | "SKIPPED" | "UNSUPPORTED" | "ERROR")
  | (string & {});
/**
 * Whether the receiver's gain was measured.
 */
export type OutputValidation = ("VERIFIED" | "UNVERIFIABLE" | "NOT_SIMULATED") | (string & {});
/**
 * The order of answers; docs/quotes.md has the rule.
 */
export type Order = ("RECOMMENDED" | "CHEAPEST" | "FASTEST") | (string & {});
/**
 * The type of a chain's virtual machine.
 */
export type ChainType = ("EVM" | "SVM") | (string & {});
/**
 * Where an indicative price is from: pools of the chain, at a block, or the prices of both tokens in USD.
 */
export type PairSource = ("POOLS" | "PRICES") | (string & {});
/**
 * How often a price is refreshed.
 */
export type PriceTier = ("hot" | "cold") | (string & {});
/**
 * The tracking status of the contract.
 */
export type TransferState =
  | ("success" | "recovered" | "bridge_pending" | "refund_pending" | "refunded" | "bridge_failed" | "unknown")
  | (string & {});
/**
 * The source of a status.
 */
export type StatusSource = ("analytics" | "receipt" | "bridge_api" | "mixed" | "unknown") | (string & {});
/**
 * What kind of route a record is.
 */
export type RouteType = ("bridge" | "swap" | "bridge_swap" | "unknown") | (string & {});

/**
 * What became of an adapter, and why; `less…` is by how much it is worth less than the chosen one.
 */
export interface AdapterOutcome {
  adapter: string;
  /**
   * chosen, outranked, not_built, offered, dropped, refused or not_asked.
   */
  verdict: string;
  why: string;
  kind?: string;
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount?: string;
  /**
   * Integer in the token's smallest unit.
   */
  minOutputAmount?: string;
  /**
   * Integer in the token's smallest unit.
   */
  countedAmount?: string;
  /**
   * Integer in the token's smallest unit.
   */
  measuredAmount?: string;
  simulation?: string;
  /**
   * Integer in the token's smallest unit.
   */
  gasUsed?: string;
  worthUsd?: string;
  costUsd?: string;
  lessUsd?: string;
  lessPercent?: string;
  quoteMs?: number;
  buildMs?: number;
}
/**
 * A plan: its steps in their order.
 */
export interface AdvancedRoute {
  id: string;
  routeKind: ("single-step" | "multistep") | (string & {});
  /**
   * Integer in the token's smallest unit.
   */
  inputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  minOutputAmount: string;
  fees: ParsedFees;
  /**
   * The adapter of the first step that leaves the chain, otherwise of the first step.
   */
  adapter: string;
  isMultistep: boolean;
  steps: Step[];
  /**
   * The orders in which no route found is better.
   */
  tags: Order[];
  estimatedTimeSec?: number;
  warnings?: QuoteWarning[];
  simulation?: Simulation;
  /**
   * Share of the value that the trade loses: 0.0012 is 0.12 %; negative for a gain.
   */
  priceImpact?: string;
  /**
   * What this service cannot check or enforce, so that somebody has to be trusted for it.
   */
  trustAssumptions?: string[];
  /**
   * With `tradeType=EXACT_OUTPUT` only: how much more than asked for is expected. Beyond the contract.
   */
  expectedSurplus?: string;
}
/**
 * The route's costs beside the exchange rate.
 */
export interface ParsedFees {
  total: FeeTotal;
  breakdown: FeeBreakdownItem[];
  /**
   * Absent if a price is missing.
   */
  totalUsd?: string;
}
/**
 * All fees together, in the origin currency.
 */
export interface FeeTotal {
  /**
   * Integer in the token's smallest unit.
   */
  amount: string;
  currencySymbol: string;
  currencyAddress: string;
  chainId: number;
  decimals?: number;
}
/**
 * One fee, in the currency it is taken in.
 */
export interface FeeBreakdownItem {
  /**
   * Integer in the token's smallest unit.
   */
  amount: string;
  currencySymbol: string;
  currencyAddress: string;
  chainId: number;
  decimals?: number;
  type: FeeType;
  /**
   * True: already deducted from the amount or the output. False: the wallet pays it in addition.
   */
  included: boolean;
  /**
   * Rounded up to six places.
   */
  amountUsd?: string;
  /**
   * The fee payer, where it pays this and not the wallet.
   */
  paidBy?: string;
}
/**
 * One transaction of a route.
 */
export interface Step {
  /**
   * When the transaction must be mined.
   */
  expiresAt?: string;
  /**
   * Solana: above this block height the transaction can never be executed.
   */
  lastValidBlockHeight?: number;
  /**
   * EVM, tokens only: transactions to send first, in order, for exactly the amount.
   */
  approvals?: QuoteCalldata[];
  /**
   * EVM: approvals and transaction, in the form of `calls` of `wallet_sendCalls` (EIP-5792).
   */
  calls?: QuoteCalldata[];
  permit?: PermitOffer;
  /**
   * Share of the value that the trade loses: 0.0012 is 0.12 %; negative for a gain.
   */
  priceImpact?: string;
  /**
   * What this service cannot check or enforce, so that somebody has to be trusted for it.
   */
  trustAssumptions?: string[];
  solana?: SolanaTransaction;
  destinationGas?: DestinationGas;
  /**
   * The route's ID, a colon and the step's number.
   */
  id: string;
  routeId: string;
  type: StepType;
  /**
   * An adapter's key, as `GET /v1/tools` lists them; new ones may be added.
   */
  tool: string;
  action: StepAction;
  estimate: StepEstimate;
  execution: StepExecution;
  integrator?: string;
  fee?: number;
  warnings?: QuoteWarning[];
  bridgeScan?: {
    [k: string]: JsonValue;
  };
  /**
   * Of a populated step: its ID for tracking.
   */
  transactionId?: string;
  transactionRequest?: StepTransaction;
  liquidity?: Liquidity;
  /**
   * Of a transaction that several adapters share, in their order: a swap before the bridge, the bridge, a swap on arrival. Beyond the contract.
   */
  includedSteps?: IncludedStep[];
}
/**
 * What the wallet signs and sends.
 */
export interface QuoteCalldata {
  /**
   * The called contract; on Solana the main instruction's program.
   */
  to: string;
  /**
   * Native amount to send, in wei; 0x0 on Solana.
   */
  value: string;
  /**
   * EVM: hex. Solana: base64 of one unsigned, serialized v0 VersionedTransaction.
   */
  data: string;
}
/**
 * With `permits` only: a signature and one transaction in place of `approvals` and the call.
 */
export interface PermitOffer {
  kind: PermitKind;
  /**
   * To be signed by the sender, as the parameter of `eth_signTypedData_v4`. The 65 bytes of the signature (r, s, v) replace the first 65 of the 96 zero bytes at the end of the calldata.
   */
  typedData: {
    [k: string]: JsonValue;
  };
  calldata: QuoteCalldata;
  /**
   * A limit that was sufficient in a simulation.
   */
  gasLimit?: string;
}
/**
 * With `priority`, `jitoTip` or `feePayer` only: what was chosen. Beyond the contract.
 */
export interface SolanaTransaction {
  /**
   * For the signatures and the priority, at most.
   */
  networkFee: string;
  /**
   * The part of it for priority, at most.
   */
  priorityFee: string;
  /**
   * All who sign, in the order of their signatures.
   */
  signers: string[];
  /**
   * Integer in the token's smallest unit.
   */
  jitoTip?: string;
  jitoTipAccount?: string;
  feePayer?: string;
  /**
   * The most by which the fee payer's balance falls: network fee, tip, and rent.
   */
  feePayerCost?: string;
}
/**
 * Native of the destination for the receiver, beside the output, which paid for it. Beyond the contract.
 */
export interface DestinationGas {
  /**
   * Expected, in smallest units.
   */
  amount: string;
  /**
   * Guaranteed; otherwise nothing of it is done.
   */
  minAmount: string;
  currencySymbol: string;
  currencyAddress: string;
  chainId: number;
}
/**
 * What a step does.
 */
export interface StepAction {
  /**
   * Native token that the receiver gets, in smallest units.
   */
  destinationGas?: string;
  /**
   * The call with what arrives.
   */
  destinationCall?: {
    target: string;
    calldata: string;
    gas?: number;
    fallbackAddress?: string;
  };
  fromChainId: number;
  toChainId: number;
  fromToken: StepToken;
  toToken: StepToken;
  /**
   * Integer in the token's smallest unit.
   */
  fromAmount: string;
  slippage?: number;
  slippageMode?: "auto" | string;
  /**
   * The wallet that signs the step.
   */
  fromAddress: string;
  /**
   * The wallet that gets its output: the signer of the next step, or the receiver.
   */
  toAddress: string;
  /**
   * Who gets the tokens back on the origin, if the request names it.
   */
  refundTo?: string;
}
/**
 * A step's input or output token.
 */
export interface StepToken {
  address: string;
  symbol: string;
  decimals: number;
  chainId: number;
}
/**
 * A step's expected output; for planning, not for execution.
 */
export interface StepEstimate {
  /**
   * Integer in the token's smallest unit.
   */
  fromAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  toAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  toAmountMin: string;
  fees: ParsedFees;
  /**
   * The amount of the request to the adapter, after fees.
   */
  quoteFromAmount: string;
  estimatedTimeSec?: number;
  approvalAddress?: string;
  /**
   * Integer in the token's smallest unit.
   */
  simulatedToAmount?: string;
  simulation?: Simulation;
}
/**
 * The verdict that counts, and every provider's result.
 */
export interface Simulation {
  source: SimulationSource;
  executionStatus: ExecutionStatus;
  outputValidation: OutputValidation;
  /**
   * Integer in the token's smallest unit.
   */
  simulatedOutputAmount?: string;
  deviation?: SimulationDeviation;
  /**
   * Integer in the token's smallest unit.
   */
  gasUsed?: string;
  reason?: string;
  latencyMs: number;
  /**
   * Integer in the token's smallest unit.
   */
  advertisedOutputAmount: string;
  providerResults: SimulationProviderResult[];
}
/**
 * Simulated minus advertised output; negative means that the adapter overstated it.
 */
export interface SimulationDeviation {
  /**
   * In raw units.
   */
  absolute: string;
  /**
   * Signed basis points, with two decimals.
   */
  bps: number;
  percent: string;
}
/**
 * One provider's own result.
 */
export interface SimulationProviderResult {
  source: SimulationSource;
  executionStatus: ExecutionStatus;
  outputValidation: OutputValidation;
  /**
   * Integer in the token's smallest unit.
   */
  simulatedOutputAmount?: string;
  deviation?: SimulationDeviation;
  /**
   * Integer in the token's smallest unit.
   */
  gasUsed?: string;
  reason?: string;
  latencyMs: number;
}
/**
 * How to request a step: send it back to `/v1/advanced/stepTransaction`, or quote it with `quoteRequest`.
 */
export interface StepExecution {
  /**
   * Whether this step takes the fees of the route.
   */
  applyFee: boolean;
  requiresPreviousStepAmount: boolean;
  /**
   * Parameters of `GET /v1/quotes` for this step.
   */
  quoteRequest: {
    [k: string]: JsonValue;
  };
  /**
   * The whole route's request; send it back.
   */
  routeRequest: {
    [k: string]: JsonValue;
  };
}
/**
 * A warning beside an answer.
 */
export interface QuoteWarning {
  code:
    | (
        | "INTEGRATOR_SOLANA_WALLET_NOT_ACTIVATED_FEE_SKIPPED"
        | "INTEGRATOR_WALLET_NOT_CONFIGURED_FEE_SKIPPED"
        | "SOLANA_SYSTEM_ACCOUNT_SKIPPED"
        | "SOLANA_INSUFFICIENT_BALANCE"
        | "SOLANA_SIMULATION_FAILED"
      )
    | (string & {});
  message: string;
}
/**
 * What the wallet signs and sends.
 */
export interface StepTransaction {
  to: string;
  value: string;
  data: string;
  gas?: GasEstimation;
  transactionSize?: TransactionSize;
}
/**
 * `gasPrice`, or the pair of EIP-1559, never both; the limit was sufficient in a simulation.
 */
export interface GasEstimation {
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  gasLimit?: string;
}
/**
 * Size of a Solana transaction in bytes, and of its base64 in characters.
 */
export interface TransactionSize {
  raw: number;
  encoded: number;
}
/**
 * ONCHAIN only: the pools that are traded with. Beyond the contract.
 */
export interface Liquidity {
  block: LiquidityBlock;
  /**
   * Integer in the token's smallest unit.
   */
  inputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount: string;
  /**
   * The output less the gas of its hops, in its own token.
   */
  netOutputAmount: string;
  bound: LiquidityBound;
  netBound: LiquidityBound1;
  /**
   * In the order of their execution.
   */
  hops: LiquidityHop[];
}
/**
 * The block whose state the amounts are exact for.
 */
export interface LiquidityBlock {
  number: number;
  hash: string;
}
/**
 * Of the output.
 */
export interface LiquidityBound {
  /**
   * Integer in the token's smallest unit.
   */
  amount: string;
  /**
   * In basis points, rounded up to four places.
   */
  gapBps: number;
}
/**
 * Of the output less gas.
 */
export interface LiquidityBound1 {
  /**
   * Integer in the token's smallest unit.
   */
  amount: string;
  /**
   * In basis points, rounded up to four places.
   */
  gapBps: number;
}
/**
 * The input and output of one pool.
 */
export interface LiquidityHop {
  /**
   * Whose pool it is.
   */
  source: string;
  /**
   * The pool's design; new ones may join.
   */
  kind: string;
  /**
   * Its address, or its ID where one contract has many pools.
   */
  pool: string;
  /**
   * Share of its input that the pool keeps: 0.0005 is 0.05 %.
   */
  fee: string;
  tokenIn: LiquidityToken;
  tokenOut: LiquidityToken;
  /**
   * Integer in the token's smallest unit.
   */
  amountIn: string;
  /**
   * Integer in the token's smallest unit.
   */
  amountOut: string;
  /**
   * The part of all of `tokenIn` that goes through this pool.
   */
  share: string;
}
/**
 * A token between two pools, or at either end; native assets are wrapped before they are traded.
 */
export interface LiquidityToken {
  address: string;
  symbol?: string;
  decimals?: number;
}
/**
 * What one adapter does within a step's transaction.
 */
export interface IncludedStep {
  type: StepType;
  /**
   * An adapter's key, as `GET /v1/tools` lists them; new ones may be added.
   */
  tool: string;
  fromToken: StepToken;
  toToken: StepToken;
  /**
   * Integer in the token's smallest unit.
   */
  fromAmount: string;
  /**
   * As it was quoted; no guarantee.
   */
  toAmount: string;
}
/**
 * A chain.
 */
export interface Chain {
  key: string;
  name: string;
  chainType: ChainType;
  id: number;
  idHex: string;
  mainnet: boolean;
  /**
   * The token list's, otherwise a generated image.
   */
  logoURI: string;
  tokenlistUrl?: string;
  multicallAddress?: string;
  /**
   * Public endpoints.
   */
  rpcUrls: string[];
  /**
   * The explorer's address.
   */
  blockExplorerUrls?: string;
  nativeToken: NativeToken;
  /**
   * Whether the service has a node of the chain and can quote from it. Beyond the contract.
   */
  served: boolean;
  /**
   * The service's contract, which wallets approve; absent if there is none.
   */
  RhumblineDiamond?: string;
}
/**
 * A chain's native asset.
 */
export interface NativeToken {
  address: string;
  decimals: number;
  symbol: string;
  chainId: number;
  /**
   * The same for the same asset on every chain; the symbol if no list has one.
   */
  coinKey: string;
  name: string;
  /**
   * The token list's, otherwise a generated image.
   */
  logoURI: string;
}
/**
 * The known chains.
 */
export interface ChainList {
  chains: Chain[];
}
/**
 * How far a chain has been followed, as its leader wrote to the store a few seconds ago.
 */
export interface ChainState {
  /**
   * The process that follows the chain; null if none does.
   */
  leader: string | null;
  /**
   * The newest block, on Solana slot, of the leader's node.
   */
  head: number | null;
  /**
   * How many blocks are not read yet.
   */
  behind: number | null;
  /**
   * Seconds since either last changed.
   */
  stillFor: number | null;
}
/**
 * Transactions that were seen on chain, and what was measured there of those that brought what was bought.
 */
export interface ExecutionCounts {
  executed: number;
  completed: number;
  failed: number;
  senders: number;
  measured: number;
  /**
   * Median of delivered less quoted, in ten-thousandths of the quoted amount.
   */
  deviationBps: string | null;
  /**
   * Median of what the bridge had estimated.
   */
  promisedSeconds: number | null;
  /**
   * Median of what the same transfers took.
   */
  takenSeconds: number | null;
}
/**
 * The process answers.
 */
export interface Health {
  status: "ok" | string;
}
/**
 * A request for quotes, routes or a step, and how it was answered. `status` 0: the client had left before.
 */
export interface KeptRequest {
  requestId: string;
  endpoint: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  timestamp: string;
  durationMs: number;
  status: number;
  code?: string;
  message?: string;
  transactionId?: string;
  asked?: RequestedQuote;
  answers: RequestAnswer[];
  parts: RequestPart[];
}
/**
 * What was asked for, without wallets.
 */
export interface RequestedQuote {
  originChainId: number;
  destinationChainId: number;
  originCurrency: string;
  destinationCurrency: string;
  /**
   * Integer in the token's smallest unit.
   */
  amount: string;
  order: string;
  slippage?: string;
  autoSlippage: boolean;
  fee?: string;
  includeExchanges?: string[];
  includeBridges?: string[];
  excludeExchanges: string[];
  excludeBridges: string[];
  tradeType?: string;
}
/**
 * An answered route; plans have no transaction yet.
 */
export interface RequestAnswer {
  adapters: string[];
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  minOutputAmount: string;
  transactionId?: string;
}
/**
 * What was asked of adapters for one pair of tokens: the request's own, or a leg's of a longer route.
 */
export interface RequestPart {
  originToken: RequestToken;
  destinationToken: RequestToken;
  /**
   * Integer in the token's smallest unit.
   */
  amount: string;
  chosen?: string;
  adapters: AdapterOutcome[];
}
/**
 * A token of the request.
 */
export interface RequestToken {
  chainId: number;
  address: string;
  symbol: string;
  decimals: number;
}
/**
 * The requests under one ID, the newest first: clients choose IDs themselves, so there may be several.
 */
export interface KeptRequests {
  requests: KeptRequest[];
}
/**
 * A plan over pools, exact for one block. Amounts are of the plan: after fees, and before any simulation.
 */
export interface Liquidity1 {
  block: LiquidityBlock;
  /**
   * Integer in the token's smallest unit.
   */
  inputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount: string;
  /**
   * The output less the gas of its hops, in its own token.
   */
  netOutputAmount: string;
  bound: LiquidityBound;
  netBound: LiquidityBound1;
  /**
   * In the order of their execution.
   */
  hops: LiquidityHop[];
}
/**
 * The upper bound of all plans over the same pools, and how far below it this plan is.
 */
export interface LiquidityBound2 {
  /**
   * Integer in the token's smallest unit.
   */
  amount: string;
  /**
   * In basis points, rounded up to four places.
   */
  gapBps: number;
}
/**
 * The list's semantic version.
 */
export interface ListVersion {
  major: number;
  minor: number;
  patch: number;
}
/**
 * A token in the form of the Token Lists schema.
 */
export interface ListedToken {
  chainId: number;
  address: string;
  name: string;
  decimals: number;
  symbol: string;
  /**
   * The token list's, otherwise a generated image.
   */
  logoURI: string;
}
/**
 * An endpoint that was just added.
 */
export interface NewWebhook {
  id: string;
  url: string;
  /**
   * Which events are sent.
   */
  events: (
    | (
        | "transaction.seen"
        | "transaction.status"
        | "transaction.final"
        | "transaction.updated"
        | "transaction.withdrawn"
      )
    | (string & {})
  )[];
  /**
   * Whether anything is sent to it.
   */
  enabled: boolean;
  /**
   * Why it was switched off.
   */
  offReason: string | null;
  offAt: string | null;
  /**
   * Since when it has taken nothing.
   */
  failingSince: string | null;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  createdAt: string;
  /**
   * `whsec_…`, the key of the signatures; it is not shown again.
   */
  secret: string;
}
/**
 * A StandardError with the dependencies.
 */
export interface NotReady {
  /**
   * The HTTP status.
   */
  statusCode: number;
  code:
    | (
        | "NO_AVAILABLE_QUOTES"
        | "AMOUNT_TOO_LOW"
        | "WRONG_ADDRESS"
        | "RATE_LIMIT"
        | "SLIPPAGE_EXCEEDED"
        | "ADAPTER_BAD_REQUEST"
        | "ADAPTER_UNAUTHORIZED"
        | "ADAPTER_INTERNAL"
        | "VALIDATION_ERROR"
        | "NOT_FOUND"
        | "UNKNOWN"
      )
    | (string & {});
  message: string;
  /**
   * Further data; a validation error lists every fault in `details.message`.
   */
  details?:
    | string
    | string[]
    | {
        /**
         * Every fault, or every adapter's reason.
         */
        message?: string | string[];
        /**
         * With 401: `API_KEY_MISSING` or `API_KEY_INVALID`. With 403: `INTEGRATOR_MISMATCH`, `API_KEY_SCOPE`, `API_KEY_ORIGIN` or `API_KEY_ADDRESS`.
         */
        errorCode?: string;
        /**
         * Without a quote: each adapter, and why it has none.
         */
        adapters?: {
          adapter: string;
          /**
           * `no_route`, `below_minimum`, `slippage`, `bad_request`, `unauthorized`, `transient`, `reverted`, `refused`, `failed`, `unsupported`, `excluded` or `disabled`; new ones may be added.
           */
          kind: string;
          reason: string;
          /**
           * The adapter's minimum, before fees.
           */
          minimum?: string;
        }[];
        /**
         * With `AMOUNT_TOO_LOW`: an amount before fees for which there was an executable quote.
         */
        minimum?: string;
        /**
         * With 500: the request's name in the service's log.
         */
        requestId?: string;
        /**
         * Of `/health/ready`: each dependency and its state.
         */
        dependencies?: {
          [k: string]: string;
        };
        code?: string | number;
        status?: string | number;
      };
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  timestamp: string;
  /**
   * The request's target.
   */
  path?: string;
  status: "unavailable" | string;
  /**
   * Each dependency by name: `ok`, its fault, or `degraded` and why if only some requests need it.
   */
  dependencies: {
    [k: string]: string;
  };
  /**
   * This process's name among the leaders; new at each start.
   */
  process: string;
  /**
   * Each served chain by its key.
   */
  chains: {
    [k: string]: ChainState;
  };
}
/**
 * About what an amount would bring. No quote: nothing was built or simulated, and nobody guarantees it.
 */
export interface PairPrice {
  indicative: true;
  /**
   * Integer in the token's smallest unit.
   */
  inputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount: string;
  /**
   * Whole destination tokens for a whole origin token.
   */
  rate: string;
  /**
   * `POOLS`: what pools of the chain would pay now, less the service's fee. `PRICES`: both tokens' cached prices in USD, less that fee: without costs and price impact of any exchange or bridge.
   */
  source: ("POOLS" | "PRICES") | (string & {});
  originToken: StepToken;
  destinationToken: StepToken;
  /**
   * When it was computed; it may be a second old.
   */
  at: string;
}
/**
 * A posted step: as in the answer, or as another service's client has it. Nothing in it is trusted.
 */
export interface PostedStep {
  /**
   * The route's ID, a colon and the step's number.
   */
  id: string;
  routeId: string;
  type: ("swap" | "bridge") | (string & {});
  /**
   * An adapter's key of `GET /v1/tools`; new keys may be added.
   */
  tool: string;
  action: {
    fromChainId: number;
    toChainId: number;
    fromToken: {
      address: string;
      symbol?: string;
      decimals?: number;
      chainId?: number;
    };
    toToken: {
      address: string;
      symbol?: string;
      decimals?: number;
      chainId?: number;
    };
    fromAmount: string;
    slippage?: number;
    slippageMode?: "auto" | string;
    /**
     * As in the answer. Beyond the contract.
     */
    destinationGas?: string;
    /**
     * As in the answer. Beyond the contract.
     */
    destinationCall?: {
      target: string;
      calldata: string;
      gas?: number;
      fallbackAddress?: string;
    };
    /**
     * `context.senderAddress`, if given.
     */
    fromAddress?: string;
    /**
     * Who gets the tokens back on the origin, as in the answer.
     */
    refundTo?: string;
    /**
     * One of the two wallets of `context`; the final receiver if omitted.
     */
    toAddress?: string;
  };
  estimate: {
    /**
     * As in `action`.
     */
    fromAmount: string;
    toAmount: string;
    /**
     * Not more than `toAmount`.
     */
    toAmountMin: string;
    /**
     * `total` and `breakdown`, as in the answer.
     */
    fees: {};
  };
  execution: {
    /**
     * Whether this step takes the fees of the route.
     */
    applyFee: boolean;
    /**
     * If true, `context.previousStepReceivedAmount` is required.
     */
    requiresPreviousStepAmount?: boolean;
    /**
     * As in the answer: it contains the proof that an earlier step has taken the fees.
     */
    routeRequest?: {};
  };
  integrator?: string;
  fee?: number;
}
/**
 * Price snapshots in the order of the request.
 */
export interface PriceList {
  prices: TokenPriceResult[];
}
/**
 * The cached price of one whole token in USD; without `priceUSD` if none is known.
 */
export interface TokenPriceResult {
  chainId: number;
  /**
   * The token's address.
   */
  token: string;
  priceUSD?: string;
  source?: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  updatedAt?: string;
  /**
   * The cached value is older than its freshness window.
   */
  stale: boolean;
  tier: PriceTier;
  /**
   * A refresh is scheduled or running.
   */
  refreshing: boolean;
}
/**
 * A transaction's status, and what arrived.
 */
export interface PublicStatus {
  id: string;
  transactionId: string | null;
  sourceTxHash: string;
  destTxHash: string | null;
  status: TransferState;
  substatus: string | null;
  statusSource: StatusSource;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  updatedAt: string;
  outputToken: TrackedToken | null;
  outputAmountRaw: string | null;
  /**
   * Who gets refunds on the origin, if the request named it.
   */
  refundTo?: string;
}
/**
 * An amount of a token.
 */
export interface TrackedToken {
  chainId: number;
  address: string;
  symbol: string;
  /**
   * Integer in the token's smallest unit.
   */
  amountRaw: string;
  amountFormatted: string;
  decimals: number;
  amountUsd: string | null;
}
/**
 * An adapter's offer: nothing is built or simulated yet, and the fees do not include gas.
 */
export interface QuoteEvent {
  /**
   * An adapter's key, as `GET /v1/tools` lists them; new ones may be added.
   */
  adapter: string;
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  minOutputAmount: string;
  fees: ParsedFees;
  estimatedTimeSec?: number;
  /**
   * With `tradeType=EXACT_OUTPUT` only. Beyond the contract.
   */
  inputAmount?: string;
}
/**
 * The best executable route.
 */
export interface QuoteResponse {
  /**
   * When the transaction must be mined.
   */
  expiresAt?: string;
  /**
   * Solana: above this block height the transaction can never be executed.
   */
  lastValidBlockHeight?: number;
  /**
   * EVM, tokens only: transactions to send first, in order, for exactly the amount.
   */
  approvals?: QuoteCalldata[];
  /**
   * EVM: approvals and transaction, in the form of `calls` of `wallet_sendCalls` (EIP-5792).
   */
  calls?: QuoteCalldata[];
  permit?: PermitOffer;
  /**
   * Share of the value that the trade loses: 0.0012 is 0.12 %; negative for a gain.
   */
  priceImpact?: string;
  /**
   * What this service cannot check or enforce, so that somebody has to be trusted for it.
   */
  trustAssumptions?: string[];
  solana?: SolanaTransaction1;
  destinationGas?: DestinationGas;
  /**
   * What is sent: the requested amount, or that for an output.
   */
  inputAmount: string;
  /**
   * The receiver's estimated output, after all fees.
   */
  outputAmount: string;
  /**
   * The minimum output: enforced on chain; across chains guaranteed by the bridge.
   */
  minOutputAmount?: string;
  /**
   * Bridge routes only.
   */
  estimatedTimeSec?: number;
  /**
   * The adapter; new keys may be added.
   */
  adapter:
    | (
        | "ACROSS"
        | "RELAY"
        | "GASZIP"
        | "OPENOCEAN"
        | "JUPITER"
        | "SYMBIOSIS"
        | "MAYAN"
        | "MAYAN_WORMHOLE"
        | "MAYAN_SWIFT"
        | "MAYAN_MCTP"
        | "MAYAN_FAST_MCTP"
        | "OKX"
        | "RISE"
        | "NORDSTERN"
        | "KYBERSWAP"
        | "DFLOW"
        | "NEAR_INTENTS"
        | "ONCHAIN"
      )
    | (string & {});
  /**
   * The ID for the tracking endpoints.
   */
  transactionId: string;
  calldata: QuoteCalldata;
  fees: ParsedFees;
  gas?: GasEstimation;
  warnings?: QuoteWarning[];
  /**
   * The spender to approve for the input token.
   */
  approvalAddress?: string;
  transactionSize?: TransactionSize;
  /**
   * Bridge routes only: provider, url of the transfer's page, transferId if known.
   */
  bridgeScan?: {
    [k: string]: JsonValue;
  };
  simulation?: Simulation;
  usd?: QuoteUsd;
  liquidity?: Liquidity2;
  /**
   * Who gets the tokens back, if the request names it. Beyond the contract.
   */
  refundTo?: string;
  /**
   * With `explain` only: what `rhumbline quote --explain` recomputes. Beyond the contract.
   */
  explanation?: {
    [k: string]: JsonValue;
  };
  /**
   * With `tradeType=EXACT_OUTPUT` only: how much more than asked for is expected. Beyond the contract.
   */
  expectedSurplus?: string;
}
/**
 * With `priority`, `jitoTip` or `feePayer` only: what was chosen. Beyond the contract.
 */
export interface SolanaTransaction1 {
  /**
   * For the signatures and the priority, at most.
   */
  networkFee: string;
  /**
   * The part of it for priority, at most.
   */
  priorityFee: string;
  /**
   * All who sign, in the order of their signatures.
   */
  signers: string[];
  /**
   * Integer in the token's smallest unit.
   */
  jitoTip?: string;
  jitoTipAccount?: string;
  feePayer?: string;
  /**
   * The most by which the fee payer's balance falls: network fee, tip, and rent.
   */
  feePayerCost?: string;
}
/**
 * Cached prices of both tokens.
 */
export interface QuoteUsd {
  originCurrency: TokenPriceResult;
  destinationCurrency: TokenPriceResult;
}
/**
 * ONCHAIN only: the pools that are traded with. Beyond the contract.
 */
export interface Liquidity2 {
  block: LiquidityBlock;
  /**
   * Integer in the token's smallest unit.
   */
  inputAmount: string;
  /**
   * Integer in the token's smallest unit.
   */
  outputAmount: string;
  /**
   * The output less the gas of its hops, in its own token.
   */
  netOutputAmount: string;
  bound: LiquidityBound;
  netBound: LiquidityBound1;
  /**
   * In the order of their execution.
   */
  hops: LiquidityHop[];
}
/**
 * Everything that all requests need is available.
 */
export interface Readiness {
  status: "ok" | string;
  /**
   * Each dependency by name: `ok`, its fault, or `degraded` and why if only some requests need it.
   */
  dependencies: {
    [k: string]: string;
  };
  /**
   * This process's name among the leaders; new at each start.
   */
  process: string;
  /**
   * Each served chain by its key.
   */
  chains: {
    [k: string]: ChainState;
  };
}
/**
 * Why an adapter offers nothing.
 */
export interface RefusalEvent {
  /**
   * An adapter's key, as `GET /v1/tools` lists them; new ones may be added.
   */
  adapter: string;
  /**
   * As in `details.adapters` of an error.
   */
  kind: string;
  reason: string;
}
/**
 * Requests that were counted; ``refusals`` are the reasons for which the adapter gave nothing, without zeros.
 */
export interface RequestCounts {
  asked: number;
  answered: number;
  built: number;
  won: number;
  refusals: {
    [k: string]: number;
  };
}
/**
 * Routes, best first.
 */
export interface RoutesResponse {
  routes: AdvancedRoute[];
}
/**
 * One adapter on one pair of chains, on one day (UTC); ``day`` is null for all days of the answer together.
 */
export interface ScorecardEntry {
  day: string | null;
  adapter: string;
  sourceChainId: number;
  destChainId: number;
  requests: RequestCounts;
  executions: ExecutionCounts;
}
/**
 * The newest day first; ``mostCostBps`` is the most that a track record costs in the ranking, 0 for nothing.
 */
export interface ScorecardList {
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  readAt: string;
  /**
   * False if there are more than are told: ask for less.
   */
  complete: boolean;
  scorecards: ScorecardEntry[];
  mostCostBps: string;
  trackRecords: TrackRecordEntry[];
}
/**
 * What an adapter's measured transactions of the last thirty days cost it in the ranking of recommended answers.
 */
export interface TrackRecordEntry {
  adapter: string;
  sourceChainId: number;
  destChainId: number;
  senders: number;
  valueUsd: string;
  shortfallBps: string;
  lateSeconds: number;
  costBps: string;
}
/**
 * A public key as a JSON Web Key (RFC 8037).
 */
export interface SigningKeyEntry {
  crv: "Ed25519" | string;
  kty: "OKP" | string;
  x: string;
  kid: string;
  use: "sig" | string;
}
/**
 * A JSON Web Key Set (RFC 7517).
 */
export interface SigningKeySet {
  keys: SigningKeyEntry[];
}
/**
 * What was chosen for a transaction on Solana, and what it costs; amounts in lamports.
 */
export interface SolanaTransaction2 {
  /**
   * For the signatures and the priority, at most.
   */
  networkFee: string;
  /**
   * The part of it for priority, at most.
   */
  priorityFee: string;
  /**
   * All who sign, in the order of their signatures.
   */
  signers: string[];
  /**
   * Integer in the token's smallest unit.
   */
  jitoTip?: string;
  jitoTipAccount?: string;
  feePayer?: string;
  /**
   * The most by which the fee payer's balance falls: network fee, tip, and rent.
   */
  feePayerCost?: string;
}
/**
 * The body of every error.
 */
export interface StandardError {
  /**
   * The HTTP status.
   */
  statusCode: number;
  code:
    | (
        | "NO_AVAILABLE_QUOTES"
        | "AMOUNT_TOO_LOW"
        | "WRONG_ADDRESS"
        | "RATE_LIMIT"
        | "SLIPPAGE_EXCEEDED"
        | "ADAPTER_BAD_REQUEST"
        | "ADAPTER_UNAUTHORIZED"
        | "ADAPTER_INTERNAL"
        | "VALIDATION_ERROR"
        | "NOT_FOUND"
        | "UNKNOWN"
      )
    | (string & {});
  message: string;
  /**
   * More, by the kind of error.
   */
  details?: {
    [k: string]: unknown;
  };
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  timestamp: string;
  /**
   * The request's target.
   */
  path?: string;
}
/**
 * What happened to a transaction, for whoever has its ID.
 */
export interface StatusEvent {
  type:
    | (
        | "transaction.seen"
        | "transaction.status"
        | "transaction.final"
        | "transaction.updated"
        | "transaction.withdrawn"
      )
    | (string & {});
  /**
   * Grows in the order of what happened, also across transactions.
   */
  number: number;
  /**
   * When it happened.
   */
  timestamp: string;
  data: PublicStatus1;
}
/**
 * As `GET /v1/status/{transactionId}` answers now.
 */
export interface PublicStatus1 {
  id: string;
  transactionId: string | null;
  sourceTxHash: string;
  destTxHash: string | null;
  status: TransferState;
  substatus: string | null;
  statusSource: StatusSource;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  updatedAt: string;
  outputToken: TrackedToken | null;
  outputAmountRaw: string | null;
  /**
   * Who gets refunds on the origin, if the request named it.
   */
  refundTo?: string;
}
/**
 * A token with its cached price.
 */
export interface Token {
  address: string;
  symbol: string;
  decimals: number;
  chainId: number;
  name: string;
  /**
   * The same for the same asset on every chain; the symbol if no list has one.
   */
  coinKey: string;
  priceUSD?: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  priceUpdatedAt?: string;
  priceSource?: string;
  priceStale: boolean;
  priceTier: PriceTier;
  /**
   * The token list's, otherwise a generated image.
   */
  logoURI: string;
}
/**
 * A chain's listed tokens in the standard form of token lists.
 */
export interface TokenList {
  name: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  timestamp: string;
  version: ListVersion;
  tokens: ListedToken[];
}
/**
 * Tokens under their chain's ID.
 */
export interface TokensByChain {
  [k: string]: Token[];
}
/**
 * An adapter that can quote with the present settings.
 */
export interface Tool {
  /**
   * An adapter's key, as `GET /v1/tools` lists them; new ones may be added.
   */
  key: string;
  name: string;
  logoURI: string;
  /**
   * Chain IDs.
   */
  supportedChains: string[];
}
/**
 * Adapters that do both are in both lists.
 */
export interface ToolList {
  exchanges: Tool[];
  bridges: Tool[];
}
/**
 * A paid fee.
 */
export interface TrackedFee {
  /**
   * The token's symbol; the address of an unlisted one.
   */
  token: string;
  /**
   * Integer in the token's smallest unit.
   */
  amountRaw: string;
  amountFormatted: string;
  decimals: number;
  amountUsd: string | null;
}
/**
 * An executed transaction.
 */
export interface TrackedTransaction {
  id: string;
  transactionId: string | null;
  sourceTxHash: string;
  destTxHash: string | null;
  /**
   * The slot on Solana.
   */
  sourceBlockNumber: number;
  /**
   * The index of the tracking instruction on Solana; null if a wallet called a bridge itself.
   */
  sourceLogIndex: number | null;
  sourceChainId: number;
  destChainId: number | null;
  canonicalSourceChainId: number;
  canonicalDestChainId: number | null;
  protocolRawSourceChainId: number | null;
  protocolRawDestChainId: number | null;
  sourceNetwork: string;
  destNetwork: string | null;
  /**
   * Legacy alias of `sourceBlockTimestamp`.
   */
  date: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  sourceBlockTimestamp: string;
  destinationBlockTimestamp: string | null;
  sender: string | null;
  receiver: string | null;
  integrator: string | null;
  /**
   * An adapter key, or `GENERIC_SWAP`; new values may be added.
   */
  protocol: string;
  routeType: RouteType;
  hasDestCall: boolean;
  inputToken: TrackedToken | null;
  outputToken: TrackedToken | null;
  sourceGasFee: TrackedFee | null;
  destinationGasFee: TrackedFee | null;
  integratorFee: TrackedFee | null;
  rhumblineFee?: TrackedFee | null;
  status: TransferState;
  substatus: string | null;
  statusSource: StatusSource;
  bridgeScanUrl: string | null;
  rawBridgeStatus: {
    [k: string]: JsonValue;
  } | null;
  lastReceiptCheckedAt: string | null;
  lastBridgeCheckedAt: string | null;
  lastBridgeSuccessCheckedAt: string | null;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  createdAt: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  updatedAt: string;
}
/**
 * What happened to a transaction.
 */
export interface TransactionEvent {
  type:
    | (
        | "transaction.seen"
        | "transaction.status"
        | "transaction.final"
        | "transaction.updated"
        | "transaction.withdrawn"
      )
    | (string & {});
  /**
   * Grows in the order of what happened, also across transactions.
   */
  number: number;
  /**
   * When it happened.
   */
  timestamp: string;
  data: TrackedTransaction1;
}
/**
 * As `GET /v1/transactions/{id}` answers now; of a withdrawn one, as it was.
 */
export interface TrackedTransaction1 {
  id: string;
  transactionId: string | null;
  sourceTxHash: string;
  destTxHash: string | null;
  /**
   * The slot on Solana.
   */
  sourceBlockNumber: number;
  /**
   * The index of the tracking instruction on Solana; null if a wallet called a bridge itself.
   */
  sourceLogIndex: number | null;
  sourceChainId: number;
  destChainId: number | null;
  canonicalSourceChainId: number;
  canonicalDestChainId: number | null;
  protocolRawSourceChainId: number | null;
  protocolRawDestChainId: number | null;
  sourceNetwork: string;
  destNetwork: string | null;
  /**
   * Legacy alias of `sourceBlockTimestamp`.
   */
  date: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  sourceBlockTimestamp: string;
  destinationBlockTimestamp: string | null;
  sender: string | null;
  receiver: string | null;
  integrator: string | null;
  /**
   * An adapter key, or `GENERIC_SWAP`; new values may be added.
   */
  protocol: string;
  routeType: RouteType;
  hasDestCall: boolean;
  inputToken: TrackedToken | null;
  outputToken: TrackedToken | null;
  sourceGasFee: TrackedFee | null;
  destinationGasFee: TrackedFee | null;
  integratorFee: TrackedFee | null;
  rhumblineFee?: TrackedFee | null;
  status: TransferState;
  substatus: string | null;
  statusSource: StatusSource;
  bridgeScanUrl: string | null;
  rawBridgeStatus: {
    [k: string]: JsonValue;
  } | null;
  lastReceiptCheckedAt: string | null;
  lastBridgeCheckedAt: string | null;
  lastBridgeSuccessCheckedAt: string | null;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  createdAt: string;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  updatedAt: string;
}
/**
 * One page, newest first.
 */
export interface TransactionList {
  transactions: TrackedTransaction[];
  nextCursor: string | null;
}
/**
 * A transaction's status.
 */
export interface TransactionStatus {
  id: string;
  transactionId: string | null;
  sourceTxHash: string;
  destTxHash: string | null;
  status: TransferState;
  substatus: string | null;
  statusSource: StatusSource;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  updatedAt: string;
}
/**
 * An endpoint.
 */
export interface WebhookAnswer {
  id: string;
  url: string;
  /**
   * Which events are sent.
   */
  events: (
    | (
        | "transaction.seen"
        | "transaction.status"
        | "transaction.final"
        | "transaction.updated"
        | "transaction.withdrawn"
      )
    | (string & {})
  )[];
  /**
   * Whether anything is sent to it.
   */
  enabled: boolean;
  /**
   * Why it was switched off.
   */
  offReason: string | null;
  offAt: string | null;
  /**
   * Since when it has taken nothing.
   */
  failingSince: string | null;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  createdAt: string;
}
/**
 * One attempt of a delivery.
 */
export interface WebhookAttempt {
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  at: string;
  /**
   * What the endpoint answered; null without an answer.
   */
  status: number | null;
  error: string | null;
  ms: number;
}
/**
 * An endpoint's deliveries, newest first.
 */
export interface WebhookDeliveries {
  deliveries: WebhookDeliveryAnswer[];
}
/**
 * One event for one endpoint.
 */
export interface WebhookDeliveryAnswer {
  id: number;
  /**
   * The event's; null for a test.
   */
  number: number | null;
  type: string;
  /**
   * `pending`, `delivered`, `failed`, `skipped`.
   */
  state: string;
  nextAttemptAt: string | null;
  /**
   * ISO 8601 in UTC, with milliseconds.
   */
  createdAt: string;
  attempts: WebhookAttempt[];
}
/**
 * The integrator's endpoints, oldest first.
 */
export interface WebhookList {
  webhooks: WebhookAnswer[];
}
/**
 * An endpoint that was removed.
 */
export interface WebhookRemoved {
  id: string;
}
/**
 * An endpoint's new secret.
 */
export interface WebhookSecret {
  id: string;
  /**
   * `whsec_…`, the key of the signatures; it is not shown again.
   */
  secret: string;
}
