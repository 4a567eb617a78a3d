// Amounts are bigint in raw units, US dollars bigint in millionths. No number of a user's ever becomes a floating-point
// one.

import { formatCents, formatDecimal, formatPercent, marks } from "./locale.ts";
import { readNumber } from "./numerals.ts";
import { texts } from "./texts.ts";

const LARGEST = 2n ** 256n - 1n;
const DOLLAR_PLACES = 6;
export const BPS = 10_000n;
/** A number with all marks, to show how it is written. */
const EXAMPLE = "1234.5";

/** Reads a number as people here write it; throws an Error that says what to correct. */
export function readWritten(text: string): { plain: string; sure: boolean } {
  const reading = readNumber(text, marks());
  switch (reading.is) {
    case "number":
      return reading;
    case "ambiguous":
      throw new Error(texts.twoMeanings(reading.whole, reading.broken));
    case "foreign":
      throw new Error(texts.digitsOnly(formatDecimal(EXAMPLE)));
    case "misplaced":
      throw new Error(texts.marksMisplaced(formatDecimal(EXAMPLE)));
  }
}

/** Reads whole tokens ("1.5") as raw units, exactly; throws an Error that says what to correct. */
export function parseAmount(text: string, decimals: number): bigint {
  if (!text.trim()) throw new Error(texts.enterAmount);
  const [whole = "", fraction = ""] = readWritten(text).plain.split(".");
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > decimals) {
    throw new Error(texts.tooManyDecimals(decimals, digits.length));
  }
  if (whole.length > 100) throw new Error(texts.moreThanAnyHas);
  const raw = BigInt(whole || "0") * 10n ** BigInt(decimals) + BigInt(digits.padEnd(decimals, "0") || "0");
  if (raw === 0n) throw new Error(texts.moreThanZero);
  if (raw > LARGEST) throw new Error(texts.moreThanAnyHas);
  return raw;
}

/** Writes raw units as whole tokens, exactly, with a point and nothing between thousands, for programs. */
export function plainAmount(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction ? `${whole}.${fraction}` : whole;
}

/** Writes raw units as whole tokens, exactly, as people here write numbers. */
export const formatAmount = (raw: bigint, decimals: number): string => formatDecimal(plainAmount(raw, decimals));

/** Writes raw units for a field: exactly, with the decimal mark of this place, and nothing between thousands. */
export const typedAmount = (raw: bigint, decimals: number): string =>
  plainAmount(raw, decimals).replace(".", marks().decimal);

/** Writes raw units with at most `digits` significant decimals, cut off and never rounded up. */
export function shortAmount(raw: bigint, decimals: number, digits = 6): string {
  const [whole = "", fraction = ""] = plainAmount(raw, decimals).split(".");
  const significant = whole === "0" ? fraction.search(/[1-9]/) + digits : Math.max(digits - whole.length, 2);
  const kept = fraction.slice(0, significant).replace(/0+$/, "");
  return formatDecimal(kept ? `${whole}.${kept}` : whole);
}

/**
 * Reads a decimal text of the API ("0.00123") as an integer of `places` decimals, cut off towards zero; null where it
 * is none.
 */
export function readDecimal(text: string | undefined, places: number): bigint | null {
  const found = /^(-?)([0-9]{1,60})(?:\.([0-9]*))?$/.exec(text ?? "");
  if (!found) return null;
  const fraction = (found[3] ?? "").slice(0, places).padEnd(places, "0");
  const value = BigInt(found[2] + fraction);
  return found[1] ? -value : value;
}

/** Returns what raw units are worth in millionths of a dollar, rounded down; null without a price. */
export function dollars(raw: bigint, decimals: number, price: string | undefined): bigint | null {
  const scaled = readDecimal(price, 18);
  if (scaled === null || scaled <= 0n) return null;
  return (raw * scaled) / 10n ** BigInt(decimals + 18 - DOLLAR_PLACES);
}

/** Writes millionths of a dollar with two decimals, cut off; small sums with as many as they need. */
export function formatDollars(micro: bigint): string {
  const sign = micro < 0n ? "−" : "";
  const size = micro < 0n ? -micro : micro;
  return size > 0n && size < 10_000n ? `${sign}<${formatCents(1n)}` : sign + formatCents(size / 10_000n);
}

/** Returns which share of `before` is gone in `after`, in hundredths of a percent, rounded up; below 0 it gains. */
export function lossBps(before: bigint, after: bigint): number {
  if (before <= 0n) return 0;
  const lost = (before - after) * BPS;
  return Number(lost > 0n ? (lost + before - 1n) / before : lost / before);
}

/** Writes hundredths of a percent as a percentage. */
export function formatBps(bps: number): string {
  return `${bps < 0 ? "−" : ""}${formatPercent((Math.abs(bps) / 100).toFixed(2))}`;
}

/** Writes what one whole token is worth in the other, cut off after eight digits. */
export function formatRate(input: bigint, inputDecimals: number, output: bigint, outputDecimals: number): string {
  const places = 36;
  if (input <= 0n) return "0";
  const scaled = (output * 10n ** BigInt(inputDecimals + places)) / (input * 10n ** BigInt(outputDecimals));
  return shortAmount(scaled, places);
}

/** Returns a share of a balance in percent, rounded down. */
export function shareOf(balance: bigint, percent: bigint): bigint {
  return (balance * percent) / 100n;
}
