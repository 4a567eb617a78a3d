// What is asked of the wallet, and how long it is waited for; what it may turn out to be before it is signed.

import { orAborted } from "./abort.ts";
import { accepted, type ShownLoss } from "./agreement.ts";
import type { Route, Step } from "./api.ts";
import { kept } from "./choices.ts";
import type { Wallet } from "./connection.ts";
import { PriceMoved, Stopped } from "./execution.ts";
import { type Asked, explain } from "./explanations.ts";
import { amountOf, type Form, fixedOf } from "./form.ts";
import { type Leg, legOf, newLeg, type Transfer } from "./history.ts";
import { lossOf, lossOfStep } from "./loss.ts";
import { texts } from "./texts.ts";
import type { Visit } from "./visit.ts";
import { EvmWallet, walletError } from "./wallet/evm.ts";

/** A step whose answer is worse than what was agreed to; `fell` tells that it is its minimum that fell. */
export interface Doubt {
  leg: Leg;
  step: Step;
  fell: boolean;
  agreed: boolean;
}

/** What was on the screen when somebody chose to send. */
export interface Chosen {
  route: Route | null;
  wallet: Wallet | null;
  form: Form;
  /** Who has the output; "" is the wallet itself. */
  receiver: string;
  agreed: boolean;
  warned: Step | null;
}

export class WalletRequests {
  /** What a step that is signed by itself turned out to be. */
  doubt: Doubt | null = null;
  /** What the wallet was asked for, while somebody waits for it: a transfer's ID, or "" for something else. */
  waiting: string | null = null;
  /** Whether what was answered is to be asked for anew. */
  private fallen = false;
  private waited = new AbortController();
  /** The wallet that is waited for. */
  private asking: Wallet | null = null;
  private readonly visit: Visit;
  private readonly asked: () => Asked;

  /** `asked` says what was asked for, to explain an error of the API. */
  constructor(visit: Visit, asked: () => Asked) {
    this.visit = visit;
    this.asked = asked;
  }

  /** Waits for the wallet until it has answered, or nobody waits any more. */
  private async wait(
    wallet: Wallet,
    id: string,
    busy: string,
    act: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { visit } = this;
    const before = visit.connections.all();
    this.asking = wallet;
    this.waited = new AbortController();
    const { signal } = this.waited;
    this.waiting = id;
    visit.set({ busy, problem: "" });
    let problem = "";
    try {
      await act(signal);
    } catch (error) {
      problem = this.reasonOf(error);
    }
    this.waiting = null;
    this.asking = null;
    // Nothing is drawn yet: an element with other attributes would begin its next visit in the middle of this.
    visit.busy = "";
    const now = visit.connections.all();
    if (before.length !== now.length || before.some((each, place) => each !== now[place])) visit.edited();
    else void visit.readBalances();
    if (this.fallen) visit.renew();
    this.fallen = false;
    visit.set({ problem });
  }

  /** Stops waiting for the wallet, which may hang; what it still does is taken up when it is heard of. */
  stopWaiting(why = texts.notWaited): void {
    this.waited.abort(new Stopped(why));
  }

  /** Waits no longer for a wallet of whose type none is connected any more. */
  walletsChanged(): void {
    const { asking, visit } = this;
    if (asking && !visit.walletOf(asking.chainType)) this.stopWaiting(texts.walletLost);
  }

  /** Moves the wallet to the chain that is paid from. */
  async reach(): Promise<void> {
    const { chain } = this.visit.form.pay;
    const { wallet } = this.visit;
    if (!(wallet instanceof EvmWallet) || !chain) return;
    await this.wait(wallet, "", texts.switchInWallet(chain.name), (signal) => orAborted(wallet.reach(chain), signal));
  }

  /** Sends the first step of a route, as it was chosen. */
  begin({ route, wallet, form, receiver, agreed, warned }: Chosen): Promise<void> {
    const { api, integrator } = this.visit;
    const { pay, get } = form;
    if (!route || !wallet || !pay.token || !get.token) return Promise.resolve();
    const shown = lossOf(form, route, warned);
    const transfer: Transfer = {
      id: crypto.randomUUID(),
      api: api.base,
      created: Date.now(),
      sender: wallet.address,
      receiver: receiver || wallet.address,
      ...kept(form),
      pay: { ...pay.token },
      get: { ...get.token },
      amount: route.inputAmount,
      ...(fixedOf(form) === "get" ? { wanted: (amountOf(form) ?? 0n).toString() } : {}),
      adapter: route.adapter,
      seconds: route.estimatedTimeSec,
      integrator,
      legs: route.steps.map(newLeg),
    };
    return this.sign(transfer, { shown, agreed });
  }

  /** Signs the step of a transfer that is next; `form` is what its form has shown, where it has one. */
  async sign(transfer: Transfer, form: ShownLoss | null = null): Promise<void> {
    const { visit } = this;
    const { catalog, transfers } = visit;
    const leg = legOf(transfer);
    const wallet = visit.walletOf(catalog.chain(leg.plan.action.fromChainId)?.chainType);
    if (!wallet || visit.busy) return;
    const before = form ?? this.takeDoubt(leg);
    visit.pause();
    const terms = { agrees: (step: Step) => accepted(lossOfStep(catalog, step), before), least: before?.least };
    await this.wait(wallet, transfer.id, texts.confirmInWallet, async (signal) => {
      try {
        await transfers.sign(transfer, wallet, terms, signal);
      } catch (error) {
        if (error instanceof PriceMoved) this.showDoubt(error, leg, form !== null);
        // What may have been sent is not one click away from being sent again.
        if (form && leg.state === "signing") this.emptyForm();
        else visit.set({ stale: visit.search.is === "answered" });
        throw error;
      }
      if (form) this.emptyForm();
    });
  }

  private emptyForm(): void {
    const { visit } = this;
    visit.set({ form: { ...visit.form, amount: "", fixed: "pay" } });
    visit.edited();
  }

  /** Says yes or no to what a step turned out to be. */
  accept(agreed: boolean): void {
    if (this.doubt) this.doubt = { ...this.doubt, agreed };
    this.visit.set({});
  }

  /** Takes what was agreed to of a step that was doubted. */
  private takeDoubt(leg: Leg): ShownLoss | null {
    const { doubt } = this;
    this.doubt = null;
    if (doubt?.leg !== leg || !doubt.agreed) return null;
    return { shown: lossOfStep(this.visit.catalog, doubt.step), agreed: true, least: doubt.step.estimate.toAmountMin };
  }

  /** Shows what a step is now, where it is worse than what was agreed to: in the form, or beside the step. */
  private showDoubt({ step, fell }: PriceMoved, leg: Leg, inForm: boolean): void {
    if (!inForm) this.doubt = { leg, step, fell, agreed: false };
    else if (fell) this.fallen = true;
    else this.visit.set({ warned: step, agreed: false });
  }

  /** Says what stopped a transfer. */
  private reasonOf(error: unknown): string {
    if (error instanceof Stopped) return error.message;
    const fromApi = typeof (error as { status?: unknown } | null)?.status === "number";
    return fromApi ? explain(error, this.asked()).text : walletError(error);
  }
}
