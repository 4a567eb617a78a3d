// A dialog to choose a chain and a token: a combobox with a list box below it (ARIA Authoring Practices).

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { shorten } from "../addresses.ts";
import type { Chain, ChainType, Token } from "../api.ts";
import { type Catalog, matching, plain } from "../catalog.ts";
import type { SideName } from "../form.ts";
import { browserStorage } from "../history.ts";
import { dollars, formatDollars, shortAmount } from "../money.ts";
import { texts } from "../texts.ts";
import { theme } from "../theme.css.ts";
import { type KeptToken, type Shelf, TokenMemory } from "../token-memory.ts";
import { balancesOf } from "../wallet/balances.ts";
import type { Read } from "../wallet/nodes.ts";
import { chainLogo, inputOf, logo } from "./fragments.ts";
import { cross, star } from "./icons.ts";

const SHOWN = 60;
const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

export interface PickerProps {
  readonly api: { base: string };
  readonly catalog: Catalog;
  walletOf(chainType: ChainType): { address: string } | null;
  readonly form: Record<SideName, { chain: Chain | null }>;
  /** Returns how to read a chain; null where no node answers this page. */
  reader(chain: Chain): Read | null;
  choose(side: SideName, chain: Chain, token: Token): void;
}

export class TokenPicker extends LitElement {
  static override styles = theme;
  static override properties = { props: { attribute: false }, side: { attribute: false } };
  declare props: PickerProps;
  declare side: SideName;
  /** Null where all chains are searched. */
  private chain: Chain | null = null;
  private readonly memory = new TokenMemory(browserStorage());
  private text = "";
  private tokens: Token[] = [];
  private active = 0;
  private problem = "";
  private round = 0;
  private balances = new Map<string, bigint>();

  override firstUpdated(): void {
    const form = this.props.form[this.side];
    this.renderRoot.querySelector("dialog")?.showModal();
    void this.move(form.chain ?? this.offered()[0] ?? null);
  }

  private offered(): Chain[] {
    return this.side === "pay" ? this.props.catalog.payers : this.props.catalog.chains;
  }

  private async move(chain: Chain | null): Promise<void> {
    this.chain = chain;
    this.balances = new Map();
    await this.search(this.text);
    const wallet = chain && this.props.walletOf(chain.chainType);
    if (wallet) void this.readBalances(chain, wallet.address);
  }

  private async readBalances(chain: Chain, owner: string): Promise<void> {
    const read = this.props.reader(chain);
    const tokens = this.props.catalog.listed(chain.id);
    const found =
      read && chain.chainType === "EVM" ? await balancesOf(read, chain, tokens, owner).catch(() => null) : null;
    if (!found || this.chain !== chain) return;
    this.balances = found;
    await this.search(this.text);
  }

  private async search(text: string): Promise<void> {
    this.round += 1;
    const { round, chain } = this;
    this.text = text;
    this.active = 0;
    this.problem = "";
    try {
      const found = chain ? await this.onChain(chain, text.trim()) : await this.everywhere(text.trim());
      if (round !== this.round) return;
      this.tokens = found.slice(0, SHOWN);
      const nothingFound = chain ? texts.noSuchToken : texts.noSuchTokenAnywhere;
      this.problem = found.length ? "" : nothingFound;
    } catch {
      if (round !== this.round) return;
      this.tokens = [];
      this.problem = texts.tokenUnreadable;
    }
    this.requestUpdate();
  }

  private async onChain(chain: Chain, text: string): Promise<Token[]> {
    const { catalog } = this.props;
    const listed = await catalog.tokens(chain.id);
    if (!text) return this.byWorth(listed);
    const found = matching(listed, text);
    return found.length || !ADDRESS.test(text) ? found : [await catalog.unlisted(chain, text)];
  }

  /** Finds tokens on all chains; some of each where nothing is typed. */
  private async everywhere(text: string): Promise<Token[]> {
    const chains = this.offered().map(({ id }) => id);
    const tokens = await this.props.catalog.tokensOf(chains);
    if (text) return matching(tokens, text);
    const each = Math.ceil(SHOWN / chains.length);
    return chains.flatMap((id) => tokens.filter(({ chainId }) => chainId === id).slice(0, each));
  }

  /** What the wallet has comes first, the most valuable before the rest. */
  private byWorth(tokens: Token[]): Token[] {
    const value = (token: Token): bigint => {
      const raw = this.balances.get(token.address) ?? 0n;
      return dollars(raw, token.decimals, token.priceUSD) ?? (raw > 0n ? 1n : 0n);
    };
    const ranked = tokens.map((token, place) => ({ token, place, worth: value(token) }));
    ranked.sort((a, b) => (a.worth === b.worth ? a.place - b.place : a.worth > b.worth ? -1 : 1));
    return ranked.map(({ token }) => token);
  }

  private take(token: Token | undefined): void {
    const chain = this.offered().find(({ id }) => id === token?.chainId);
    if (!token || !chain) return;
    this.memory.chosen(token);
    this.props.choose(this.side, chain, token);
    this.close();
  }

  /** Takes what is kept as the service lists it now. */
  private async takeKept({ chainId, address }: KeptToken): Promise<void> {
    const chain = this.offered().find(({ id }) => id === chainId);
    const token = chain && (await this.props.catalog.find(chain, address).catch(() => null));
    if (token) this.take(token);
    else this.problem = texts.tokenUnreadable;
    this.requestUpdate();
  }

  private toggle(token: Token): void {
    this.memory.toggle(token);
    this.requestUpdate();
  }

  private close(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }

  private key(event: KeyboardEvent): void {
    const count = this.tokens.length;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step && count) this.active = (this.active + step + count) % count;
    else if (event.key === "Enter") this.take(this.tokens[this.active]);
    else return;
    event.preventDefault();
    this.requestUpdate();
  }

  override updated(_: PropertyValues): void {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  override render(): TemplateResult {
    const chip = (chain: Chain | null): TemplateResult =>
      html`<button type="button" class="chip" data-chain=${chain?.id ?? "all"}
        aria-pressed=${String(chain === this.chain)}
        @click=${() => void this.move(chain)}>${
          chain ? chainLogo(this.props.api.base, chain, 16) : nothing
        }${chain?.name ?? texts.allChains}</button>`;
    const offered = this.offered();
    const chips = offered.length > 1 ? [null, ...offered] : offered;
    return html`<dialog aria-labelledby="picker-title" @close=${() => this.dispatchEvent(new Event("closed"))}>
      <div class="dialog-top"><h2 id="picker-title">${this.side === "pay" ? texts.payWith : texts.receive}</h2>
        <button type="button" class="plain" id="picker-close" aria-label=${texts.close}
          @click=${() => this.close()}>${cross}</button></div>
      <div class="chains" role="group" aria-label=${texts.chain}>${chips.map(chip)}</div>
      <label for="search">${texts.token}</label>
      <input id="search" role="combobox" aria-expanded="true" aria-controls="tokens" aria-autocomplete="list"
        autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${texts.tokenHint} autofocus
        aria-activedescendant=${this.tokens.length ? `token-${this.active}` : nothing}
        @input=${(event: Event) => void this.search(inputOf(event).value)}
        @keydown=${(event: KeyboardEvent) => this.key(event)}>
      ${this.text.trim() ? nothing : this.shelves()}
      <ul id="tokens" role="listbox" aria-label=${texts.tokens}>
        ${this.tokens.map((token, place) => this.option(token, place))}</ul>
      <p class="soft" role="status" id="picker-said">${this.problem}</p>
      ${this.favourite(this.tokens[this.active])}
    </dialog>`;
  }

  private shelves(): (TemplateResult | typeof nothing)[] {
    return [this.shelf("favourites", texts.favourites), this.shelf("recent", texts.recent)];
  }

  /** Tokens that are kept, on the chains that are offered. */
  private shelf(name: Shelf, title: string): TemplateResult | typeof nothing {
    const names = new Map(this.offered().map(({ id, name: chain }) => [id, chain]));
    const kept = this.memory.list(name).filter(({ chainId }) => names.has(chainId));
    if (!kept.length) return nothing;
    return html`<div class="chains shelf" role="group" aria-label=${title}>
      <span class="small soft" aria-hidden="true">${title}</span>
      ${kept.map(
        (token) => html`<button type="button" class="chip" data-kept=${token.address}
          @click=${() => void this.takeKept(token)}><bdi>${plain(token.symbol, 12)}</bdi>
          <span class="where">${names.get(token.chainId)}</span></button>`,
      )}</div>`;
  }

  /** Makes the token that the arrows are on a favourite; the star in its row does the same for who points. */
  private favourite(token: Token | undefined): TemplateResult | typeof nothing {
    if (!token) return nothing;
    const kept = this.memory.isFavourite(token);
    return html`<button type="button" class="plain small" id="favourite" aria-pressed=${String(kept)}
      @click=${() => this.toggle(token)}>${
        kept ? texts.removeFavourite(token.symbol) : texts.addFavourite(token.symbol)
      }</button>`;
  }

  private option(token: Token, place: number): TemplateResult {
    const raw = this.balances.get(token.address);
    const value = raw === undefined ? null : dollars(raw, token.decimals, token.priceUSD);
    const worth = value ? formatDollars(value) : html`<code>${shorten(token.address)}</code>`;
    return html`<li id="token-${place}" role="option" aria-selected=${String(place === this.active)}
        data-address=${token.address} @click=${() => this.take(token)}>
      ${logo(this.props.api.base, token, 32)}
      <span class="option-text"><strong>${token.symbol}</strong><span class="name">${token.name}</span>
        ${this.chain ? nothing : html`<span class="where">${this.props.catalog.chain(token.chainId)?.name}</span>`}
        ${token.unlisted ? html`<span class="mind small">${texts.unlisted}</span>` : nothing}</span>
      <span class="option-end">
        ${raw ? html`<span class="number">${shortAmount(raw, token.decimals)}</span>` : nothing}
        <span class="small soft">${worth}</span></span>
      <span class="star" aria-hidden="true" ?data-on=${this.memory.isFavourite(token)}
        @click=${(event: Event) => {
          event.stopPropagation();
          this.toggle(token);
        }}>${star}</span>
    </li>`;
  }
}

if (!customElements.get("rhumbline-token-picker")) customElements.define("rhumbline-token-picker", TokenPicker);
