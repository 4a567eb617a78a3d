// Public nodes, as /v1/chains names them: read only, without cookies and without a referrer.

import type { Chain } from "../api.ts";
import { texts } from "../texts.ts";

export type Read = (method: string, ...params: unknown[]) => Promise<unknown>;

const PATIENCE_MS = 8000;

async function post(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
  const sound = response.ok && !error && result !== undefined;
  if (!sound) throw new Error(String(error?.message ?? texts.nodeAnswered(response.status)).slice(0, 200));
  return result;
}

/** Throws where a node is of another chain. */
async function mustServe(url: string, chain: Chain): Promise<void> {
  if (chain.chainType !== "EVM") return;
  const id = (await post(url, "eth_chainId", [])) as string;
  if (BigInt(id) !== BigInt(chain.id)) throw new Error(texts.nodeElsewhere);
}

/** Returns how to read a chain by its public nodes, the next one where one fails; null where it has none. */
export function nodeOf(chain: Chain): Read | null {
  const urls = chain.rpcUrls ?? [];
  if (!urls.length) return null;
  const known = new Set<string>();
  let first = 0;
  return async (method, ...params) => {
    let failure: unknown = null;
    for (let turn = 0; turn < urls.length; turn += 1) {
      const place = (first + turn) % urls.length;
      const url = urls[place] ?? "";
      try {
        if (!known.has(url)) {
          await mustServe(url, chain);
          known.add(url);
        }
        const result = await post(url, method, params);
        first = place;
        return result;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
}
