// The service's API: no key, no cookies.

import type { Call, Gas, Permit } from "./calls.ts";
import type { ActionExtras, Extras, PairPrice, Proof } from "./extras.ts";
import type { PoolPlan } from "./pool-plan.ts";
import { type Allowance, type Check, Transport } from "./transport.ts";

export { type AdapterRefusal, ApiError } from "./api-error.ts";
export type { Call, Gas } from "./calls.ts";
export type { Allowance } from "./transport.ts";

export type ChainType = "EVM" | "SVM";

export interface Token {
  address: string;
  symbol: string;
  name: string;
  decimals: number;
  chainId: number;
  priceUSD?: string;
  logoURI?: string;
  unlisted?: boolean;
}

export interface Chain {
  id: number;
  idHex: string;
  key: string;
  name: string;
  mainnet?: boolean;
  /** Whether it can be paid from; older services do not say. */
  served?: boolean;
  chainType: ChainType;
  rpcUrls?: string[];
  blockExplorerUrls?: string;
  logoURI?: string;
  multicallAddress?: string;
  nativeToken: Token;
}

export interface Tool {
  key: string;
  name: string;
  supportedChains: string[];
}

export type Tools = Record<"exchanges" | "bridges", Tool[]>;

export interface Fee {
  type: string;
  amount: string;
  currencySymbol: string;
  currencyAddress: string;
  chainId: number;
  decimals: number;
  included?: boolean;
  amountUsd?: string;
  /** Who pays it, where that is not the sender. */
  paidBy?: string;
}

export interface Fees {
  total: Omit<Fee, "type">;
  breakdown: Fee[];
  totalUsd?: string;
}

export interface Simulation {
  executionStatus: string;
  outputValidation: string;
  simulatedOutputAmount?: string;
  deviation?: { percent: string };
  gasUsed?: string;
  reason?: string;
  latencyMs: number;
}

export type StepToken = Pick<Token, "address" | "symbol" | "decimals" | "chainId">;

/** What one tool does: a swap, or a transfer to another chain. */
export interface Deed {
  type: "swap" | "bridge";
  tool: string;
  fromToken: StepToken;
  toToken: StepToken;
  fromAmount: string;
  toAmount: string;
}

export interface Step {
  id: string;
  type: "swap" | "bridge";
  tool: string;
  action: {
    fromChainId: number;
    toChainId: number;
    fromToken: StepToken;
    toToken: StepToken;
    fromAmount: string;
    fromAddress: string;
    toAddress: string;
  } & ActionExtras;
  estimate: {
    fromAmount: string;
    toAmount: string;
    toAmountMin: string;
    fees: Fees;
    estimatedTimeSec?: number;
    approvalAddress?: string;
    simulation?: Simulation;
  };
  execution: { requiresPreviousStepAmount: boolean; quoteRequest: Record<string, unknown> };
  warnings?: { code: string; message: string }[];
  bridgeScan?: { url?: string };
  transactionId?: string;
  transactionRequest?: Call & { gas?: Gas };
  expiresAt?: string;
  lastValidBlockHeight?: number;
  approvals?: Call[];
  permit?: Permit;
  priceImpact?: string;
  trustAssumptions?: string[];
  destinationGas?: { minAmount: string };
  /** The pools that ONCHAIN trades with. */
  liquidity?: PoolPlan;
  /** What several tools do in this one transaction, in their order. */
  includedSteps?: Deed[];
}

export interface Route {
  id: string;
  inputAmount: string;
  outputAmount: string;
  minOutputAmount: string;
  fees: Fees;
  adapter: string;
  isMultistep: boolean;
  steps: Step[];
  tags: string[];
  estimatedTimeSec?: number;
  simulation?: Simulation;
  warnings?: { code: string; message: string }[];
  priceImpact?: string;
  trustAssumptions?: string[];
}

/** Keys of tools that may or may not be asked, with commas between. */
export type ToolFilters = { [Name in `${"include" | "exclude"}${"Exchanges" | "Bridges"}`]?: string };

export interface RouteQuery extends ToolFilters, Extras {
  senderAddress: string;
  receiverAddress?: string;
  originChainId: number;
  destinationChainId: number;
  originCurrency: string;
  destinationCurrency: string;
  amount: string;
  integrator?: string;
  fee?: number;
  slippage?: number;
  slippageMode?: "auto";
}

export interface Status {
  updatedAt?: string;
  transactionId: string | null;
  sourceTxHash: string | null;
  destTxHash: string | null;
  status: string;
  substatus?: string | null;
  outputToken: StepToken | null;
  outputAmountRaw: string | null;
}

export class Api {
  readonly base: string;
  private readonly transport: Transport;

  /** `check` is asked of each answer that a service signs; nothing is checked without it. */
  constructor(base: string, check?: Check) {
    this.base = base.replace(/\/+$/, "");
    this.transport = new Transport(this.base, check);
  }

  /** What is left of the public tier, as the last counted answer told. */
  get allowance(): Allowance | null {
    return this.transport.allowance;
  }

  /** Whether answers have to be signed. */
  get verifies(): boolean {
    return this.transport.verifies;
  }

  async chains(): Promise<Chain[]> {
    return (await this.transport.ask<{ chains: Chain[] }>("/v1/chains")).chains;
  }

  tools(): Promise<Tools> {
    return this.transport.ask("/v1/tools");
  }

  /** Returns what the service says of itself to pages: unchecked, and nothing where a proxy does not pass it on. */
  facts(): Promise<Record<string, unknown>> {
    return this.transport.ask<Record<string, unknown>>("/rhumbline-swap.json").catch(() => ({}));
  }

  /** Returns the tokens of chains, by their IDs. */
  tokens(chainIds: readonly number[]): Promise<Record<number, Token[]>> {
    return this.transport.ask(`/v1/tokens?chains=${chainIds.join()}`);
  }

  token(chainId: number, address: string, signal?: AbortSignal): Promise<Token> {
    return this.get("/v1/token", { chain: String(chainId), token: address }, signal);
  }

  async routes(query: RouteQuery, signal: AbortSignal): Promise<Route[]> {
    return (await this.post<{ routes: Route[] }>("/v1/advanced/routes", query, signal)).routes;
  }

  /** Asks about what an amount brings: no quote, and nothing that anybody guarantees. */
  about(query: RouteQuery, signal: AbortSignal): Promise<PairPrice> {
    const { originChainId, destinationChainId, originCurrency, destinationCurrency, amount } = query;
    const [from, to] = [String(originChainId), String(destinationChainId)];
    const asked = { originChainId: from, destinationChainId: to, originCurrency, destinationCurrency, amount };
    return this.get("/v1/prices/pair", asked, signal);
  }

  step(step: Step, context: Record<string, string | boolean>): Promise<Step> {
    return this.post("/v1/advanced/stepTransaction", { step, context });
  }

  /** Returns a step's answer as it came, with its signature; undefined where the service signs nothing. */
  proofOf(step: Step): Proof | undefined {
    return this.transport.proofs.get(step);
  }

  status(transactionId: string): Promise<Status> {
    return this.transport.ask(`/v1/status/${transactionId}`);
  }

  private get<T>(path: string, query: Record<string, string>, signal?: AbortSignal): Promise<T> {
    return this.transport.ask(`${path}?${new URLSearchParams(query)}`, { signal });
  }

  private post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.transport.ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  }
}
