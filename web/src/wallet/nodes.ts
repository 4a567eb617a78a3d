// Public nodes, as /v1/chains names them: read only, without cookies and without a referrer.

import type { Chain } from "../api.ts";

export type Read = (method: string, ...params: unknown[]) => Promise<unknown>;

const PATIENCE_MS = 8000;

async function post(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    credentials: "omit", referrerPolicy: "no-referrer", redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (!response.ok || error || result === undefined) throw new Error(String(error?.message ?? `the node answered ${response.status}`).slice(0, 200));
  return result;
}

/** Answers how to read a chain by its public nodes, the next one where one fails; null where it has none. */
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
          if (chain.chainType === "EVM" && BigInt((await post(url, "eth_chainId", [])) as string) !== BigInt(chain.id)) throw new Error("the node is of another chain");
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
