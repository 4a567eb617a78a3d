// What a page says by attributes of the element.

export interface Options {
  api: string;
  chains: number[];
  payers: number[];
  tokens: string[];
  integrator?: string;
  fee?: number;
  link: string;
}

export const ATTRIBUTES = ["api", "chains", "payers", "tokens", "integrator", "fee"] as const;
const NAME = /^[A-Za-z0-9._-]{1,31}$/;
const MOST_FEE = 0.1;

const words = (text: string | null): string[] => (text ?? "").split(/[\s,]+/).filter(Boolean);
const numbers = (text: string | null): number[] => words(text).map(Number).filter(Number.isSafeInteger);

/** Returns the service's address: the one that is named, else where the script came from; null for one that is none. */
export function apiOf(named: string | null, script: string, page: string): string | null {
  if (named === null) return new URL(script).origin;
  try {
    const { protocol, origin, pathname } = new URL(named, page);
    return /^https?:$/.test(protocol) ? (origin + pathname).replace(/\/+$/, "") : null;
  } catch {
    return null;
  }
}

/** Returns what the attributes mean; null where there is no service to ask. */
export function optionsOf(element: Element): Options | null {
  const api = apiOf(element.getAttribute("api"), import.meta.url, document.baseURI);
  if (api === null) return null;
  const links = element.hasAttribute("links");
  const linked = links ? new URLSearchParams(location.search).get("integrator") : null;
  const integrator = element.getAttribute("integrator") ?? linked ?? "";
  const fee = Number(element.getAttribute("fee"));
  return {
    api,
    chains: numbers(element.getAttribute("chains")),
    payers: numbers(element.getAttribute("payers")),
    tokens: words(element.getAttribute("tokens")),
    integrator: NAME.test(integrator) ? integrator : undefined,
    fee: fee > 0 && fee <= MOST_FEE ? fee : undefined,
    link: links ? location.search : "",
  };
}
