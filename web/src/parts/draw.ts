// Small pieces that several parts draw.

import { html, type TemplateResult } from "lit";
import { securePage, shorten } from "../addresses.ts";
import type { Chain, Token } from "../api.ts";

/** Answers a token's logo from the service itself: the page loads nothing from other hosts, so a list's own is drawn instead. */
export function logoOf(api: string, { symbol, address, logoURI }: { symbol: string; address: string; logoURI?: string }): string {
  const home = new URL(api || "/", location.href);
  try {
    const given = new URL(logoURI ?? "", home);
    if (logoURI && given.origin === home.origin) return given.href;
  } catch {
    // No address: drawn instead.
  }
  // Below the address, which may have a path: an integrator's own proxy.
  return `${home.href.replace(/\/+$/, "")}/logos/${symbol.replace(/[^A-Za-z0-9]/g, "").slice(0, 3) || "-"}/${address}.svg`;
}

export const logo = (api: string, token: Token | { symbol: string; address: string }, size = 28): TemplateResult =>
  html`<img class="logo" src=${logoOf(api, token)} alt="" width=${size} height=${size} loading="lazy">`;

/** A transaction's hash, linked where the chain has a secure explorer. */
export function hashLink(chain: Chain | null, hash: string): TemplateResult {
  const explorer = securePage(chain?.blockExplorerUrls);
  const text = html`<code title=${hash}>${shorten(hash)}</code>`;
  return explorer ? html`<a href=${`${explorer.href.replace(/\/$/, "")}/tx/${hash}`} rel="noreferrer" target="_blank">${text}</a>` : text;
}

export function timeOf(seconds: number | undefined): string {
  if (seconds === undefined) return "one transaction";
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}
