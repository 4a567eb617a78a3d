// Chains, tools and tokens as the service lists them, each asked for once.

import { same } from "./addresses.ts";
import type { Api, Chain, StepToken, Token, Tool, ToolFilters, Tools } from "./api.ts";

export class Catalog {
  chains: Chain[] = [];
  /** Chains that can be paid from. */
  payers: Chain[] = [];
  bridged = false;
  /** Where the service shows receipts; "" where it does not say, or not yet. */
  receipts = "";
  /** What the service can ask. */
  tools: Tools = { exchanges: [], bridges: [] };
  /** What a question says of the tools that may be asked. */
  filters: ToolFilters = {};
  /** Limits of `only` that name no token of a list that is loaded. */
  readonly missing: string[] = [];
  /** What people call a tool, by its key. */
  private names = new Map<string, string>();
  private readonly lists = new Map<number, Promise<Token[]>>();
  private readonly here = new Map<number, Token[]>();

  private readonly api: Api;
  private readonly only: readonly string[];

  /** `only` limits the tokens, as "<chain>:<symbol or address>", on the chains that it names. */
  constructor(api: Api, only: readonly string[] = []) {
    this.api = api;
    this.only = only;
  }

  /**
   * Loads chains and tools; `only` limits the chains, `payers` those to pay from, `asked` the tools, where they are
   * named.
   */
  async load(only: readonly number[], payers: readonly number[], asked: readonly string[] = []): Promise<void> {
    const facts = this.api.facts();
    void facts.then(({ receipts }) => {
      this.receipts = typeof receipts === "string" && /^https?:/.test(receipts) ? receipts : "";
    });
    const [chains, tools, paying] = await Promise.all([
      this.api.chains(),
      this.api.tools(),
      payers.length ? payers : facts.then((found) => (Array.isArray(found.payers) ? found.payers : [])),
    ]);
    const limit = (all: Tool[]): Tool[] => all.filter(({ key }) => !asked.length || asked.includes(key));
    const allowed = { exchanges: limit(tools.exchanges), bridges: limit(tools.bridges) };
    const quoted = quotedChains(allowed);
    this.bridged = allowed.bridges.length > 0;
    this.tools = tools;
    this.filters = asked.length ? filtersOf(tools, allowed) : {};
    this.names = new Map([...tools.exchanges, ...tools.bridges].map(({ key, name }) => [key, plain(name, 32)]));
    this.chains = chains.filter(({ id }) => quoted.has(id) && (!only.length || only.includes(id)));
    this.payers = this.chains.filter(({ id, served }) => (paying.length ? paying.includes(id) : served !== false));
  }

  chain(id: number | null): Chain | null {
    return this.chains.find((chain) => chain.id === id) ?? null;
  }

  /** Returns what people call a tool: its key where the service has no name for it. */
  toolName(key: string): string {
    return this.names.get(key) ?? key;
  }

  /** Returns the listed tokens of a chain, asked for once. */
  tokens(chainId: number): Promise<Token[]> {
    const known = this.lists.get(chainId);
    if (known !== undefined) return known;
    return this.keep(
      chainId,
      this.api.tokens([chainId]).then((lists) => lists[chainId] ?? []),
    );
  }

  /** Returns the listed tokens of several chains; those that are not loaded are asked for at once. */
  async tokensOf(chainIds: readonly number[]): Promise<Token[]> {
    const missing = chainIds.filter((id) => !this.lists.has(id));
    const asked = missing.length ? this.api.tokens(missing) : Promise.resolve({});
    for (const id of missing)
      void this.keep(
        id,
        asked.then((lists: Record<number, Token[]>) => lists[id] ?? []),
      );
    return (await Promise.all(chainIds.map((id) => this.tokens(id)))).flat();
  }

  private keep(chainId: number, list: Promise<Token[]>): Promise<Token[]> {
    const asked = list.then((tokens) => this.limited(chainId, tokens.map(displayable)));
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

  /** Returns a step's token as its list has it, where that is loaded. */
  described(token: StepToken): StepToken & Partial<Token> {
    return this.listed(token.chainId).find(({ address }) => same(address, token.address)) ?? token;
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
    const isNamed = ({ symbol, address }: Token, name: string): boolean =>
      name === symbol.toLowerCase() || name === address.toLowerCase();
    for (const name of names) {
      if (!tokens.some((token) => isNamed(token, name))) this.missing.push(`${chainId}:${name}`);
    }
    return names.length ? tokens.filter((token) => names.some((name) => isNamed(token, name))) : tokens;
  }
}

/**
 * Writes a stranger's name so that it cannot pass for other words: no invisible characters, none that change the
 * direction of writing, and nothing endless.
 */
export function plain(text: string, most: number): string {
  const seen = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")];
  return seen.length > most ? `${seen.slice(0, most).join("")}…` : seen.join("");
}

export const displayable = (token: Token): Token => ({
  ...token,
  symbol: plain(token.symbol, 32),
  name: plain(token.name, 64),
});

function quotedChains(tools: Tools): Set<number> {
  return new Set([...tools.exchanges, ...tools.bridges].flatMap(({ supportedChains }) => supportedChains.map(Number)));
}

/** Says which tools may be asked; a kind of which none may be is left out whole. */
function filtersOf(all: Tools, allowed: Tools): ToolFilters {
  const keys = (tools: Tool[]): string => tools.map(({ key }) => key).join(",");
  const { exchanges, bridges } = allowed;
  return {
    ...(exchanges.length ? { includeExchanges: keys(exchanges) } : {}),
    ...(exchanges.length || !all.exchanges.length ? {} : { excludeExchanges: keys(all.exchanges) }),
    ...(bridges.length ? { includeBridges: keys(bridges) } : {}),
    ...(bridges.length || !all.bridges.length ? {} : { excludeBridges: keys(all.bridges) }),
  };
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
