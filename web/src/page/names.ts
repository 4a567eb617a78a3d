// The front page's own: receivers by ENS. The element takes what a page resolves; this page asks the service it came from.

import type { ResolveName } from "../naming.ts";

const WORDS: Record<number, string> = {
  429: "Too many names were looked up from here: try again later, or paste the address",
  502: "The service cannot look names up just now: try again, or paste the address",
};

async function normalised(typed: string): Promise<string> {
  const { normalize } = await import("./normalised.ts");
  try {
    return normalize(typed);
  } catch {
    throw new Error("This is no valid ENS name: it has characters that no name may have, or some made to look like others");
  }
}

const resolveName: ResolveName = async (typed, chainId) => {
  const name = await normalised(typed);
  const response = await fetch(`/front/names?${new URLSearchParams({ name, chain: String(chainId) })}`, { cache: "no-store" });
  const body = (await response.json().catch(() => ({}))) as { address?: string; message?: string };
  if (!response.ok || !body.address) throw new Error(WORDS[response.status] ?? (response.status === 404 && body.message ? body.message : "This name cannot be looked up: paste the address"));
  return { name, address: body.address };
};

const element = document.querySelector("rhumbline-swap");
if (element) Object.assign(element, { resolveName });
