// What a route loses of its value by the prices that are known, and which losses have to be confirmed. Pure.

import { same } from "./addresses.ts";
import type { Fees, Route, Step, StepToken, Token } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import { dollars, lossBps, readDecimal } from "./money.ts";

/** From here on the page warns of a loss. */
export const WARN_BPS = 300;
/** From here on it has to be confirmed. */
export const YES_BPS = 1000;
/** All of the value: what is paid beside the input may come to more. */
export const ALL_BPS = 10_000;

export interface Loss {
  /** Hundredths of a percent of the value; null where no price is known. */
  bps: number | null;
  /** The same for the least that may arrive. */
  worst: number | null;
}

interface Sides {
  pay: { token: Token | null };
  get: { token: Token | null };
}
type Amounts = Pick<Route, "inputAmount" | "outputAmount" | "minOutputAmount" | "fees">;

/**
 * Sums what the sender pays beside the input, the network's fee first of all, in millionths of a dollar; null without
 * its prices.
 */
export function paidApart({ breakdown }: Fees): bigint | null {
  const apart = breakdown
    .filter(({ included, paidBy }) => included === false && !paidBy)
    .map(({ amountUsd }) => readDecimal(amountUsd, 6));
  return apart.includes(null) ? null : apart.reduce<bigint>((sum, usd) => sum + (usd ?? 0n), 0n);
}

/**
 * Returns how much of its value a route loses, what is paid beside it counted, by prices; by the price impact that a
 * step states where that is more.
 */
export function lossOf({ pay, get }: Sides, route: Amounts, step: Step | null): Loss {
  const before = pay.token && dollars(BigInt(route.inputAmount), pay.token.decimals, pay.token.priceUSD);
  const apart = paidApart(route.fees);
  const after = (raw: string): bigint | null => {
    const out = get.token && dollars(BigInt(raw), get.token.decimals, get.token.priceUSD);
    return out === null || apart === null ? null : out - apart;
  };
  const [out, least] = [after(route.outputAmount), after(route.minOutputAmount)];
  const stated = readDecimal(step?.priceImpact, 4);
  const impact = stated === null ? null : Number(stated);
  if (!before || out === null || least === null) return { bps: impact, worst: impact };
  const [bps, worst] = [lossBps(before, out), lossBps(before, least)];
  return { bps: Math.max(bps, impact ?? bps), worst: Math.max(worst, impact ?? worst) };
}

/** Returns the same for a step as it is before signing, whatever the form shows by then. */
export function lossOfStep(catalog: Catalog, step: Step): Loss {
  const token = ({ chainId, address }: StepToken): Token | null =>
    catalog.listed(chainId).find((each) => same(each.address, address)) ?? null;
  const { fromToken, toToken, fromAmount } = step.action;
  const { toAmount, toAmountMin, fees } = step.estimate;
  const sides = { pay: { token: token(fromToken) }, get: { token: token(toToken) } };
  return lossOf(sides, { inputAmount: fromAmount, outputAmount: toAmount, minOutputAmount: toAmountMin, fees }, step);
}

/**
 * Returns which share of the value is gone between what is paid and what comes, nothing beside them counted; null
 * without prices.
 */
export function changeOf({ pay, get }: Sides, { inputAmount, outputAmount }: Amounts): number | null {
  const before = pay.token && dollars(BigInt(inputAmount), pay.token.decimals, pay.token.priceUSD);
  const after = get.token && dollars(BigInt(outputAmount), get.token.decimals, get.token.priceUSD);
  return before && after !== null ? lossBps(before, after) : null;
}

/** Returns whether a loss has to be confirmed; so does one that is not known. */
export const needsYes = ({ bps, worst }: Loss): boolean => bps === null || bps >= YES_BPS || (worst ?? bps) >= YES_BPS;
