// What the element knows, and what follows from it. Pure but for the clock.

import { addressFault, NATIVE, same } from "./addresses.ts";
import type { Chain, Fees, Question, Route, Step, StepToken, Token } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import { nativeFee } from "./checks.ts";
import { dollars, lossBps, parseAmount, readDecimal } from "./money.ts";
import type { Words } from "./words.ts";

/** Nobody's: addresses to ask for before a wallet is connected. */
export const PLACEHOLDER = { EVM: "0x1111111111111111111111111111111111111111", SVM: "11111111111111111111111111111111" };
export const WARN_BPS = 300;
export const YES_BPS = 1000;

export interface Side {
  chain: Chain | null;
  token: Token | null;
}

export interface Account {
  address: string;
  name: string;
  chainType: "EVM" | "SVM";
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

export type Asking = { is: "idle" } | { is: "asking" } | { is: "failed"; words: Words } | { is: "answered"; routes: Route[]; at: number };

export interface Facts {
  ready: boolean;
  form: Form;
  account: Account | null;
  /** Raw units; null while it is not known. */
  balance: bigint | null;
  native: bigint | null;
  asking: Asking;
  route: Route | null;
  /** A step as it is before signing, where the service has said more of the loss than the plan did. */
  warned: Step | null;
  agreed: boolean;
  busy: string;
}

export type Act = "none" | "connect" | "switch" | "send" | "ask";
export interface Button {
  text: string;
  act: Act;
  disabled: boolean;
}

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

export const needsReceiver = ({ pay, get }: Form): boolean => Boolean(pay.chain && get.chain && pay.chain.chainType !== get.chain.chainType);

/** Says what is wrong with the receiver; "" while nothing is. */
export function receiverFault(form: Form): string {
  const text = form.receiver.trim();
  if (!form.get.chain || !text) return "";
  return addressFault(form.get.chain.chainType, text);
}

/** Reads a percentage as a share; null for auto, NaN never. */
export function slippageOf(text: string): number | null {
  const raw = readDecimal(text.trim(), 4);
  if (raw === null || raw <= 0n || raw >= 500_000n) return null;
  return Number(raw) / 1_000_000;
}

/** Says what is wrong with the slippage; "" while nothing is. */
export const slippageFault = ({ slippage }: Form): string =>
  slippage !== "" && slippageOf(slippage) === null ? "Write a percentage above 0 and below 50" : "";

/** Tells whether a form asks a whole question. */
export function complete(form: Form): boolean {
  const receiver = !needsReceiver(form) || form.receiver.trim() !== "";
  return amountOf(form) !== null && Boolean(form.pay.token && form.get.token) && receiver && !receiverFault(form) && !slippageFault(form) && !pointless(form);
}

export const pointless = ({ pay, get }: Form): boolean =>
  Boolean(pay.token && get.token && pay.token.chainId === get.token.chainId && same(pay.token.address, get.token.address));

interface Sides {
  pay: { token: Token | null };
  get: { token: Token | null };
}
type Amounts = Pick<Route, "inputAmount" | "outputAmount" | "minOutputAmount" | "fees">;

export interface Loss {
  /** Hundredths of a percent of the value; null where no price is known. */
  bps: number | null;
  /** The same for the least that may arrive. */
  worst: number | null;
}

/** Sums what is paid beside the input, the network's fee first of all, in millionths of a dollar; null without its prices. */
export function paidApart({ breakdown }: Fees): bigint | null {
  const apart = breakdown.filter(({ included }) => included === false).map(({ amountUsd }) => readDecimal(amountUsd, 6));
  return apart.includes(null) ? null : apart.reduce<bigint>((sum, usd) => sum + (usd ?? 0n), 0n);
}

/** Answers how much of its value a route loses, what is paid beside it counted, by prices; by what a step says where that is more. */
export function lossOf({ pay, get }: Sides, route: Amounts, step: Step | null): Loss {
  const before = pay.token && dollars(BigInt(route.inputAmount), pay.token.decimals, pay.token.priceUSD);
  const apart = paidApart(route.fees);
  const after = (raw: string): bigint | null => {
    const out = get.token && dollars(BigInt(raw), get.token.decimals, get.token.priceUSD);
    return out === null || apart === null ? null : out - apart;
  };
  const [out, least] = [after(route.outputAmount), after(route.minOutputAmount)];
  const told = readDecimal(step?.priceImpact, 4);
  const impact = told === null ? null : Number(told);
  if (!before || out === null || least === null) return { bps: impact, worst: impact };
  const [bps, worst] = [lossBps(before, out), lossBps(before, least)];
  return { bps: Math.max(bps, impact ?? bps), worst: Math.max(worst, impact ?? worst) };
}

/** Answers the same for a step as it is before signing, whatever the form shows by then. */
export function lossOfStep(catalog: Catalog, step: Step): Loss {
  const token = ({ chainId, address }: StepToken): Token | null => catalog.listed(chainId).find((each) => same(each.address, address)) ?? null;
  const { fromToken, toToken, fromAmount } = step.action;
  const sides = { pay: { token: token(fromToken) }, get: { token: token(toToken) } };
  return lossOf(sides, { inputAmount: fromAmount, outputAmount: step.estimate.toAmount, minOutputAmount: step.estimate.toAmountMin, fees: step.estimate.fees }, step);
}

/** Writes the form as a question of the API's. */
export function questionOf(form: Form, sender: string, { integrator, fee }: { integrator?: string; fee?: number }): Question | null {
  const { pay, get } = form;
  const amount = amountOf(form);
  if (!pay.token || !get.token || amount === null) return null;
  const [slippage, receiver] = [slippageOf(form.slippage), form.receiver.trim()];
  return {
    senderAddress: sender,
    ...(receiver ? { receiverAddress: receiver } : {}),
    originChainId: pay.token.chainId, destinationChainId: get.token.chainId,
    originCurrency: pay.token.address, destinationCurrency: get.token.address,
    amount: amount.toString(),
    ...(slippage === null ? { slippageMode: "auto" as const } : { slippage }),
    ...(integrator ? { integrator } : {}),
    ...(integrator && fee ? { fee } : {}),
  };
}

/** Tells whether a loss takes a deliberate yes; so does one that nobody knows. */
export const needsYes = ({ bps, worst }: Loss): boolean => bps === null || bps >= YES_BPS || (worst ?? bps) >= YES_BPS;

/** Answers what the wallet needs of native money for a route: what is paid, what the upstream takes, and the network's fee. */
export function nativeNeed({ pay }: Form, route: Route): { need: bigint; known: boolean } {
  const step = route.steps[0] as Step;
  const gas = step.estimate.fees.breakdown.filter((fee) => fee.type === "gas" && fee.chainId === pay.chain?.id);
  const paid = pay.token && isNative(pay) ? BigInt(route.inputAmount) : 0n;
  return { need: paid + nativeFee(step) + gas.reduce((sum, fee) => sum + BigInt(fee.amount), 0n), known: gas.length > 0 };
}

/** Finds the route of a new answer that goes the way of an older one's. */
export function sameWay(asking: Asking, id: string | null, routes: Route[]): Route | undefined {
  const way = ({ adapter, steps }: Route): string => [adapter, ...steps.map(({ tool }) => tool)].join();
  const before = asking.is === "answered" ? asking.routes.find((route) => route.id === id) : undefined;
  return before && routes.find((route) => way(route) === way(before));
}

export const isNative = ({ chain, token }: Side): boolean => Boolean(chain && token && (same(token.address, NATIVE) || same(token.address, chain.nativeToken.address)));

/** Answers the one button: what it says and does. */
export function buttonOf(facts: Facts): Button {
  const { form, account, asking, busy } = facts;
  const wait = (text: string): Button => ({ text, act: "none", disabled: true });
  if (busy) return wait(busy);
  if (!facts.ready) return wait("Loading…");
  if (!form.pay.token || !form.get.token) return wait("Choose tokens");
  if (pointless(form)) return wait("Choose two different tokens");
  if (!form.amount.trim()) return account ? wait("Enter an amount") : { text: "Connect wallet", act: "connect", disabled: false };
  if (amountOf(form) === null) return wait("Enter an amount");
  if (needsReceiver(form) && !form.receiver.trim()) return wait(`Enter a receiver on ${form.get.chain?.name}`);
  if (receiverFault(form)) return wait("Check the receiver");
  if (slippageFault(form)) return wait("Check the slippage");
  if (account && account.chainType === form.pay.chain?.chainType && poor(facts)) return wait(`Not enough ${form.pay.token.symbol}`);
  // Who looks on may connect: that waits for no answer.
  if (!account && asking.is === "asking") return { text: "Connect wallet", act: "connect", disabled: false };
  if (asking.is === "asking" || asking.is === "idle") return wait("Looking for routes…");
  if (asking.is === "failed") return wait("No route");
  if (!facts.route) return wait("Choose a route");
  if (!account) return { text: "Connect wallet", act: "connect", disabled: false };
  return ready(facts, facts.route, account);
}

const poor = ({ form, balance }: Facts): boolean => balance !== null && (amountOf(form) ?? 0n) > balance;

function ready(facts: Facts, route: Route, account: Account): Button {
  const { form } = facts;
  const { chain, token } = form.pay;
  const stop = (text: string): Button => ({ text, act: "none", disabled: true });
  if (!chain || !token) return stop("Choose tokens");
  if (account.chainType !== chain.chainType) return { text: `Connect a wallet for ${chain.name}`, act: "connect", disabled: false };
  const { need } = nativeNeed(form, route);
  if (facts.native !== null && facts.native < need) return stop(`Not enough ${chain.nativeToken.symbol} for the network’s fee`);
  if (chain.chainType === "EVM" && account.chainId !== BigInt(chain.id)) return { text: `Switch to ${chain.name}`, act: "switch", disabled: false };
  // A wallet that is on the chain reads it by its own node; before that public nodes may be silent.
  if (facts.balance === null) return stop("Looking at your balance…");
  if (needsYes(lossOf(form, route, facts.warned)) && !facts.agreed) return stop("Confirm the loss first");
  const crossing = chain.id !== form.get.chain?.id;
  const verb = crossing ? "transfer" : "swap";
  const approving = route.steps[0]?.estimate.approvalAddress !== undefined;
  return { text: approving ? `Approve and ${verb}` : crossing ? "Transfer" : "Swap", act: "send", disabled: false };
}
