// <rhumbline-swap>: the swap box, its comparison, what is under way, and the history.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ATTRIBUTES, optionsOf } from "./attributes.ts";
import { buttonOf } from "./button.ts";
import { focusedId, giveFocus, keepFocus } from "./focus.ts";
import type { SideName } from "./form.ts";
import type { ResolveName } from "./receiver-names.ts";
import { Session } from "./session.ts";
import * as texts from "./texts.ts";
import { theme } from "./theme.css.ts";
import { box } from "./views/box.ts";
import { historyList } from "./views/history-list.ts";
import { walletButton, walletDialog } from "./views/wallet-dialog.ts";
import type { Announced } from "./wallet/discovery.ts";
import { walletError } from "./wallet/evm.ts";

export class RhumblineSwap extends LitElement {
  static override styles = theme;
  static override properties = { resolveName: { attribute: false } };
  /** What the page resolves receivers' names by; without it the element takes addresses only. */
  declare resolveName: ResolveName | undefined;
  private session: Session | null = null;
  private picking: SideName | null = null;
  private choosing = false;
  /** What opened the dialog of wallets. */
  private opener = "";
  private walletProblem = "";
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

  /** Begins a new visit with the attributes as they are, once nothing is being signed. */
  private begin(): void {
    this.outdated = false;
    const before = this.session;
    before?.stop();
    const options = optionsOf(this);
    this.session =
      options &&
      new Session(options, {
        changed: () => this.changed(),
        tell: (name, detail) => this.tell(name, detail),
        resolveName: () => this.resolveName,
      });
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
    // Several attributes set in a row begin one visit.
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
    const { search } = this.session ?? {};
    const counts = search?.is === "failed" && search.explanation.remedy?.kind === "wait";
    if (search?.is === "answered" || counts) this.requestUpdate();
  }

  override update(changed: PropertyValues): void {
    keepFocus(this.shadowRoot, () => super.update(changed));
  }

  override updated(): void {
    const dialog = this.renderRoot.querySelector<HTMLDialogElement>("#wallet-dialog");
    if (dialog && !dialog.open) dialog.showModal();
    this.showNew();
  }

  /** Brings what has just begun into sight: on a phone it is below the form. */
  private showNew(): void {
    const current = this.session?.transfers.current?.id ?? null;
    if (current === this.shown) return;
    this.shown = current;
    if (this.session?.busy) this.renderRoot.querySelector(".progress")?.scrollIntoView({ block: "nearest" });
  }

  private async pick(side: SideName): Promise<void> {
    try {
      await import("./views/token-picker.ts");
    } catch {
      // The service has a newer version by now, with other chunks.
      return this.session?.set({ problem: texts.pickerNotLoaded });
    }
    this.picking = side;
    this.requestUpdate();
  }

  private async picked(): Promise<void> {
    const side = this.picking;
    const left = this.leftAlone();
    this.picking = null;
    this.requestUpdate();
    if (left) await this.focusOn(`${side}-token`);
  }

  /** Returns whether a closed dialog leaves the focus nowhere; a focus that has moved on is left alone. */
  private leftAlone(): boolean {
    const place = this.shadowRoot?.activeElement;
    return !place || place.closest("dialog, rhumbline-token-picker") !== null;
  }

  /** Gives the focus to a control once it is drawn. */
  private async focusOn(id: string): Promise<void> {
    await this.updateComplete;
    if (this.shadowRoot) giveFocus(this.shadowRoot, id);
  }

  private choose(): void {
    this.opener = focusedId(this.shadowRoot);
    this.choosing = true;
    this.walletProblem = "";
    this.session?.connection.discovery.ask();
    this.requestUpdate();
  }

  private chosen(): void {
    const left = this.leftAlone();
    this.choosing = false;
    this.requestUpdate();
    if (left) void this.focusOn(this.opener);
  }

  private async join(wallet: Announced): Promise<void> {
    try {
      await this.session?.connection.join(wallet);
      this.renderRoot.querySelector<HTMLDialogElement>("#wallet-dialog")?.close();
    } catch (error) {
      this.walletProblem = walletError(error);
      this.requestUpdate();
    }
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    if (!session) return this.clock ? noService : nothing;
    const { base } = session.api;
    return html`<div class="swap">
      <div class="bar">
        <div class="views" role="group" aria-label=${texts.viewLabel}>${this.views(session)}</div>
        ${walletButton({
          wallet: session.wallet,
          connect: () => this.choose(),
          disconnect: () => session.connection.leave(),
        })}
      </div>
      ${session.view === "history" ? historyList(session) : this.box(session)}
      <p class="small soft serves">${texts.servedBy} <a href=${base} rel="noreferrer">${
        new URL(base, location.href).host
      }</a>${session.integrator ? texts.forIntegrator(session.integrator) : ""}${texts.holdsNothing}</p>
      ${this.choosing ? this.walletDialog(session) : nothing}
      ${this.picking ? this.tokenPicker(session, this.picking) : nothing}
    </div>`;
  }

  private views(session: Session): TemplateResult {
    const pressed = (view: string): string => String(session.view === view);
    return html`<button type="button" class="view" aria-pressed=${pressed("swap")}
        @click=${() => session.set({ view: "swap" })}>${texts.swapView}</button>
      <button type="button" class="view" id="history" aria-pressed=${pressed("history")}
        @click=${() => session.set({ view: "history" })}>${texts.historyView}</button>`;
  }

  private box(session: Session): TemplateResult {
    return box(session, {
      turned: this.turned,
      turn: () => {
        this.turned = !this.turned;
        this.requestUpdate();
      },
      pick: (side) => void this.pick(side),
      focus: (id) => void this.focusOn(id),
      submit: () => this.submit(session),
    });
  }

  private walletDialog(session: Session): TemplateResult {
    return walletDialog({
      wallets: session.connection.discovery.wallets(),
      problem: this.walletProblem,
      choose: (wallet) => void this.join(wallet),
      closed: () => this.chosen(),
    });
  }

  private tokenPicker(session: Session, side: SideName): TemplateResult {
    return html`<rhumbline-token-picker .props=${session} .side=${side}
      @closed=${() => void this.picked()}></rhumbline-token-picker>`;
  }

  private submit(session: Session): void {
    const { act } = buttonOf(session);
    if (act === "connect") this.choose();
    else if (act === "switch") void session.requests.reach();
    else if (act === "send") void session.begin();
  }
}

const noService = html`<p class="note bad" role="alert">${texts.noService} <code>api</code></p>`;

if (!customElements.get("rhumbline-swap")) customElements.define("rhumbline-swap", RhumblineSwap);
