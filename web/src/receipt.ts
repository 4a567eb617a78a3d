// What a transfer has brought and cost, once it has arrived. Pure.

import { same } from "./addresses.ts";
import type { Fee, Token } from "./api.ts";
import type { SideName } from "./form.ts";
import type { Leg, Transfer } from "./history.ts";
import { dollars, readDecimal } from "./money.ts";

/** What the network took of a leg, as the chain's receipt says: in raw units of the native token. */
export function networkFee({
  gasUsed,
  effectiveGasPrice,
  l1Fee,
}: Partial<Record<string, unknown>>): string | undefined {
  try {
    const used = BigInt(gasUsed as string) * BigInt(effectiveGasPrice as string);
    return (used + BigInt((l1Fee as string | undefined) ?? 0)).toString();
  } catch {
    // A node that leaves one out.
    return undefined;
  }
}

/** Where a price or a symbol of a chain's native token is found. */
export type NativeOf = (chainId: number) => Token | null;

/**
 * Returns the fees of all legs: those of the answers that were signed, and of the network what it has really taken
 * where that is known.
 */
export function paidFees(legs: readonly Leg[], nativeOf: NativeOf): Fee[] {
  return legs.flatMap(({ plan, networkFee: paid }) => {
    const fees = plan.estimate.fees.breakdown;
    const native = nativeOf(plan.action.fromChainId);
    if (!paid || !native) return fees;
    const usd = dollars(BigInt(paid), native.decimals, native.priceUSD);
    const taken: Fee = {
      type: "networkPaid",
      amount: paid,
      currencySymbol: native.symbol,
      currencyAddress: native.address,
      chainId: native.chainId,
      decimals: native.decimals,
      ...(usd === null ? {} : { amountUsd: inDollars(usd) }),
    };
    const ofNetwork = ({ type, chainId }: Fee): boolean => type === "gas" && chainId === native.chainId;
    return [...fees.filter((fee) => !ofNetwork(fee)), taken];
  });
}

const inDollars = (micro: bigint): string => {
  const digits = micro.toString().padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

/** Returns whether a transfer asks for the same as a form does: both tokens, and the amount of the fixed one. */
export function isSame(
  { pay, get, amount, wanted: output = "" }: Transfer,
  wanted: { pay: Token | null; get: Token | null; amount: bigint | null; fixed?: SideName },
): boolean {
  const alike = (one: { chainId: number; address: string }, other: Token | null): boolean =>
    other !== null && one.chainId === other.chainId && same(one.address, other.address);
  return (
    alike(pay, wanted.pay) &&
    alike(get, wanted.get) &&
    wanted.amount === readDecimal(wanted.fixed === "get" ? output : amount, 0)
  );
}
