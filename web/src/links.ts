// Links that fill the form: /?from=8453:USDC&to=1:ETH&amount=100. Never receiver, fee or slippage.

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
  return { from: readSide(given.get("from")), to: readSide(given.get("to")), amount: /^[0-9]{1,60}(\.[0-9]{0,60})?$/.test(amount) ? amount : "" };
}

function readSide(text: string | null): Wanted | null {
  const found = SIDE.exec(text ?? "");
  if (!found?.[2]) return null;
  return { chainId: found[1] ? Number(found[1]) : null, token: found[2] };
}
