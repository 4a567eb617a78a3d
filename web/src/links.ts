// Links that fill the form: /?from=8453:USDC&to=1:ETH&amount=100, or &receive=100 for what is to arrive. Never
// receiver, fee or slippage.

import type { Chain, Token } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import { amountOf, type Form, fixedOf, type Side, type SideName, sameToken } from "./form.ts";
import { marks } from "./locale.ts";
import { plainAmount } from "./money.ts";

export interface Wanted {
  chainId: number | null;
  /** A symbol or an address. */
  token: string;
}

export interface Link {
  from: Wanted | null;
  to: Wanted | null;
  amount: string;
  /** The side whose amount it is: what is paid where it is left out. */
  fixed?: SideName;
}

const LONGEST_AMOUNT = 120;
/** What a page sets of the form at first; the amount in digits with a point. */
export interface Preset extends Link {
  receiver: string;
}

const SIDE = /^(?:([0-9]{1,15}):)?([A-Za-z0-9._₮-]{1,64})$/;

export function readLink(search: string): Link {
  const given = new URLSearchParams(search);
  return {
    from: readSide(given.get("from")),
    to: readSide(given.get("to")),
    amount: amountIn(given.get("amount") ?? given.get("receive") ?? ""),
    ...(given.has("receive") && !given.has("amount") ? { fixed: "get" as const } : {}),
  };
}

/**
 * Returns the amount of a link as the field shows it. Programs write links: a single point stands before decimals
 * wherever the link is opened; anything else is read as if it had been typed.
 */
function amountIn(text: string): string {
  const typed = text.trim().slice(0, LONGEST_AMOUNT);
  return /^[0-9]*\.?[0-9]*$/.test(typed) ? typed.replace(".", marks().decimal) : typed;
}

export const isAmount = (text: string): boolean => /^[0-9]{1,60}(\.[0-9]{0,60})?$/.test(text);

/** Reads a token as "<chain>:<symbol or address>", or without a chain; null where it is none. */
export function readSide(text: string | null): Wanted | null {
  const found = SIDE.exec(text ?? "");
  if (!found?.[2]) return null;
  return { chainId: found[1] ? Number(found[1]) : null, token: found[2] };
}

/** Returns the form as a link sets it, else the page around; a locked side is the page’s alone. */
export async function firstForm(
  catalog: Catalog,
  { link, preset, locked = [] }: { link: string; preset?: Preset; locked?: readonly SideName[] },
): Promise<Pick<Form, "pay" | "get" | "amount" | "fixed" | "receiver" | "receiverShown" | "locked">> {
  const linked = readLink(link);
  const { receiver = "" } = preset ?? {};
  const from = locked.includes("pay") ? preset?.from : (linked.from ?? preset?.from);
  const to = locked.includes("get") ? preset?.to : (linked.to ?? preset?.to);
  const amount = linked.amount || amountIn(preset?.amount ?? "");
  const sides = await sidesOf(catalog, { from: from ?? null, to: to ?? null, amount });
  const fixed = linked.amount && linked.fixed ? linked.fixed : "pay";
  return { ...sides, amount, fixed, receiver, receiverShown: receiver !== "", locked };
}

/**
 * Returns the two sides that a link means, and what is usual where it means none: no token where its own is not served.
 */
export async function sidesOf(catalog: Catalog, { from, to }: Link): Promise<{ pay: Side; get: Side }> {
  const here = catalog.payers.find(({ id }) => id === from?.chainId) ?? (catalog.payers[0] as Chain);
  const there = (catalog.bridged || to?.chainId === here.id ? catalog.chain(to?.chainId ?? null) : null) ?? here;
  const [paid, wanted] = await Promise.all([named(catalog, here, from), named(catalog, there, to)]);
  const pay = from ? paid : await usual(catalog, here, ["USDC", here.nativeToken.symbol], wanted);
  const get = to ? wanted : await usual(catalog, there, [there.nativeToken.symbol, "USDC"], pay);
  return { pay: { chain: here, token: pay }, get: { chain: there, token: get } };
}

async function named(catalog: Catalog, chain: Chain, wanted: Wanted | null): Promise<Token | null> {
  // The list is needed all the same.
  await catalog.tokens(chain.id);
  return wanted && (!wanted.chainId || wanted.chainId === chain.id) ? catalog.find(chain, wanted.token) : null;
}

/** Returns the first of these symbols that a chain lists, else its first token, but never the other side's. */
async function usual(
  catalog: Catalog,
  chain: Chain,
  symbols: readonly string[],
  other: Token | null,
): Promise<Token | null> {
  const found = await Promise.all(symbols.map((symbol) => catalog.find(chain, symbol)));
  return [...found, ...(await catalog.tokens(chain.id))].find((token) => token && !sameToken(token, other)) ?? null;
}

/** Writes the form as the address of a page that reads it: what is paid, what is received, and how much. */
export function linkTo(page: string, form: Form): string {
  const link = new URL(page);
  const { pay, get } = form;
  const side = ({ chain, token }: Side): string => `${chain?.id}:${token?.address}`;
  const amount = amountOf(form);
  if (pay.token) link.searchParams.set("from", side(pay));
  if (get.token) link.searchParams.set("to", side(get));
  const [name, { token }] = fixedOf(form) === "get" ? ["receive", get] : ["amount", pay];
  if (token && amount !== null) link.searchParams.set(name, plainAmount(amount, token.decimals));
  return link.href;
}
