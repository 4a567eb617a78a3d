// Amounts and times as views write them.

import { formatDuration } from "../locale.ts";
import { formatAmount } from "../money.ts";
import { texts } from "../texts.ts";

/** Writes raw units of a token with its symbol. */
export const amountText = (raw: string, { decimals, symbol }: { decimals: number; symbol: string }): string =>
  `${formatAmount(BigInt(raw), decimals)} ${symbol}`;

export function timeOf(seconds: number | undefined): string {
  return seconds === undefined ? texts.oneTransaction : texts.about(durationText(seconds, "short"));
}

/** Writes a duration in seconds, from a minute and a half on in minutes, rounded up. */
export const durationText = (seconds: number, display: "long" | "short"): string =>
  seconds < 90
    ? formatDuration(Math.ceil(seconds), "second", display)
    : formatDuration(Math.ceil(seconds / 60), "minute", display);
