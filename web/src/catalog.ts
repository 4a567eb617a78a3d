// Chains, tools and tokens as the service lists them, each asked for once.

import { same } from "./addresses.ts";
import type { Api, Chain, Token, Tools } from "./api.ts";

export class Catalog {
  chains: Chain[] = [];
  /** Chains that can be paid from. */
  payers: Chain[] = [];
  bridged = false;
  private readonly lists = new Map<number, Promise<Token[]>>();
  private readonly here = new Map<number, Token[]>();

  private readonly api: Api;
  private readonly only: readonly string[];

  /** `only` limits the tokens, as "<chain>:<symbol or address>", on the chains that it names. */
  constructor(api: Api, only: readonly string[] = []) {
    this.api = api;
    this.only = only;
  }

  /** Loads chains and tools; `only` limits the chains, `payers` those to pay from, where they are named. */
  async load(only: readonly number[], payers: readonly number[]): Promise<void> {
    const [chains, tools, paying] = await Promise.all([
      this.api.chains(),
      this.api.tools(),
      payers.length ? payers : this.api.payers(),
    ]);
    const quoted = quotedChains(tools);
    this.bridged = tools.bridges.length > 0;
    this.chains = chains.filter(({ id }) => quoted.has(id) && (!only.length || only.includes(id)));
    this.payers = this.chains.filter(({ id, served }) => (paying.length ? paying.includes(id) : served !== false));
  }

  chain(id: number | null): Chain | null {
    return this.chains.find((chain) => chain.id === id) ?? null;
  }

  /** Returns the listed tokens of a chain, asked for once. */
  tokens(chainId: number): Promise<Token[]> {
    const known = this.lists.get(chainId);
    if (known !== undefined) return known;
    const asked = this.api.tokens(chainId).then((tokens) => this.limited(chainId, tokens.map(displayable)));
    this.lists.set(chainId, asked);
    asked.then(
      (tokens) => this.here.set(chainId, tokens),
      () => this.lists.delete(chainId),
    );
    return asked;
  }

  /** Returns the listed tokens that are loaded already. */
  listed(chainId: number): Token[] {
    return this.here.get(chainId) ?? [];
  }

  /** Finds a token by symbol or address; one on no list by its address alone. */
  async find(chain: Chain, wanted: string): Promise<Token | null> {
    const tokens = await this.tokens(chain.id);
    const found =
      tokens.find(({ address }) => same(address, wanted)) ??
      tokens.find(({ symbol }) => symbol.toLowerCase() === wanted.toLowerCase());
    if (found) return found;
    return wanted.length >= 32 ? this.unlisted(chain, wanted).catch(() => null) : null;
  }

  async unlisted(chain: Chain, address: string, signal?: AbortSignal): Promise<Token> {
    return { ...displayable(await this.api.token(chain.id, address, signal)), unlisted: true };
  }

  private limited(chainId: number, tokens: Token[]): Token[] {
    const names = this.only
      .filter((text) => text.startsWith(`${chainId}:`))
      .map((text) => text.slice(text.indexOf(":") + 1).toLowerCase());
    return names.length
      ? tokens.filter(
          ({ symbol, address }) => names.includes(symbol.toLowerCase()) || names.includes(address.toLowerCase()),
        )
      : tokens;
  }
}

/**
 * Writes a token's names so that they cannot pass for other words: no invisible characters, none that
 * change the direction of writing, and nothing endless.
 */
export function displayable(token: Token): Token {
  const plain = (text: string, most: number): string => {
    const seen = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")];
    return seen.length > most ? `${seen.slice(0, most).join("")}…` : seen.join("");
  };
  return { ...token, symbol: plain(token.symbol, 32), name: plain(token.name, 64) };
}

function quotedChains(tools: Tools): Set<number> {
  return new Set([...tools.exchanges, ...tools.bridges].flatMap(({ supportedChains }) => supportedChains.map(Number)));
}

/** Orders tokens by how well they fit what was typed. */
export function matching(tokens: Token[], text: string): Token[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return tokens;
  const rank = ({ symbol, name, address }: Token): number => {
    const [s, n] = [symbol.toLowerCase(), name.toLowerCase()];
    if (s === wanted || address.toLowerCase() === wanted) return 0;
    if (s.startsWith(wanted)) return 1;
    if (n.startsWith(wanted)) return 2;
    return s.includes(wanted) || n.includes(wanted) ? 3 : 4;
  };
  const ranked = tokens.map((token, place) => ({ grade: rank(token), place, token })).filter(({ grade }) => grade < 4);
  return ranked.sort((a, b) => a.grade - b.grade || a.place - b.place).map(({ token }) => token);
}
