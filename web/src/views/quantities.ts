// Amounts and times as views write them.

import { formatAmount } from "../money.ts";
import * as texts from "../texts.ts";

/** Writes raw units of a token with its symbol. */
export const amountText = (raw: string, { decimals, symbol }: { decimals: number; symbol: string }): string =>
  `${formatAmount(BigInt(raw), decimals)} ${symbol}`;

export function timeOf(seconds: number | undefined): string {
  if (seconds === undefined) return texts.oneTransaction;
  return seconds < 90 ? texts.aboutSeconds(seconds) : texts.aboutMinutes(Math.ceil(seconds / 60));
}
