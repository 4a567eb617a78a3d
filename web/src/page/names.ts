// The front page's own: receivers by ENS. The element takes what a page resolves; this page asks the service it came
// from.

import type { ResolveName } from "../receiver-names.ts";
import * as texts from "../texts.ts";

const REFUSED: Record<number, string> = { 429: texts.tooManyNames, 502: texts.namesOutOfOrder };

async function normalised(typed: string): Promise<string> {
  const { normalize } = await import("./normalised.ts");
  try {
    return normalize(typed);
  } catch {
    throw new Error(texts.nameInvalid);
  }
}

const resolveName: ResolveName = async (typed, chainId) => {
  const name = await normalised(typed);
  const query = new URLSearchParams({ name, chain: String(chainId) });
  const response = await fetch(`/front/names?${query}`, { cache: "no-store" });
  const body = (await response.json().catch(() => ({}))) as { address?: string; message?: string };
  if (!response.ok || !body.address) {
    const said = response.status === 404 ? body.message : undefined;
    throw new Error(REFUSED[response.status] ?? (said || texts.nameRefused));
  }
  return { name, address: body.address };
};

const element = document.querySelector("rhumbline-swap");
if (element) Object.assign(element, { resolveName });
