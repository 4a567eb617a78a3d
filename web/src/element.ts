// <rhumbline-swap>: the swap box, its comparison, what is under way, and the history.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ATTRIBUTES, optionsOf } from "./embedding.ts";
import { give, keeping, placeOf } from "./focus.ts";
import { formatAmount, formatRate } from "./money.ts";
import type { ResolveName } from "./naming.ts";
import { amounts } from "./parts/amounts.ts";
import { comparison } from "./parts/comparison.ts";
import { turn } from "./parts/icons.ts";
import { lossNote } from "./parts/loss.ts";
import { historyList } from "./parts/history-list.ts";
import { progress } from "./parts/progress.ts";
import { receiver, settings } from "./parts/settings.ts";
import { refusal } from "./parts/refusal.ts";
import { leaving } from "./parts/waiting.ts";
import { walletButton, walletDialog } from "./parts/wallet-dialog.ts";
import { Session } from "./session.ts";
import { buttonOf } from "./state.ts";
import { theme } from "./theme.css.ts";
import type { Announced } from "./wallet/discovery.ts";
import { walletError } from "./wallet/evm.ts";

export class RhumblineSwap extends LitElement {
  static override styles = theme;
  static override properties = { resolveName: { attribute: false } };
  /** What the page resolves receivers' names by; without it the element takes addresses only. */
  declare resolveName: ResolveName | undefined;
  private session: Session | null = null;
  private picking: "pay" | "get" | null = null;
  private choosing = false;
  /** What opened the dialog of wallets. */
  private opener = "";
  private walletSaid = "";
  private clock: ReturnType<typeof setInterval> | undefined;
  private turned = false;
  /** Whether the session began with other attributes. */
  private outdated = false;
  private shown: string | null = null;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...ATTRIBUTES];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.begin();
    this.clock = setInterval(() => this.tick(), 1000);
  }

  /** Begins anew with the attributes as they are, once what is being signed is signed. */
  private begin(): void {
    this.outdated = false;
    const before = this.session;
    before?.stop();
    const options = optionsOf(this);
    this.session = options && new Session(options, { changed: () => this.changed(), tell: (name, detail) => this.tell(name, detail), resolveName: () => this.resolveName });
    if (before) this.session?.transfers.inherit(before.transfers);
    void this.session?.start();
    this.requestUpdate();
  }

  private changed(): void {
    if (this.outdated && !this.session?.busy) this.begin();
    else this.requestUpdate();
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(`rhumbline-${name}`, { detail, bubbles: true, composed: true }));
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (!this.clock || this.outdated || old === value) return;
    this.outdated = true;
    // Several that are set one after another begin once.
    queueMicrotask(() => this.isConnected && this.changed());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.clock);
    this.clock = undefined;
    this.session?.stop();
    this.session = null;
  }

  private tick(): void {
    const { asking } = this.session ?? {};
    if (asking?.is === "answered" || (asking?.is === "failed" && asking.words.mend?.kind === "wait")) this.requestUpdate();
  }

  override update(changed: PropertyValues): void {
    keeping(this.shadowRoot, () => super.update(changed));
  }

  override updated(): void {
    const dialog = this.renderRoot.querySelector<HTMLDialogElement>("#wallet-dialog");
    if (dialog && !dialog.open) dialog.showModal();
    this.lead();
  }

  /** Brings what has just begun into sight: on a phone it is below the form. */
  private lead(): void {
    const current = this.session?.transfers.current?.id ?? null;
    if (current === this.shown) return;
    this.shown = current;
    if (this.session?.busy) this.renderRoot.querySelector(".progress")?.scrollIntoView({ block: "nearest" });
  }

  private async pick(side: "pay" | "get"): Promise<void> {
    try {
      await import("./parts/token-picker.ts");
    } catch {
      // The service has another version by now, which has other chunks.
      return this.session?.set({ said: "The list of tokens could not be loaded: reload the page" });
    }
    this.picking = side;
    this.requestUpdate();
  }

  private async picked(): Promise<void> {
    const side = this.picking;
    const left = this.leftAlone();
    this.picking = null;
    this.requestUpdate();
    if (left) await this.attend(`${side}-token`);
  }

  /** Tells whether a dialog that has closed leaves the focus nowhere; who has gone on meanwhile is not called back. */
  private leftAlone(): boolean {
    const place = this.shadowRoot?.activeElement;
    return !place || place.closest("dialog, rhumbline-token-picker") !== null;
  }

  /** Gives the focus to a control once it is drawn. */
  private async attend(id: string): Promise<void> {
    await this.updateComplete;
    if (this.shadowRoot) give(this.shadowRoot, id);
  }

  private choose(): void {
    this.opener = placeOf(this.shadowRoot);
    this.choosing = true;
    this.walletSaid = "";
    this.session?.connection.discovery.ask();
    this.requestUpdate();
  }

  private chosen(): void {
    const left = this.leftAlone();
    this.choosing = false;
    this.requestUpdate();
    if (left) void this.attend(this.opener);
  }

  private async join(wallet: Announced): Promise<void> {
    try {
      await this.session?.connection.join(wallet);
      this.renderRoot.querySelector<HTMLDialogElement>("#wallet-dialog")?.close();
    } catch (error) {
      this.walletSaid = walletError(error);
      this.requestUpdate();
    }
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    if (!session) return this.clock ? html`<p class="note bad" role="alert">This page names no address of a service: look at the element’s attribute <code>api</code>.</p>` : nothing;
    return html`<div class="swap">
      <div class="bar">
        <div class="views" role="group" aria-label="View">
          <button type="button" class="view" aria-pressed=${String(session.view === "swap")} @click=${() => session.set({ view: "swap" })}>Swap</button>
          <button type="button" class="view" id="history" aria-pressed=${String(session.view === "history")} @click=${() => session.set({ view: "history" })}>History</button>
        </div>
        ${walletButton(session, () => this.choose())}
      </div>
      ${session.view === "history" ? historyList(session) : this.box(session)}
      <p class="small soft serves">Served by <a href=${session.api.base} rel="noreferrer">${new URL(session.api.base, location.href).host}</a>${session.integrator ? ` for ${session.integrator}` : ""}. It holds no funds; only your wallet signs.</p>
      ${this.choosing ? walletDialog(session, (wallet) => void this.join(wallet), () => this.chosen(), this.walletSaid) : nothing}
      ${this.picking ? html`<rhumbline-token-picker .session=${session} .side=${this.picking} @closed=${() => void this.picked()}></rhumbline-token-picker>` : nothing}
    </div>`;
  }

  private box(session: Session): TemplateResult {
    const button = buttonOf(session);
    return html`<div class="columns">
      <form class="card form" novalidate aria-label="Swap" @submit=${(event: Event) => this.submit(event, session)}>
        ${amounts(session, (side) => void this.pick(side))}
        ${this.rate(session)}
        ${receiver(session)}
        ${settings(session)}
        ${lossNote(session)}
        ${session.said ? html`<p class="note bad" role="alert" id="said">${session.said}</p>` : nothing}
        ${session.refused ? html`<p class="note bad" role="alert">${session.refused} <button type="button" @click=${() => void session.start()}>Try again</button></p>` : nothing}
        <button type="submit" class="main wide" id="go" aria-disabled=${String(button.disabled)}>${button.text}</button>
        ${leaving(session, "")}
        <p class="hide" role="status" id="status">${this.status(session)}</p>
      </form>
      <div class="answer">
        ${session.transfers.current ? progress(session, session.transfers.current) : nothing}
        ${session.asking.is === "failed" ? refusal(session, session.asking.words, (id) => void this.attend(id)) : comparison(session)}
        ${session.asking.is === "idle" && !session.form.amount.trim() && !session.transfers.current ? html`<p class="soft empty">Enter an amount, and the routes appear here: what each brings, what it costs, how long it takes.</p>` : nothing}
      </div>
    </div>`;
  }

  private submit(event: Event, session: Session): void {
    event.preventDefault();
    const { act } = buttonOf(session);
    if (act === "connect") this.choose();
    else if (act === "switch") void session.reach();
    else if (act === "send") void session.begin();
  }

  private status(session: Session): string {
    const { route, form, asking } = session;
    if (asking.is === "failed") return asking.words.text;
    if (!route || !form.get.token) return "";
    return `Best answer: ${formatAmount(BigInt(route.outputAmount), form.get.token.decimals)} ${form.get.token.symbol} by ${route.adapter}`;
  }

  private rate(session: Session): TemplateResult {
    const { route, form } = session;
    const [pay, get] = [form.pay.token, form.get.token];
    if (!route || !pay || !get) return html`<div class="rate"></div>`;
    const [input, output] = [BigInt(route.inputAmount), BigInt(route.outputAmount)];
    const text = this.turned
      ? `1 ${get.symbol} = ${formatRate(output, get.decimals, input, pay.decimals)} ${pay.symbol}`
      : `1 ${pay.symbol} = ${formatRate(input, pay.decimals, output, get.decimals)} ${get.symbol}`;
    return html`<div class="rate">
      <button type="button" class="plain small number" id="rate" aria-label="Rate: ${text}. Turn it around" @click=${() => { this.turned = !this.turned; this.requestUpdate(); }}>${text} ${turn}</button>
      ${this.age(session)}</div>`;
  }

  private age(session: Session): TemplateResult {
    if (session.stale) return html`<button type="button" class="plain small" id="renew" @click=${() => session.again()}>Ask again</button>`;
    return html`<span class="small soft" id="countdown" title="Then it is asked anew">${session.left()} s</span>`;
  }
}

if (!customElements.get("rhumbline-swap")) customElements.define("rhumbline-swap", RhumblineSwap);
