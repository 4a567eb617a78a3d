// Public nodes, as /v1/chains names them: read only, without cookies, and only to see what becomes of a transfer.

const PATIENCE_MS = 8000;

async function post(url, method, params) {
  const response = await fetch(url, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    credentials: "omit", referrerPolicy: "no-referrer", redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { result, error } = await response.json();
  if (!response.ok || error || result === undefined) throw new Error(String(error?.message ?? `the node answered ${response.status}`).slice(0, 200));
  return result;
}

/** Answers `call(method, ...params)` on a chain's public nodes, the next one where one fails; null where it has none. */
export function nodeOf(chain) {
  const urls = chain?.chainType === "EVM" ? chain.rpcUrls ?? [] : [];
  if (!urls.length) return null;
  const known = new Set();
  let first = 0;
  return async (method, ...params) => {
    let failure = null;
    for (let turn = 0; turn < urls.length; turn += 1) {
      const place = (first + turn) % urls.length;
      try {
        if (!known.has(place)) {
          if (BigInt(await post(urls[place], "eth_chainId", [])) !== BigInt(chain.id)) throw new Error("the node is of another chain");
          known.add(place);
        }
        const result = await post(urls[place], method, params);
        first = place;
        return result;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
}
