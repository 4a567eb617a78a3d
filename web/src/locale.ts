// How the people of a place write numbers, times and dates. Digits are 0 to 9 everywhere: they are what is typed, too.

import type { Marks } from "./numerals.ts";

export let locale = "en";

/** Writes numbers, times and dates as this locale does from now on. */
export function setLocale(tag: string): void {
  locale = tag;
  formats.clear();
}

const formats = new Map<string, Intl.NumberFormat | Intl.RelativeTimeFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = formats.get(key) as Intl.NumberFormat | undefined;
  const format = known ?? new Intl.NumberFormat(locale, { numberingSystem: "latn", ...options });
  formats.set(key, format);
  return format;
}

/** What stands before the decimals and between thousands here. */
export function marks(): Marks {
  const parts = numberFormat({ minimumFractionDigits: 1 }).formatToParts(12_345_678.9);
  const markOf = (type: "decimal" | "group"): string => parts.find((part) => part.type === type)?.value ?? "";
  return { decimal: markOf("decimal"), group: markOf("group") };
}

/** Writes a decimal text ("1234.50") with the marks of this place, digit by digit as it is. */
export function formatDecimal(text: string): string {
  const [whole = "0", fraction] = text.split(".");
  const apart = numberFormat({}).format(BigInt(whole));
  return fraction ? apart + marks().decimal + fraction : apart;
}

/** Writes cents of a US dollar. */
export function formatCents(cents: bigint): string {
  const format = numberFormat({ style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
  const fraction = (cents % 100n).toString().padStart(2, "0");
  return format
    .formatToParts(cents / 100n)
    .map(({ type, value }) => (type === "fraction" ? fraction : value))
    .join("");
}

/** Writes a percentage that is given as a decimal text of at most four decimals. */
export const formatPercent = (text: string): string =>
  numberFormat({ style: "percent", maximumFractionDigits: 4 }).format(Number(text) / 100);

type Unit = "millisecond" | "second" | "minute" | "hour";

/** Writes how long something takes: in words, or as short as it can be. */
export const formatDuration = (count: number, unit: Unit, unitDisplay: "long" | "short" | "narrow" = "short"): string =>
  numberFormat({ style: "unit", unit, unitDisplay, maximumFractionDigits: 0 }).format(count);

/** Says when something is, in seconds from now: "in 5 sec." */
export function formatIn(seconds: number): string {
  const known = formats.get("in") as Intl.RelativeTimeFormat | undefined;
  const format = known ?? new Intl.RelativeTimeFormat(locale, { style: "short" });
  formats.set("in", format);
  return format.format(seconds, "second");
}

export const formatDate = (date: Date): string =>
  date.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
export const formatTime = (date: Date): string => date.toLocaleTimeString(locale, { timeStyle: "medium" });
