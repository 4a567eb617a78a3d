// Every error as a sentence for people, and the remedy where there is one.

import { type AdapterRefusal, ApiError } from "./api.ts";
import { formatAmount, typedAmount } from "./money.ts";
import { texts } from "./texts.ts";

/** What may help: another value in the form, or another try. */
export type Remedy =
  | { kind: "amount"; text: string; amount: string }
  | { kind: "slippage"; text: string }
  | { kind: "receiver"; text: string }
  | { kind: "again"; text: string }
  | { kind: "wait"; until: number };

export interface Explanation {
  /** The API's own, "UNREACHABLE" and the like of `ApiError`, or "FAULT" for one of the page's. */
  code: string;
  /** What is the matter, in a few words. */
  headline: string;
  text: string;
  /** When the page asks again by itself, in milliseconds of its clock; null where it does not. */
  again: number | null;
  remedy: Remedy | null;
  /** What each adapter said, to be folded away. */
  refusals: AdapterRefusal[];
  /** Faults of the request, one each. */
  faults: string[];
}

/** What was asked for: the token that is paid, and how much of it. */
export interface Asked {
  symbol: string;
  decimals: number;
  amount: bigint | null;
}

const FIRST_MS = 5000;
const LONGEST_MS = 60_000;
const RAW = /^[0-9]{1,78}$/;
const again = (): Remedy => ({ kind: "again", text: texts.tryAgain });

/** Says what went wrong, for people; `asksAt` is when it is asked again. */
export function explain(error: unknown, asked: Asked, asksAt: number | null = null): Explanation {
  if (!(error instanceof ApiError)) return { ...plain(texts.pageFault, again()), code: "FAULT" };
  const { details } = error;
  const refusals = refusalsOf(error);
  const faults = Array.isArray(details.message) && !refusals.length ? details.message.map(String) : [];
  const { code } = error;
  return { ...sentence(error, asked), code, headline: headlineOf(error), refusals, faults, again: asksAt };
}

const BUSY = "RATE_LIMIT";
const AWAY = ["UNREACHABLE", "SLOW"];

const isOutage = ({ code, status }: ApiError): boolean =>
  AWAY.includes(code) || status === 503 || (code === "MALFORMED" && status >= 500);

function headlineOf(error: ApiError): string {
  if (error.code === BUSY) return texts.tooMany;
  if (error.code === "UNSIGNED") return texts.forged;
  if (isOutage(error)) return texts.outage;
  return error.code === "ADAPTER_INTERNAL" ? texts.sourcesAway : texts.noRoute;
}

/** Returns when to ask again what failed `before` times: when the service says so, else ever later. Null for never. */
export function againAt(error: unknown, before: number): number | null {
  if (!(error instanceof ApiError)) return null;
  if (error.again !== null) return error.again;
  if (error.code === BUSY) return Date.now() + LONGEST_MS;
  const passes = isOutage(error) || error.code === "ADAPTER_INTERNAL";
  return passes ? Date.now() + Math.min(FIRST_MS * 2 ** before, LONGEST_MS) : null;
}

const refusalsOf = ({ details: { adapters } }: ApiError): AdapterRefusal[] => (Array.isArray(adapters) ? adapters : []);

type Sentence = Omit<Explanation, "code">;

const plain = (text: string, remedy: Remedy | null = null): Sentence => ({
  headline: texts.noRoute,
  text,
  again: null,
  remedy,
  refusals: [],
  faults: [],
});

function sentence(error: ApiError, asked: Asked): Sentence {
  switch (error.code) {
    case "AMOUNT_TOO_LOW":
      return tooLow(error, asked);
    case "NO_AVAILABLE_QUOTES":
      return noQuotes(error, asked);
    case "SLIPPAGE_EXCEEDED":
      return plain(texts.tooMuchLoss, { kind: "slippage", text: texts.changeSlippage });
    case "WRONG_ADDRESS":
      return plain(texts.wrongAddress, { kind: "receiver", text: texts.checkReceiver });
    case "RATE_LIMIT":
      return plain(texts.tooManyQuestions, { kind: "wait", until: error.again ?? Date.now() + LONGEST_MS });
    case "VALIDATION_ERROR":
      return plain(error.status === 413 ? texts.questionTooLong : texts.questionRefused);
    case "NOT_FOUND":
      return plain(texts.notServed);
    case "ADAPTER_BAD_REQUEST":
      return plain(texts.noSourceTakes);
    case "ADAPTER_UNAUTHORIZED":
      return plain(texts.sourcesRefuse, again());
    case "ADAPTER_INTERNAL":
      return plain(texts.sourcesSilent, waiting(error));
    case "UNSIGNED":
      return plain(texts.forgedWhy, again());
    case "UNREACHABLE":
      return plain(texts.offline, again());
    case "SLOW":
      return plain(texts.serviceSlow, again());
    case "MALFORMED":
      return plain(error.status >= 500 ? texts.outOfOrder : texts.answeredInPlace, waiting(error));
    default:
      return plain(error.status === 503 ? texts.outOfOrder : texts.serviceFailed, waiting(error));
  }
}

const waiting = (error: ApiError): Remedy => (error.again ? { kind: "wait", until: error.again } : again());

function tooLow(error: ApiError, asked: Asked): Sentence {
  const least = smallest(error);
  if (least === null) return plain(texts.tooLow);
  return plain(texts.tooLowLeast(`${formatAmount(least, asked.decimals)} ${asked.symbol}`), tryAmount(least, asked));
}

function noQuotes(error: ApiError, asked: Asked): Sentence {
  const kinds = new Set(refusalsOf(error).map(({ kind }) => kind));
  const least = smallest(error);
  if (least !== null) return tooLow(error, asked);
  if (kinds.has("reverted") || kinds.has("refused")) return plain(texts.noneSound, half(asked));
  if (kinds.has("no_route")) return plain(texts.noLiquidity, half(asked));
  return plain(texts.noSource);
}

function smallest(error: ApiError): bigint | null {
  const named = [error.details.minimum, ...refusalsOf(error).map(({ minimum }) => minimum)];
  const found = named.filter((text) => RAW.test(text ?? "")).map((text) => BigInt(text ?? "0"));
  const given = error.details.minimum;
  if (given && RAW.test(given)) return BigInt(given);
  return found.length ? found.reduce((least, raw) => (raw < least ? raw : least)) : null;
}

const tryAmount = (raw: bigint, { decimals, symbol }: Asked): Remedy => ({
  kind: "amount",
  text: texts.tryAmount(`${formatAmount(raw, decimals)} ${symbol}`),
  amount: typedAmount(raw, decimals),
});

function half(asked: Asked): Remedy | null {
  return asked.amount !== null && asked.amount > 1n ? tryAmount(asked.amount / 2n, asked) : null;
}
