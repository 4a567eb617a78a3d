// Links that fill the form: /?from=8453:USDC&to=1:ETH&amount=100. Never receiver, fee or slippage.

import type { Chain } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import type { Side } from "./form.ts";

export interface Wanted {
  chainId: number | null;
  /** A symbol or an address. */
  token: string;
}

export interface Link {
  from: Wanted | null;
  to: Wanted | null;
  amount: string;
}

const SIDE = /^(?:([0-9]{1,15}):)?([A-Za-z0-9._₮-]{1,64})$/;

export function readLink(search: string): Link {
  const given = new URLSearchParams(search);
  const amount = given.get("amount") ?? "";
  return {
    from: readSide(given.get("from")),
    to: readSide(given.get("to")),
    amount: /^[0-9]{1,60}(\.[0-9]{0,60})?$/.test(amount) ? amount : "",
  };
}

function readSide(text: string | null): Wanted | null {
  const found = SIDE.exec(text ?? "");
  if (!found?.[2]) return null;
  return { chainId: found[1] ? Number(found[1]) : null, token: found[2] };
}

/**
 * Returns the two sides that a link means, and what is usual where it means none: no token where its own is not served.
 */
export async function sidesOf(catalog: Catalog, { from, to }: Link): Promise<{ pay: Side; get: Side }> {
  const here = catalog.payers.find(({ id }) => id === from?.chainId) ?? (catalog.payers[0] as Chain);
  const there = (catalog.bridged || to?.chainId === here.id ? catalog.chain(to?.chainId ?? null) : null) ?? here;
  const pick = async (chain: Chain, wanted: Wanted | null, usual: string): Promise<Side> => {
    const elsewhere = wanted?.chainId && wanted.chainId !== chain.id;
    if (wanted) return { chain, token: elsewhere ? null : await catalog.find(chain, wanted.token) };
    const listed = await catalog.tokens(chain.id);
    return { chain, token: (await catalog.find(chain, usual)) ?? listed[0] ?? null };
  };
  const [pay, get] = await Promise.all([pick(here, from, "USDC"), pick(there, to, there.nativeToken.symbol)]);
  return { pay, get };
}
