// Every error as a sentence for people, and what mends it where something does.

import { ApiError, type Told } from "./api.ts";
import { formatAmount, plainAmount } from "./money.ts";

export type Mend =
  | { kind: "amount"; text: string; amount: string }
  | { kind: "slippage"; text: string }
  | { kind: "receiver"; text: string }
  | { kind: "again"; text: string }
  | { kind: "wait"; until: number };

export interface Words {
  text: string;
  mend: Mend | null;
  /** What each adapter said, to be folded away. */
  told: Told[];
  /** Faults of the request, one each. */
  faults: string[];
}

export interface Asked {
  symbol: string;
  decimals: number;
  amount: bigint | null;
}

const RAW = /^[0-9]{1,78}$/;
const AGAIN: Mend = { kind: "again", text: "Try again" };

/** Says what went wrong, for people. */
export function wordsFor(error: unknown, asked: Asked): Words {
  if (!(error instanceof ApiError)) return plain("Something went wrong on this page. Nothing was sent", AGAIN);
  const { details } = error;
  const told = toldBy(error);
  const faults = Array.isArray(details.message) && !told.length ? details.message.map(String) : [];
  return { ...sentence(error, asked), told, faults };
}

const toldBy = ({ details: { adapters } }: ApiError): Told[] => (Array.isArray(adapters) ? adapters : []);

const plain = (text: string, mend: Mend | null = null): Words => ({ text, mend, told: [], faults: [] });

function sentence(error: ApiError, asked: Asked): Words {
  switch (error.code) {
    case "AMOUNT_TOO_LOW":
      return tooLow(error, asked);
    case "NO_AVAILABLE_QUOTES":
      return noQuotes(error, asked);
    case "SLIPPAGE_EXCEEDED":
      return plain("Every route would lose more of the value than you permit. A smaller amount loses less; or permit more slippage", { kind: "slippage", text: "Change slippage" });
    case "WRONG_ADDRESS":
      return plain("An address does not fit its chain. Check the receiver", { kind: "receiver", text: "Check the receiver" });
    case "RATE_LIMIT":
      return plain("Too many questions were asked from here", { kind: "wait", until: error.again ?? Date.now() + 60_000 });
    case "VALIDATION_ERROR":
      return plain(error.status === 413 ? "The question is too long" : "The service does not take the question as it is");
    case "NOT_FOUND":
      return plain("The service does not serve this chain or token. Choose another one");
    case "ADAPTER_BAD_REQUEST":
      return plain("No source takes this question. Try another amount or another token");
    case "ADAPTER_UNAUTHORIZED":
      return plain("The sources refuse this service at the moment. That is its operator's to mend; try another pair", AGAIN);
    case "ADAPTER_INTERNAL":
      return plain("The sources do not answer just now. It usually passes in a few seconds", waiting(error));
    case "UNREACHABLE":
      return plain("The service does not answer. Look whether you are online", AGAIN);
    case "SLOW":
      return plain("The service takes longer than half a minute", AGAIN);
    case "MALFORMED":
      return plain(error.status >= 500 ? "The service is out of order at the moment" : "Something between here and the service answered in its place", waiting(error));
    default:
      return plain(error.status === 503 ? "The service is out of order at the moment" : "The service failed at this question. Nothing was sent", waiting(error));
  }
}

const waiting = (error: ApiError): Mend => (error.again ? { kind: "wait", until: error.again } : AGAIN);

function tooLow(error: ApiError, asked: Asked): Words {
  const least = smallest(error);
  if (least === null) return plain("This amount is too low for every route. Try more");
  const text = `This amount is too low: the least is ${formatAmount(least, asked.decimals)} ${asked.symbol}`;
  return plain(text, tryAmount(least, asked));
}

function noQuotes(error: ApiError, asked: Asked): Words {
  const kinds = new Set(toldBy(error).map(({ kind }) => kind));
  const least = smallest(error);
  if (least !== null) return tooLow(error, asked);
  if (kinds.has("reverted") || kinds.has("refused")) return plain("No route was sound when it was tried. Try a smaller amount or another pair", half(asked));
  if (kinds.has("no_route")) return plain("There is not enough liquidity for this amount, or no market for this pair", half(asked));
  return plain("No source carries this pair. Choose another token or chain");
}

function smallest(error: ApiError): bigint | null {
  const named = [error.details.minimum, ...toldBy(error).map(({ minimum }) => minimum)];
  const found = named.filter((text) => RAW.test(text ?? "")).map((text) => BigInt(text ?? "0"));
  const given = error.details.minimum;
  if (given && RAW.test(given)) return BigInt(given);
  return found.length ? found.reduce((least, raw) => (raw < least ? raw : least)) : null;
}

const tryAmount = (raw: bigint, { decimals, symbol }: Asked): Mend => ({
  kind: "amount", text: `Try ${formatAmount(raw, decimals)} ${symbol}`, amount: plainAmount(raw, decimals),
});

function half(asked: Asked): Mend | null {
  return asked.amount !== null && asked.amount > 1n ? tryAmount(asked.amount / 2n, asked) : null;
}

/** Says how a transfer stands. */
export const STATES: Record<string, string> = {
  ready: "Waiting for you", approving: "Waiting for the approval", signing: "Waiting for your signature", sent: "Sent, not in a block yet",
  left: "On its way", done: "Arrived", refunded: "Refunded", recovered: "Recovered", failed: "Failed", dropped: "Not sent",
};
