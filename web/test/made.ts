// Chains, tokens, steps and routes for tests.

import type { Chain, Route, Step, Token } from "../src/api.ts";
import type { Facts } from "../src/button.ts";
import type { Form } from "../src/form.ts";
import type { PoolHop, PoolPlan } from "../src/pool-plan.ts";

export const [A, B, T, U] = ["a", "b", "c", "d"].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];
export const NATIVE = `0x${"0".repeat(40)}`;

export const token = (symbol: string, changes: Partial<Token> = {}): Token => ({
  address: T,
  symbol,
  name: symbol,
  decimals: 6,
  chainId: 1,
  priceUSD: "1",
  ...changes,
});
export const chain = (changes: Partial<Chain> & Record<string, unknown> = {}): Chain =>
  ({
    id: 1,
    idHex: "0x1",
    key: "one",
    name: "One",
    chainType: "EVM",
    nativeToken: token("ETH", { address: NATIVE, decimals: 18 }),
    rhumblineDiamond: A,
    ...changes,
  }) as Chain;

export function step(changes: Record<string, unknown> = {}): Step {
  const side = { address: T, symbol: "USDC", decimals: 6, chainId: 1 };
  return {
    id: "r:0",
    type: "swap",
    tool: "ONCHAIN",
    action: {
      fromChainId: 1,
      toChainId: 1,
      fromToken: side,
      toToken: { ...side, address: U, symbol: "DAI" },
      fromAmount: "10000000",
      fromAddress: B,
      toAddress: B,
    },
    estimate: {
      fromAmount: "10000000",
      toAmount: "9990000",
      toAmountMin: "9950000",
      fees: { total: side, breakdown: [] },
      approvalAddress: A,
    },
    execution: { requiresPreviousStepAmount: false, quoteRequest: {} },
    transactionRequest: { to: A, value: "0x0", data: "0x12345678" },
    ...changes,
  } as unknown as Step;
}

export function route(changes: Partial<Route> = {}): Route {
  return {
    id: "r",
    inputAmount: "10000000",
    outputAmount: "9990000",
    minOutputAmount: "9950000",
    adapter: "ONCHAIN",
    isMultistep: false,
    steps: [step()],
    tags: [],
    fees: {
      total: { amount: "0", currencySymbol: "USDC", currencyAddress: T, chainId: 1, decimals: 6 },
      breakdown: [],
    },
    ...changes,
  };
}

export const form = (changes: Partial<Form> = {}): Form => ({
  pay: { chain: chain(), token: token("USDC") },
  get: { chain: chain(), token: token("DAI", { address: U }) },
  amount: "10",
  receiver: "",
  receiverShown: false,
  slippage: "",
  slippageOwn: false,
  priority: "",
  ...changes,
});

export function facts(changes: Partial<Facts> = {}): Facts {
  const routes = [changes.route ?? route()];
  return {
    ready: true,
    form: form(),
    account: { address: B, name: "W", chainType: "EVM", chainId: 1n },
    receiving: null,
    connections: { all: () => ["a wallet"] },
    balance: 10_000_000n,
    native: 10n ** 18n,
    search: { is: "answered", routes, at: 0 },
    route: routes[0] ?? null,
    warned: null,
    agreed: false,
    busy: "",
    endings: { blocks: false },
    ...changes,
  };
}

export const hop = (tokenIn: string, tokenOut: string, amountIn: number, amountOut = amountIn): PoolHop => ({
  source: "UNISWAP_V3",
  kind: "v3",
  pool: A,
  fee: "0.0005",
  tokenIn: { address: tokenIn, symbol: tokenIn, decimals: 0 },
  tokenOut: { address: tokenOut, symbol: tokenOut, decimals: 0 },
  amountIn: String(amountIn),
  amountOut: String(amountOut),
});

export const poolPlan = (hops: PoolHop[], changes: Partial<PoolPlan> = {}): PoolPlan => ({
  block: { number: 7 },
  inputAmount: "100",
  outputAmount: "100",
  netOutputAmount: "99",
  bound: { amount: "100", gapBps: 0.25 },
  netBound: { amount: "99", gapBps: 0.0001 },
  hops,
  ...changes,
});

/** Plans with up to 24 pools over up to six tokens, hops in the order of their execution; the same for every run. */
export function* manyPlans(count: number): Generator<PoolHop[]> {
  let seed = 11n;
  const below = (limit: number): number => {
    seed = (seed * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return Number((seed >> 33n) % BigInt(limit));
  };
  for (let turn = 0; turn < count; turn += 1) {
    const last = 1 + below(5);
    const holds = [1_000_000_000, ...Array.from({ length: last }, () => 0)];
    const hops: PoolHop[] = [];
    for (let from = 0; from < last; from += 1) {
      if (!holds[from]) continue;
      // Of 24 pools each of the tokens that is still to come keeps one.
      const pools = 1 + below(Math.min(8, 24 - hops.length - (last - from - 1)));
      for (let pool = 0; pool < pools; pool += 1) {
        const left = holds[from] ?? 0;
        const part = pool === pools - 1 ? left : below(left + 1);
        const to = from + 1 + below(last - from);
        hops.push(hop(`T${from}`, `T${to}`, part));
        holds[from] = left - part;
        holds[to] = (holds[to] ?? 0) + part;
      }
    }
    yield hops;
  }
}
