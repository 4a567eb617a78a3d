// Small pieces that several views draw.

import { html, type TemplateResult } from "lit";
import { securePage, shorten } from "../addresses.ts";
import type { Chain, Token } from "../api.ts";

/** What is drawn of a token. */
type Logo = Pick<Token, "symbol" | "address" | "logoURI">;

/**
 * Returns a token's logo from the service itself: the page loads nothing from other hosts, so a list's own is drawn
 * instead.
 */
export function logoOf(base: string, { symbol, address, logoURI }: Logo): string {
  const home = new URL(base || "/", location.href);
  try {
    const given = new URL(logoURI ?? "", home);
    if (logoURI && given.origin === home.origin) return given.href;
  } catch {
    // No address: drawn instead.
  }
  // Below the address, which may have a path: an integrator's own proxy.
  return `${home.href.replace(/\/+$/, "")}/logos/${initials(symbol)}/${address}.svg`;
}

/** Returns what a drawn logo says: the first letters of several words, or the beginning of one. */
export function initials(name: string): string {
  const words = name
    .split(/\s+/)
    .map((word) => word.replace(/[^A-Za-z0-9]/g, ""))
    .filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => word[0]).join("") : words.join("");
  return letters.slice(0, 4) || "-";
}

/** A chain's logo, or its flag. */
export const chainLogo = (base: string, { name, key, logoURI }: Chain, size = 18): TemplateResult =>
  logo(base, { symbol: name, address: key, logoURI }, size);

export const logo = (base: string, token: Logo, size = 28): TemplateResult =>
  html`<img class="logo" src=${logoOf(base, token)} alt="" width=${size} height=${size} loading="lazy">`;

/** Shows a transaction's hash, linked where the chain has a secure explorer. */
export function hashLink(chain: Chain | null, hash: string): TemplateResult {
  const explorer = securePage(chain?.blockExplorerUrls);
  const text = html`<code title=${hash}>${shorten(hash)}</code>`;
  if (!explorer) return text;
  const page = `${explorer.href.replace(/\/$/, "")}/tx/${hash}`;
  return html`<a href=${page} rel="noreferrer" target="_blank">${text}</a>`;
}

export const inputOf = (event: Event): HTMLInputElement => event.target as HTMLInputElement;
