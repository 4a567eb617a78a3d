// What was chosen in the form, what is wrong with it, and the question that it asks. Pure.

import { addressFault, NATIVE, same } from "./addresses.ts";
import type { Chain, ChainType, Route, RouteQuery, Step, Token, ToolFilters } from "./api.ts";
import { nativeFee } from "./checks.ts";
import type { Asked } from "./explanations.ts";
import type { Extras } from "./extras.ts";
import { formatDecimal, marks } from "./locale.ts";
import { parseAmount, readDecimal, readWritten } from "./money.ts";
import { type Marks, readNumber, unmistakable } from "./numerals.ts";
import { texts } from "./texts.ts";

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
  /** The side whose amount it is, and the other's is answered: what is paid where it is left out. */
  fixed?: SideName;
  receiver: string;
  receiverShown: boolean;
  /** "" is auto. */
  slippage: string;
  /** Whether it is written by hand: half of it may read like a preset. */
  slippageOwn: boolean;
  /** The priority fee's level on Solana; "" is the service's choice. */
  priority: NonNullable<RouteQuery["priority"]> | "";
  /** Whether a little native money is to arrive beside the output. */
  gas?: boolean;
  /** Who has the tokens back if a bridge fails; "" is the wallet that pays. */
  refundTo?: string;
  /** What Jito is tipped on Solana, in lamports; "" is nothing. */
  tip?: string;
  /** Sides whose token stays as the page around has set it. */
  locked?: readonly SideName[];
}

export const EMPTY: Form = {
  pay: { chain: null, token: null },
  get: { chain: null, token: null },
  amount: "",
  receiver: "",
  receiverShown: false,
  slippage: "",
  slippageOwn: false,
  priority: "",
};

/** Returns the side whose amount was typed. */
export const fixedOf = ({ fixed = "pay" }: Pick<Form, "fixed">): SideName => fixed;

/** Returns its token. */
export const fixedToken = (form: Form): Token | null => form[fixedOf(form)].token;

/** Reads the amount of the fixed side; null where it is none yet. */
export function amountOf(form: Form): bigint | null {
  const token = fixedToken(form);
  try {
    return token ? parseAmount(form.amount, token.decimals) : null;
  } catch {
    return null;
  }
}

/** Returns what is paid: as it was typed, else as a route says; null while that is not known. */
export function paidOf(form: Form, route: Route | null): bigint | null {
  if (fixedOf(form) === "pay") return amountOf(form);
  return route && BigInt(route.inputAmount);
}

/** Returns what an error of the API is explained by. */
export const askedOf = (form: Form): Asked => ({
  symbol: form.pay.token?.symbol ?? "",
  decimals: form.pay.token?.decimals ?? 0,
  amount: fixedOf(form) === "pay" ? amountOf(form) : null,
});

/** Says what is wrong with the amount; "" while nothing is. */
export function amountFault(form: Form): string {
  const token = fixedToken(form);
  if (!form.amount.trim() || !token) return "";
  try {
    parseAmount(form.amount, token.decimals);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

export const needsReceiver = ({ pay, get }: Form): boolean =>
  Boolean(pay.chain && get.chain && pay.chain.chainType !== get.chain.chainType);

/**
 * Returns who has the output where it is not the wallet that pays: whom the form names, else the connected wallet of
 * the other type of chain, `receiving`; "" where there is neither.
 */
export const receiverOf = (form: Form, receiving: Account | null): string =>
  form.receiver.trim() ||
  (needsReceiver(form) && receiving?.chainType === form.get.chain?.chainType ? (receiving?.address ?? "") : "");

/** Says what is wrong with the receiver; "" while nothing is. */
export function receiverFault(form: Form): string {
  const text = form.receiver.trim();
  if (!form.get.chain || !text) return "";
  return addressFault(form.get.chain.chainType, text);
}

/** Says what the amount was understood as, where it could have been meant otherwise; "" where not. */
export function understood(form: Form): string {
  if (amountOf(form) === null) return "";
  const { plain, sure } = readWritten(form.amount);
  return sure ? "" : texts.understoodAs(`${unmistakable(plain, marks())} ${fixedToken(form)?.symbol}`);
}

/** Writes what was typed with the marks of another locale anew with those of this one. */
export function respelled(form: Form, before: Marks): Form {
  const anew = (text: string): string => {
    const reading = readNumber(text, before);
    return reading.is === "number" ? reading.plain.replace(".", marks().decimal) : text;
  };
  return { ...form, amount: anew(form.amount), ...(form.slippageOwn && { slippage: anew(form.slippage) }) };
}

/** Reads a percentage as people here write it, with or without its sign; "" for auto, null for none. */
export function percentOf(text: string): string | null {
  if (!text.trim()) return "";
  try {
    return readWritten(text.replace(/[%٪％]\s*$/, "")).plain;
  } catch {
    return null;
  }
}

/** Reads a percentage as a share; null for auto, never NaN. */
export function slippageOf(text: string): number | null {
  const raw = readDecimal(percentOf(text) ?? "", 4);
  if (raw === null || raw <= 0n || raw >= 500_000n) return null;
  return Number(raw) / 1_000_000;
}

/** Says what is wrong with the slippage; "" while nothing is. */
export const slippageFault = ({ slippage }: Form): string =>
  slippage !== "" && slippageOf(slippage) === null ? texts.slippageFault(formatDecimal("0.5")) : "";

/** Returns whether a form asks a whole question. */
export function complete(form: Form, receiving: Account | null = null): boolean {
  const receiver = !needsReceiver(form) || receiverOf(form, receiving) !== "";
  const faultless = receiver && !receiverFault(form) && !slippageFault(form);
  return amountOf(form) !== null && Boolean(form.pay.token && form.get.token) && faultless && !pointless(form);
}

/** Returns whether both sides are the same token. */
export const pointless = ({ pay, get }: Form): boolean => sameToken(pay.token, get.token);

export const isLocked = ({ locked }: Form, side: SideName): boolean => locked?.includes(side) ?? false;

/**
 * Returns what a form changes when a token is chosen for a side: the other side too where it had that token, or is on
 * a chain that nothing reaches. Null where the side is locked.
 */
export function chosenToken(
  form: Form,
  side: SideName,
  chosen: { chain: Chain; token: Token },
  { bridged, payable }: { bridged: boolean; payable: (chain: Chain | null) => boolean },
): Partial<Form> | null {
  if (isLocked(form, side)) return null;
  const other = side === "pay" ? "get" : "pay";
  const changes: Partial<Form> = { [side]: chosen };
  if (isLocked(form, other)) return changes;
  const swapped = sameToken(form[other].token, chosen.token);
  if (swapped && (other === "get" || payable(form[side].chain))) changes[other] = form[side];
  else if (!bridged && chosen.chain.id !== form[other].chain?.id) changes[other] = { chain: chosen.chain, token: null };
  return changes;
}

export const sameToken = (one: Token | null, other: Token | null): boolean =>
  one !== null && other !== null && one.chainId === other.chainId && same(one.address, other.address);

export const isNative = ({ chain, token }: Side): boolean =>
  Boolean(chain && token && (same(token.address, NATIVE) || same(token.address, chain.nativeToken.address)));

/** Returns whether it is paid from Solana, where a priority fee can be chosen. */
export const isOnSolana = ({ pay }: Form): boolean => pay.chain?.chainType === "SVM";
/**
 * Returns whether native money can arrive beside the output: from another chain on an EVM chain, where that is none
 * itself, and not out of an output that is typed.
 */
export const takesGas = ({ pay, get, fixed }: Form): boolean =>
  fixed !== "get" &&
  Boolean(pay.chain && get.chain && get.token) &&
  pay.chain?.id !== get.chain?.id &&
  get.chain?.chainType === "EVM" &&
  !isNative(get);

/** Writes the form as a question of the API's, with `more` of it; a receiver of "" is the sender. */
export function queryOf(
  form: Form,
  sender: string,
  receiver: string,
  { integrator, fee }: { integrator?: string; fee?: number },
  more: ToolFilters & Extras = {},
): RouteQuery | null {
  const { pay, get } = form;
  const amount = amountOf(form);
  if (!pay.token || !get.token || amount === null) return null;
  const slippage = slippageOf(form.slippage);
  return {
    senderAddress: sender,
    ...(receiver ? { receiverAddress: receiver } : {}),
    originChainId: pay.token.chainId,
    destinationChainId: get.token.chainId,
    originCurrency: pay.token.address,
    destinationCurrency: get.token.address,
    amount: amount.toString(),
    ...(fixedOf(form) === "get" ? { tradeType: "EXACT_OUTPUT" as const } : {}),
    ...(form.gas && takesGas(form) && { destinationGas: "auto" as const }),
    ...(slippage === null ? { slippageMode: "auto" as const } : { slippage }),
    ...(form.priority && isOnSolana(form) ? { priority: form.priority } : {}),
    ...(integrator ? { integrator } : {}),
    ...(integrator && fee ? { fee } : {}),
    ...more,
  };
}

/**
 * Returns what the wallet needs of native money for a route: what is paid, what the upstream takes, and the network's
 * fee; `known` tells whether that fee is.
 */
export function nativeNeed({ pay }: Form, route: Route): { need: bigint; known: boolean } {
  const step = route.steps[0] as Step;
  const here = step.estimate.fees.breakdown.filter((fee) => fee.type === "gas" && fee.chainId === pay.chain?.id);
  const gas = here.filter(({ paidBy }) => !paidBy);
  const paid = pay.token && isNative(pay) ? BigInt(route.inputAmount) : 0n;
  return {
    need: paid + nativeFee(step) + gas.reduce((sum, fee) => sum + BigInt(fee.amount), 0n),
    known: here.length > 0,
  };
}

/** What is kept of native money before a route says what it needs, in dollars: a swap on Ethereum costs the most. */
const reserveUsd = (chain: Chain): bigint => (chain.id === 1 ? 20n : 1n);

/**
 * Returns that reserve of a chain's native token in raw units, rounded up to one digit; a hundredth of the token where
 * it has no price.
 */
export function reserveOf(chain: Chain, { decimals, priceUSD }: Token): bigint {
  const price = readDecimal(priceUSD, 18) ?? 0n;
  const raw = price > 0n ? (reserveUsd(chain) * 10n ** BigInt(decimals + 18)) / price : 10n ** BigInt(decimals) / 100n;
  const digit = 10n ** BigInt(Math.max(raw.toString().length - 1, 0));
  return ((raw + digit - 1n) / digit) * digit;
}

/**
 * Returns what can be paid of a balance: all of it, or for native money what twice the fee of the route leaves, before
 * there is a route the reserve. An amount that leaves enough stays as it is, so that asking twice answers the same.
 */
export function mostOf(form: Form, route: Route | null, balance: bigint): bigint {
  const { chain, token } = form.pay;
  if (!isNative(form.pay) || !chain || !token) return balance;
  const reserve = reserveOf(chain, token);
  if (!route) return balance - (2n * reserve < balance ? reserve : balance / 2n);
  const fee = nativeNeed(form, route).need - BigInt(route.inputAmount);
  const [amount, most] = [paidOf(form, route) ?? 0n, 4n * fee > reserve ? 4n * fee : reserve];
  const left = balance - amount;
  if (amount && left >= fee && left <= most) return amount;
  return balance > 2n * fee ? balance - 2n * fee : 0n;
}
