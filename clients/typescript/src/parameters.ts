// What requests are made of: amounts without floats, shares as they are written.

import type { Order } from "./models.ts";

/** An amount in the token's smallest unit. A number is refused: it holds 53 bits only. */
export type Amount = bigint | string;
/** A fraction as text: "0.005" is 0.5 %. */
export type Share = string;

export interface QuoteParameters {
  /** The wallet on the origin chain, which signs. */
  senderAddress: string;
  /** The sender by default; required if the chain types differ. */
  receiverAddress?: string;
  originChainId: number;
  destinationChainId: number;
  /** Address of the input token, or the chain's native marker. */
  originCurrency: string;
  destinationCurrency: string;
  /** In the origin token's smallest unit, before all fees; of an exact output in the destination token's. */
  amount: Amount;
  integrator?: string;
  fee?: Share;
  slippage?: Share;
  slippageMode?: "auto";
  order?: Order;
  includeBridges?: string[];
  includeExchanges?: string[];
  excludeBridges?: string[];
  excludeExchanges?: string[];
  /** With EXACT_OUTPUT the amount is what the receiver gets at least; the answer's input is what has to be sent. */
  tradeType?: "EXACT_INPUT" | "EXACT_OUTPUT";
  explain?: boolean;
  /** Native of an EVM destination that arrives beside the output, in its smallest units. */
  destinationGas?: bigint | "auto";
  /** A call with what arrives. */
  destinationCall?: { target: string; calldata: string; gas?: number; fallbackAddress?: string };
  /** Who gets the tokens back on the origin if a bridge fails; only bridges that can be held to it are asked. */
  refundTo?: string;
  /** On EVM chains: a signature in place of the approvals, where the token and the wallet can use one. */
  permits?: boolean;
  /** From Solana: the priority fee's level, or the most lamports that it may be. */
  priority?: "low" | "medium" | "high" | bigint;
  /** From Solana: lamports for one of Jito's tip accounts. */
  jitoTip?: bigint;
  /** From Solana: another wallet that signs too, and pays fee, tip and rent. */
  feePayer?: string;
}

export interface ScorecardParameters {
  days?: number;
  adapters?: string[];
  sourceChainId?: number;
  destChainId?: number;
}

export type Given = Record<string, unknown>;
const CHAINS = new Set(["originChainId", "destinationChainId"]);
const SHARES = new Set(["fee", "slippage"]);

function textOf(name: string, value: unknown): string {
  const isAmount = /^amount|Amount$/.test(name);
  const isText = typeof value === "bigint" || (typeof value === "string" && /^\d+$/.test(value));
  if (isAmount && !isText) {
    throw new TypeError(`${name} is ${String(value)}: give a bigint, or its digits, in the token's smallest unit`);
  }
  if (SHARES.has(name) && typeof value !== "string") {
    throw new TypeError(`${name} is a ${typeof value}: give a text such as "0.005"`);
  }
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Parameters as texts of a query; those that are undefined are left out. */
export function queryOf(given: object): Record<string, string> {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, textOf(name, value)]));
}

/** Parameters as a JSON object: IDs and shares are numbers there, yes and no themselves, amounts texts. */
export function bodyOf(given: object): Given {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, jsonOf(name, value)]));
}

function jsonOf(name: string, value: unknown): number | boolean | string {
  if (typeof value === "boolean") return value;
  const text = textOf(name, value);
  return CHAINS.has(name) || SHARES.has(name) ? Number(text) : text;
}
