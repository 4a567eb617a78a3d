// What was chosen in the form, what is wrong with it, and the question that it asks. Pure.

import { addressFault, NATIVE, same } from "./addresses.ts";
import type { Chain, ChainType, Route, RouteQuery, Step, Token } from "./api.ts";
import { nativeFee } from "./checks.ts";
import { parseAmount, readDecimal } from "./money.ts";
import * as texts from "./texts.ts";

/** Addresses to ask for before a wallet is connected; they are nobody's. */
export const PLACEHOLDER = {
  EVM: "0x1111111111111111111111111111111111111111",
  SVM: "11111111111111111111111111111111",
};

export type SideName = "pay" | "get";

export interface Side {
  chain: Chain | null;
  token: Token | null;
}

export interface Account {
  address: string;
  name: string;
  chainType: ChainType;
  chainId: bigint | null;
}

export interface Form {
  pay: Side;
  get: Side;
  amount: string;
  receiver: string;
  receiverShown: boolean;
  /** "" is auto. */
  slippage: string;
  /** Whether it is written by hand: half of it may read like a preset. */
  slippageOwn: boolean;
}

export const EMPTY: Form = {
  pay: { chain: null, token: null },
  get: { chain: null, token: null },
  amount: "",
  receiver: "",
  receiverShown: false,
  slippage: "",
  slippageOwn: false,
};

/** Reads the amount; null where it is none yet. */
export function amountOf({ amount, pay }: Form): bigint | null {
  try {
    return pay.token ? parseAmount(amount, pay.token.decimals) : null;
  } catch {
    return null;
  }
}

/** Says what is wrong with the amount; "" while nothing is. */
export function amountFault({ amount, pay }: Form): string {
  if (!amount.trim() || !pay.token) return "";
  try {
    parseAmount(amount, pay.token.decimals);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

export const needsReceiver = ({ pay, get }: Form): boolean =>
  Boolean(pay.chain && get.chain && pay.chain.chainType !== get.chain.chainType);

/** Says what is wrong with the receiver; "" while nothing is. */
export function receiverFault(form: Form): string {
  const text = form.receiver.trim();
  if (!form.get.chain || !text) return "";
  return addressFault(form.get.chain.chainType, text);
}

/** Reads a percentage as a share; null for auto, never NaN. */
export function slippageOf(text: string): number | null {
  const raw = readDecimal(text.trim(), 4);
  if (raw === null || raw <= 0n || raw >= 500_000n) return null;
  return Number(raw) / 1_000_000;
}

/** Says what is wrong with the slippage; "" while nothing is. */
export const slippageFault = ({ slippage }: Form): string =>
  slippage !== "" && slippageOf(slippage) === null ? texts.slippageFault : "";

/** Returns whether a form asks a whole question. */
export function complete(form: Form): boolean {
  const receiver = !needsReceiver(form) || form.receiver.trim() !== "";
  const faultless = receiver && !receiverFault(form) && !slippageFault(form);
  return amountOf(form) !== null && Boolean(form.pay.token && form.get.token) && faultless && !pointless(form);
}

/** Returns whether both sides are the same token. */
export const pointless = ({ pay, get }: Form): boolean => sameToken(pay.token, get.token);

export const sameToken = (one: Token | null, other: Token | null): boolean =>
  one !== null && other !== null && one.chainId === other.chainId && same(one.address, other.address);

export const isNative = ({ chain, token }: Side): boolean =>
  Boolean(chain && token && (same(token.address, NATIVE) || same(token.address, chain.nativeToken.address)));

/** Writes the form as a question of the API's. */
export function queryOf(
  form: Form,
  sender: string,
  { integrator, fee }: { integrator?: string; fee?: number },
): RouteQuery | null {
  const { pay, get } = form;
  const amount = amountOf(form);
  if (!pay.token || !get.token || amount === null) return null;
  const [slippage, receiver] = [slippageOf(form.slippage), form.receiver.trim()];
  return {
    senderAddress: sender,
    ...(receiver ? { receiverAddress: receiver } : {}),
    originChainId: pay.token.chainId,
    destinationChainId: get.token.chainId,
    originCurrency: pay.token.address,
    destinationCurrency: get.token.address,
    amount: amount.toString(),
    ...(slippage === null ? { slippageMode: "auto" as const } : { slippage }),
    ...(integrator ? { integrator } : {}),
    ...(integrator && fee ? { fee } : {}),
  };
}

/**
 * Returns what the wallet needs of native money for a route: what is paid, what the upstream takes, and the network's
 * fee; `known` tells whether that fee is.
 */
export function nativeNeed({ pay }: Form, route: Route): { need: bigint; known: boolean } {
  const step = route.steps[0] as Step;
  const gas = step.estimate.fees.breakdown.filter((fee) => fee.type === "gas" && fee.chainId === pay.chain?.id);
  const paid = pay.token && isNative(pay) ? BigInt(route.inputAmount) : 0n;
  return {
    need: paid + nativeFee(step) + gas.reduce((sum, fee) => sum + BigInt(fee.amount), 0n),
    known: gas.length > 0,
  };
}
