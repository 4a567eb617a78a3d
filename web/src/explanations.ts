// Every error as a sentence for people, and the remedy where there is one.

import { type AdapterRefusal, ApiError } from "./api.ts";
import { formatAmount, plainAmount } from "./money.ts";
import * as texts from "./texts.ts";

/** What may help: another value in the form, or another try. */
export type Remedy =
  | { kind: "amount"; text: string; amount: string }
  | { kind: "slippage"; text: string }
  | { kind: "receiver"; text: string }
  | { kind: "again"; text: string }
  | { kind: "wait"; until: number };

export interface Explanation {
  text: string;
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

const RAW = /^[0-9]{1,78}$/;
const AGAIN: Remedy = { kind: "again", text: texts.tryAgain };

/** Says what went wrong, for people. */
export function explain(error: unknown, asked: Asked): Explanation {
  if (!(error instanceof ApiError)) return plain(texts.pageFault, AGAIN);
  const { details } = error;
  const refusals = refusalsOf(error);
  const faults = Array.isArray(details.message) && !refusals.length ? details.message.map(String) : [];
  return { ...sentence(error, asked), refusals, faults };
}

const refusalsOf = ({ details: { adapters } }: ApiError): AdapterRefusal[] => (Array.isArray(adapters) ? adapters : []);

const plain = (text: string, remedy: Remedy | null = null): Explanation => ({ text, remedy, refusals: [], faults: [] });

function sentence(error: ApiError, asked: Asked): Explanation {
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
      return plain(texts.tooManyQuestions, { kind: "wait", until: error.again ?? Date.now() + 60_000 });
    case "VALIDATION_ERROR":
      return plain(error.status === 413 ? texts.questionTooLong : texts.questionRefused);
    case "NOT_FOUND":
      return plain(texts.notServed);
    case "ADAPTER_BAD_REQUEST":
      return plain(texts.noSourceTakes);
    case "ADAPTER_UNAUTHORIZED":
      return plain(texts.sourcesRefuse, AGAIN);
    case "ADAPTER_INTERNAL":
      return plain(texts.sourcesSilent, waiting(error));
    case "UNREACHABLE":
      return plain(texts.offline, AGAIN);
    case "SLOW":
      return plain(texts.serviceSlow, AGAIN);
    case "MALFORMED":
      return plain(error.status >= 500 ? texts.outOfOrder : texts.answeredInPlace, waiting(error));
    default:
      return plain(error.status === 503 ? texts.outOfOrder : texts.serviceFailed, waiting(error));
  }
}

const waiting = (error: ApiError): Remedy => (error.again ? { kind: "wait", until: error.again } : AGAIN);

function tooLow(error: ApiError, asked: Asked): Explanation {
  const least = smallest(error);
  if (least === null) return plain(texts.tooLow);
  return plain(texts.tooLowLeast(`${formatAmount(least, asked.decimals)} ${asked.symbol}`), tryAmount(least, asked));
}

function noQuotes(error: ApiError, asked: Asked): Explanation {
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
  amount: plainAmount(raw, decimals),
});

function half(asked: Asked): Remedy | null {
  return asked.amount !== null && asked.amount > 1n ? tryAmount(asked.amount / 2n, asked) : null;
}
