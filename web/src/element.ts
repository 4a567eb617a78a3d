// <rhumbline-swap>: the swap box, its comparison, what is under way, and the history.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ChainType } from "./api.ts";
import { ATTRIBUTES, readAttributes } from "./attributes.ts";
import { buttonOf } from "./button.ts";
import { controlStyles } from "./controls.css.ts";
import { courseStyles } from "./course.css.ts";
import type { DestinationCall, Sponsor } from "./extras.ts";
import { focusedId, giveFocus, keepFocus } from "./focus.ts";
import { respelled, type SideName } from "./form.ts";
import { type Language, languageReady, spoken } from "./language.ts";
import { LanguageWatch } from "./language-watch.ts";
import { linkTo } from "./links.ts";
import { dress, LOOKS } from "./looks.ts";
import type { Marks } from "./numerals.ts";
import { PageEvents } from "./page-events.ts";
import { poolStyles } from "./pools.css.ts";
import type { ResolveName } from "./receiver-names.ts";
import { Restart } from "./restart.ts";
import { Session } from "./session.ts";
import { texts } from "./texts.ts";
import { theme } from "./theme.css.ts";
import { box } from "./views/box.ts";
import { historyList } from "./views/history-list.ts";
import { languageChoice } from "./views/language.ts";
import { noService, servedBy } from "./views/served-by.ts";
import { walletDialog } from "./views/wallet-dialog.ts";
import { wallets } from "./views/wallets.ts";
import type { OwnWallets } from "./wallet/own-wallets.ts";
import { WalletChoice } from "./wallet-choice.ts";

const GIVEN = { attribute: false };

export class RhumblineSwap extends LitElement {
  static override styles = [theme, controlStyles, courseStyles, poolStyles];
  static override properties = { resolveName: GIVEN, wallet: GIVEN, destinationCall: GIVEN, sponsor: GIVEN };
  /** What the page resolves receivers' names by; without it the element takes addresses only. */
  declare resolveName: ResolveName | undefined;
  /** The page's own wallets, in place of those that announce themselves. */
  declare wallet: OwnWallets | undefined;
  /** What is called on the destination's chain with what arrives. */
  declare destinationCall: DestinationCall | null | undefined;
  /** Who pays the network on Solana. */
  declare sponsor: Sponsor | null | undefined;
  private readonly languages = new LanguageWatch(this, (before) => this.retell(before));
  private session: Session | null = null;
  private picking: SideName | null = null;
  private readonly choice = new WalletChoice(
    () => this.session?.connections,
    () => this.requestUpdate(),
    () => this.chosen(),
  );
  /** What opened the dialog of wallets. */
  private opener = "";
  private clock: ReturnType<typeof setInterval> | undefined;
  private turned = false;
  private readonly restart = new Restart();
  /** Whether the session began with other attributes. */
  private outdated = false;
  private shown: string | null = null;
  private offered = "";
  private readonly events = new PageEvents((name, detail) => {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  });

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...ATTRIBUTES, ...LOOKS];
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
    const { options, faults } = readAttributes(this);
    this.events.begin(options, [...faults, ...dress(this)]);
    this.session =
      options &&
      new Session(options, {
        changed: () => this.changed(),
        tell: this.events.tell,
        resolveName: () => this.resolveName,
        ownWallets: () => this.wallet,
        choices: () => ({ call: this.destinationCall, sponsor: this.sponsor }),
      });
    if (before) this.session?.transfers.inherit(before.transfers);
    void this.start(this.session);
    this.requestUpdate();
  }

  private async start(session: Session | null): Promise<void> {
    // What it says is kept as it is said.
    await languageReady();
    if (session === this.session) await session?.start();
  }

  private changed(): void {
    if (this.outdated && !this.session?.busy) this.begin();
    else this.requestUpdate();
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (!this.clock || old === value) return;
    if (LOOKS.includes(name)) this.events.warnAll(dress(this));
    if (LOOKS.includes(name) || this.outdated) return;
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
    if (this.session && this.restart.due(this.session)) void this.session.start();
    if (this.session?.refused) this.requestUpdate();
    const counts = search?.is === "failed" && search.explanation.remedy?.kind === "wait";
    if (search?.is === "answered" || counts) this.requestUpdate();
  }

  /** Draws nothing before the language is there. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await languageReady();
    await super.scheduleUpdate();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("wallet")) this.session?.connections.takeOwn();
    // An application may write the same anew each time it is drawn.
    const offered = JSON.stringify([this.destinationCall, this.sponsor?.address]);
    if (offered !== this.offered && this.hasUpdated) this.session?.renew();
    this.offered = offered;
  }

  override update(changed: PropertyValues): void {
    keepFocus(this.shadowRoot, () => super.update(changed));
  }

  override updated(): void {
    this.choice.show(this.renderRoot.querySelector<HTMLDialogElement>("#wallet-dialog"));
    if (this.session) this.events.look(this.session, this.choice.problem);
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

  private choose(wanted: ChainType | undefined): void {
    this.opener = focusedId(this.shadowRoot);
    this.choice.open(wanted ?? "EVM");
  }

  /** Takes the dialog of wallets away, whether it is still open or not. */
  private chosen(): void {
    const left = this.leftAlone();
    this.choice.close();
    if (left) void this.focusOn(this.opener);
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    if (!session) return this.clock ? noService() : nothing;
    return html`<div class="swap" lang=${spoken}>
      <div class="bar">
        <div class="views" role="group" aria-label=${texts.viewLabel}>${this.views(session)}</div>
        ${wallets(session, () => this.choose(session.form.pay.chain?.chainType))}
      </div>
      ${session.view === "history" ? historyList(session) : this.box(session)}
      ${this.foot(session)}
      ${this.choice.wanted ? this.walletDialog(session, this.choice.wanted) : nothing}
      ${this.picking ? this.tokenPicker(session, this.picking) : nothing}
    </div>`;
  }

  /** The way to the history, and back from there. */
  private views(session: Session): TemplateResult {
    const shown = session.view === "history";
    const back = html`<button type="button" class="view" id="back"
      @click=${() => session.set({ view: "swap" })}>${texts.backToForm}</button>`;
    return html`${shown ? back : nothing}<button type="button" class="view" id="history" aria-pressed=${String(shown)}
        @click=${() => session.set({ view: "history" })}>${texts.historyView}</button>`;
  }

  private foot(session: Session): TemplateResult {
    const choose = (language: Language | ""): void => this.chooseLanguage(language);
    const choice = languageChoice({ chosen: this.languages.chosen, choose });
    return html`<div class="foot">${servedBy(session)}${choice}</div>`;
  }

  private chooseLanguage(language: Language | ""): void {
    this.languages.choose(language);
    this.events.tell("rhumbline-language", { language });
  }

  /** Says in another language what stands on the page; `before` are the marks that numbers had. */
  private retell(before: Marks): void {
    const { session } = this;
    session?.set({ form: respelled(session.form, before) });
    if (session?.search.is === "failed") session.renew();
    this.requestUpdate();
  }

  private box(session: Session): TemplateResult {
    return box(session, {
      turned: this.turned,
      restartAt: this.restart.at,
      turn: () => {
        this.turned = !this.turned;
        this.requestUpdate();
      },
      pick: (side) => void this.pick(side),
      connectReceiver: () => this.choose(session.form.get.chain?.chainType),
      focus: (id) => void this.focusOn(id),
      submit: () => this.submit(session),
    });
  }

  private walletDialog({ connections, form }: Session, wanted: ChainType): TemplateResult {
    return walletDialog(
      {
        choice: this.choice,
        offered: (chainType) => connections.offered(chainType),
        pairing: connections.pairing,
        page: () => (this.hasAttribute("links") ? linkTo(location.href, form) : location.href),
        closed: () => this.chosen(),
      },
      wanted,
    );
  }

  private tokenPicker(session: Session, side: SideName): TemplateResult {
    return html`<rhumbline-token-picker .props=${session} .side=${side}
      @closed=${() => void this.picked()}></rhumbline-token-picker>`;
  }

  private submit(session: Session): void {
    const { act } = buttonOf(session);
    if (act === "connect") this.choose(session.form.pay.chain?.chainType);
    else if (act === "switch") void session.requests.reach();
    else if (act === "send") void session.begin();
  }
}

if (!customElements.get("rhumbline-swap")) customElements.define("rhumbline-swap", RhumblineSwap);
