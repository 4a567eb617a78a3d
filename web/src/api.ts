// The service's API: no key, no cookies.

import type { Call, Gas, Permit } from "./calls.ts";
import type { PoolPlan } from "./pool-plan.ts";
import { texts } from "./texts.ts";

export type { Call, Gas } from "./calls.ts";

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
    destinationGas?: string;
  };
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

export interface RouteQuery extends ToolFilters {
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
  tradeType?: "EXACT_OUTPUT";
  priority?: "low" | "medium" | "high";
  destinationGas?: "auto";
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

export interface Allowance {
  limit: number;
  left: number;
  resets: Date | null;
}

/** What one adapter said where none has a route. */
export interface AdapterRefusal {
  adapter: string;
  kind: string;
  reason: string;
  minimum?: string;
}

export interface Details {
  message?: string | string[];
  errorCode?: string;
  requestId?: string;
  minimum?: string;
  adapters?: AdapterRefusal[];
}

/**
 * What the API refused; `code` is "UNREACHABLE" where nothing answered and "MALFORMED" where it was no answer of the
 * API's.
 */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Details;
  /** When to ask again, in milliseconds of the page's clock. */
  readonly again: number | null;

  constructor(code: string, message: string, status = 0, details: Details = {}, again: number | null = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.again = again;
  }
}

const SLOW_MS = 30_000;

export class Api {
  /** What is left of the public tier, as the last counted answer told. */
  allowance: Allowance | null = null;
  readonly base: string;

  constructor(base: string) {
    this.base = base.replace(/\/+$/, "");
  }

  async chains(): Promise<Chain[]> {
    return (await this.ask<{ chains: Chain[] }>("/v1/chains")).chains;
  }

  tools(): Promise<Tools> {
    return this.ask("/v1/tools");
  }

  /** Returns what the service says of itself to pages: unchecked, and nothing where a proxy does not pass it on. */
  facts(): Promise<Record<string, unknown>> {
    return this.ask<Record<string, unknown>>("/rhumbline-swap.json").catch(() => ({}));
  }

  /** Returns the tokens of chains, by their IDs. */
  tokens(chainIds: readonly number[]): Promise<Record<number, Token[]>> {
    return this.ask(`/v1/tokens?chains=${chainIds.join()}`);
  }

  token(chainId: number, address: string, signal?: AbortSignal): Promise<Token> {
    return this.ask(`/v1/token?${new URLSearchParams({ chain: String(chainId), token: address })}`, { signal });
  }

  async routes(query: RouteQuery, signal: AbortSignal): Promise<Route[]> {
    return (await this.post<{ routes: Route[] }>("/v1/advanced/routes", query, signal)).routes;
  }

  step(step: Step, context: Record<string, string | boolean>): Promise<Step> {
    return this.post("/v1/advanced/stepTransaction", { step, context });
  }

  status(transactionId: string): Promise<Status> {
    return this.ask(`/v1/status/${transactionId}`);
  }

  private post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  }

  private async ask<T>(path: string, options: RequestInit = {}): Promise<T> {
    const patience = AbortSignal.timeout(SLOW_MS);
    const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(this.base + path, { ...options, signal, credentials: "omit" });
      body = await response.json().catch(() => null);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new ApiError(patience.aborted ? "SLOW" : "UNREACHABLE", texts.serviceSilent);
    }
    this.count(response.headers);
    if (response.ok && body !== null) return body as T;
    const { code, message, details } = (body ?? {}) as { code?: string; message?: string; details?: Details };
    const wait = Number(response.headers.get("retry-after"));
    const again = wait > 0 ? Date.now() + wait * 1000 : null;
    const given = details && typeof details === "object" ? details : {};
    throw new ApiError(
      code ?? "MALFORMED",
      message ?? texts.serviceAnswered(response.status),
      response.status,
      given,
      again,
    );
  }

  private count(headers: Headers): void {
    const [limit, left, resets] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    if (limit && left)
      this.allowance = { limit: Number(limit), left: Number(left), resets: resets ? new Date(resets) : null };
  }
}
