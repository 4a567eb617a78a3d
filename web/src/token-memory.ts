// Tokens that were chosen last, and favourites, kept in this browser only. What is kept names a token; its decimals are
// read from the service again.

import { same } from "./addresses.ts";
import type { Token } from "./api.ts";

export interface KeptToken {
  chainId: number;
  address: string;
  symbol: string;
}

export type Shelf = "recent" | "favourites";

const KEY = "rhumbline-swap/tokens/";
const MOST: Record<Shelf, number> = { recent: 6, favourites: 12 };

const alike = (one: Pick<Token, "chainId" | "address">, other: Pick<Token, "chainId" | "address">): boolean =>
  one.chainId === other.chainId && same(one.address, other.address);

function isKept(found: unknown): found is KeptToken {
  const { chainId, address, symbol } = (found ?? {}) as Partial<KeptToken>;
  return Number.isSafeInteger(chainId) && typeof address === "string" && typeof symbol === "string";
}

export class TokenMemory {
  private readonly storage: Storage | null;
  /** What no storage keeps lasts as long as the page. */
  private readonly held = new Map<Shelf, KeptToken[]>();

  constructor(storage: Storage | null) {
    this.storage = storage;
  }

  /** Returns what is kept, the latest first. */
  list(shelf: Shelf): KeptToken[] {
    const held = this.held.get(shelf);
    if (held) return held;
    try {
      const found: unknown = JSON.parse(this.storage?.getItem(KEY + shelf) ?? "null");
      if (Array.isArray(found)) return found.filter(isKept).slice(0, MOST[shelf]);
    } catch {
      // Nothing that can be read is kept.
    }
    return [];
  }

  /** Notes that a token was chosen. */
  chosen(token: Token): void {
    this.put("recent", token);
  }

  isFavourite(token: Token): boolean {
    return this.list("favourites").some((each) => alike(each, token));
  }

  /** Makes a token a favourite, or one no more. */
  toggle(token: Token): void {
    const others = this.list("favourites").filter((each) => !alike(each, token));
    if (this.isFavourite(token)) this.write("favourites", others);
    else this.put("favourites", token);
  }

  private put(shelf: Shelf, token: Token): void {
    const { chainId, address, symbol } = token;
    const others = this.list(shelf).filter((each) => !alike(each, token));
    this.write(shelf, [{ chainId, address, symbol }, ...others].slice(0, MOST[shelf]));
  }

  private write(shelf: Shelf, tokens: KeptToken[]): void {
    this.held.delete(shelf);
    try {
      this.storage?.setItem(KEY + shelf, JSON.stringify(tokens));
      if (!this.storage) this.held.set(shelf, tokens);
    } catch {
      this.held.set(shelf, tokens);
    }
  }
}
