// The front page's own: receivers by ENS. The element takes what a page resolves; this page asks the service it came
// from.

import type { NameRefusal, ResolveName } from "../receiver-names.ts";

const REFUSED: Record<number, NameRefusal> = { 429: "tooMany", 502: "outOfOrder" };

/** What the element has words for. */
const refused = (why: NameRefusal): Error => new Error(why, { cause: "refusal" });

async function normalised(typed: string): Promise<string> {
  const { normalize } = await import("./normalised.ts");
  try {
    return normalize(typed);
  } catch {
    throw refused("invalid");
  }
}

const resolveName: ResolveName = async (typed, chainId) => {
  const name = await normalised(typed);
  const query = new URLSearchParams({ name, chain: String(chainId) });
  const response = await fetch(`/front/names?${query}`, { cache: "no-store" });
  const body = (await response.json().catch(() => ({}))) as { address?: string; message?: string };
  if (!response.ok || !body.address) {
    const said = response.status === 404 ? body.message : undefined;
    throw said ? new Error(said) : refused(REFUSED[response.status] ?? "refused");
  }
  return { name, address: body.address };
};

const element = document.querySelector("rhumbline-swap");
if (element) Object.assign(element, { resolveName });
