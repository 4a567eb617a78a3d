// A dialog to choose a chain and a token: a combobox with a list box below it (ARIA Authoring Practices).

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { shorten } from "../addresses.ts";
import type { Chain, Token } from "../api.ts";
import { type Catalog, matching } from "../catalog.ts";
import type { SideName } from "../form.ts";
import { dollars, formatDollars, shortAmount } from "../money.ts";
import * as texts from "../texts.ts";
import { theme } from "../theme.css.ts";
import { balancesOf } from "../wallet/balances.ts";
import type { Read } from "../wallet/nodes.ts";
import { inputOf, logo } from "./fragments.ts";
import { cross } from "./icons.ts";

const SHOWN = 60;
const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

export interface PickerProps {
  readonly api: { base: string };
  readonly catalog: Catalog;
  readonly wallet: { address: string } | null;
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
  private chain: Chain | null = null;
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
    if (chain && this.props.wallet) void this.readBalances(chain, this.props.wallet.address);
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
    if (!chain) return;
    try {
      const listed = matching(await this.props.catalog.tokens(chain.id), text);
      let found = text.trim() ? listed : this.byWorth(listed);
      if (!found.length && ADDRESS.test(text.trim())) found = [await this.props.catalog.unlisted(chain, text.trim())];
      if (round !== this.round) return;
      this.tokens = found.slice(0, SHOWN);
      this.problem = found.length ? "" : texts.noSuchToken;
    } catch {
      if (round !== this.round) return;
      this.tokens = [];
      this.problem = texts.tokenUnreadable;
    }
    this.requestUpdate();
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
    if (!token || !this.chain) return;
    this.props.choose(this.side, this.chain, token);
    this.close();
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
    const chip = (chain: Chain): TemplateResult =>
      html`<button type="button" class="chip" data-chain=${chain.id} aria-pressed=${String(chain === this.chain)}
        @click=${() => void this.move(chain)}>${chain.name}</button>`;
    return html`<dialog aria-labelledby="picker-title" @close=${() => this.dispatchEvent(new Event("closed"))}>
      <div class="dialog-top"><h2 id="picker-title">${this.side === "pay" ? texts.payWith : texts.receive}</h2>
        <button type="button" class="plain" id="picker-close" aria-label=${texts.close}
          @click=${() => this.close()}>${cross}</button></div>
      <div class="chains" role="group" aria-label=${texts.chain}>${this.offered().map(chip)}</div>
      <label for="search">${texts.token}</label>
      <input id="search" role="combobox" aria-expanded="true" aria-controls="tokens" aria-autocomplete="list"
        autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${texts.tokenHint} autofocus
        aria-activedescendant=${this.tokens.length ? `token-${this.active}` : nothing}
        @input=${(event: Event) => void this.search(inputOf(event).value)}
        @keydown=${(event: KeyboardEvent) => this.key(event)}>
      <ul id="tokens" role="listbox" aria-label=${texts.tokens}>
        ${this.tokens.map((token, place) => this.option(token, place))}</ul>
      <p class="soft" role="status" id="picker-said">${this.problem}</p>
    </dialog>`;
  }

  private option(token: Token, place: number): TemplateResult {
    const raw = this.balances.get(token.address);
    const value = raw === undefined ? null : dollars(raw, token.decimals, token.priceUSD);
    const worth = value ? formatDollars(value) : html`<code>${shorten(token.address)}</code>`;
    return html`<li id="token-${place}" role="option" aria-selected=${String(place === this.active)}
        data-address=${token.address} @click=${() => this.take(token)}>
      ${logo(this.props.api.base, token, 32)}
      <span class="option-text"><strong>${token.symbol}</strong><span class="name">${token.name}</span>
        ${token.unlisted ? html`<span class="mind small">${texts.unlisted}</span>` : nothing}</span>
      <span class="option-end">
        ${raw ? html`<span class="number">${shortAmount(raw, token.decimals)}</span>` : nothing}
        <span class="small soft">${worth}</span></span>
    </li>`;
  }
}

if (!customElements.get("rhumbline-token-picker")) customElements.define("rhumbline-token-picker", TokenPicker);
