// The pools that an answer trades with, and which part of the input goes through each.

export interface PoolToken {
  address: string;
  symbol?: string;
  decimals?: number;
}

/** What one pool takes and gives. */
export interface PoolHop {
  /** Whose pool it is: UNISWAP_V3. */
  source: string;
  /** Its design: v3. */
  kind: string;
  /** Its address, or its ID where one contract has many pools. */
  pool: string;
  /** Share of its input that it keeps: 0.0005 is 0.05 %. */
  fee: string;
  tokenIn: PoolToken;
  tokenOut: PoolToken;
  amountIn: string;
  amountOut: string;
}

export interface PoolBound {
  amount: string;
  gapBps: number;
}

/** A plan over pools, exact for one block; hops in the order of their execution. */
export interface PoolPlan {
  block: { number: number };
  inputAmount: string;
  outputAmount: string;
  netOutputAmount: string;
  bound: PoolBound;
  netBound: PoolBound;
  hops: PoolHop[];
}

/** Shares are counted in tenths of a percent. */
export const WHOLE = 1000;

/** Divides a whole in proportion to weights, so that the parts add up to it exactly: the largest remainders gain. */
export function apportion(whole: number, weights: readonly bigint[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  if (sum <= 0n) return weights.map(() => 0);
  const parts = weights.map((weight) => Number((weight * BigInt(whole)) / sum));
  const left = whole - parts.reduce((total, part) => total + part, 0);
  const byRemainder = weights
    .map((weight, place) => ({ place, remainder: (weight * BigInt(whole)) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder > b.remainder ? -1 : 1));
  for (const { place } of byRemainder.slice(0, left)) parts[place] = (parts[place] ?? 0) + 1;
  return parts;
}

/**
 * Returns for each hop which part of all that is paid goes through it, in tenths of a percent: what a token brings is
 * divided among the hops that take it, so that the shown parts agree at every token.
 */
export function sharesOf(hops: readonly PoolHop[]): number[] {
  const shares = hops.map(() => 0);
  const brought = new Map([[hops[0]?.tokenIn.address, WHOLE]]);
  // Hops stand in the order of their execution: when a token is first spent, all of it has been brought.
  for (const token of new Set(hops.map(({ tokenIn }) => tokenIn.address))) {
    const takers = hops.flatMap(({ tokenIn }, place) => (tokenIn.address === token ? [place] : []));
    const weights = takers.map((place) => BigInt(hops[place]?.amountIn ?? "0"));
    const parts = apportion(brought.get(token) ?? 0, weights);
    takers.forEach((place, turn) => {
      const next = hops[place]?.tokenOut.address;
      shares[place] = parts[turn] ?? 0;
      brought.set(next, (brought.get(next) ?? 0) + (parts[turn] ?? 0));
    });
  }
  return shares;
}

/** Returns whether the gas is counted in how close to the best the plan is: not where it costs more than what comes. */
export const gasCounted = ({ netOutputAmount }: PoolPlan): boolean => BigInt(netOutputAmount) > 0n;
