// What is asked of the wallet, and how long it is waited for; what it may turn out to be before it is signed.

import { accepted, type Shown } from "./agreeing.ts";
import type { Step } from "./api.ts";
import { type Leg, legOf, type Transfer } from "./history.ts";
import { orLeft } from "./leaving.ts";
import { PriceMoved, Stopped } from "./sending.ts";
import type { Session } from "./session.ts";
import { lossOf, lossOfStep } from "./state.ts";
import { EvmWallet, walletError } from "./wallet/evm.ts";
import { wordsFor } from "./words.ts";

/** A step whose answer is worse than what was agreed to; `fell` tells that it is its minimum that fell. */
export interface Doubt {
  leg: Leg;
  step: Step;
  fell: boolean;
  agreed: boolean;
}

/** What was on the screen when somebody chose to send. */
export type Chosen = Pick<Session, "route" | "wallet" | "form" | "agreed" | "warned">;

export class Signing {
  /** What a step that is signed by itself turned out to be. */
  doubt: Doubt | null = null;
  /** What the wallet was asked for, while somebody waits for it: a transfer's ID, or "" for something else. */
  waiting: string | null = null;
  /** Whether what was answered is to be asked for anew. */
  private fallen = false;
  private left = new AbortController();
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Waits for the wallet until it has answered, or nobody waits any more. */
  private async wait(id: string, busy: string, act: (left: AbortSignal) => Promise<void>): Promise<void> {
    const { session } = this;
    const { wallet } = session;
    const { signal } = (this.left = new AbortController());
    this.waiting = id;
    session.set({ busy, said: "" });
    let said = "";
    try {
      await act(signal);
    } catch (error) {
      said = this.stopped(error);
    }
    this.waiting = null;
    session.busy = "";
    if (wallet !== session.wallet) session.edited();
    else void session.balances();
    if (this.fallen) session.renew();
    this.fallen = false;
    session.set({ said });
  }

  /** Stops waiting for the wallet, which may hang; what it still does is taken up when it is heard of. */
  leave(why = "The wallet was not waited for. If you sign all the same, it appears here by itself"): void {
    this.left.abort(new Stopped(why));
  }

  /** Moves the wallet to the chain that is paid from. */
  async reach(): Promise<void> {
    const { chain } = this.session.form.pay;
    const { wallet } = this.session;
    if (!(wallet instanceof EvmWallet) || !chain) return;
    await this.wait("", `Switch to ${chain.name} in your wallet`, (left) => orLeft(wallet.reach(chain), left));
  }

  /** Sends the first step of a route, as it was chosen. */
  begin({ route, wallet, form, agreed, warned }: Chosen): Promise<void> {
    const { api, integrator } = this.session;
    const { pay, get } = form;
    if (!route || !wallet || !pay.token || !get.token) return Promise.resolve();
    const shown = lossOf(form, route, warned);
    return this.sign({
      id: crypto.randomUUID(), api: api.base, created: Date.now(), sender: wallet.address, receiver: form.receiver.trim() || wallet.address,
      pay: { ...pay.token }, get: { ...get.token }, amount: route.inputAmount, adapter: route.adapter, seconds: route.estimatedTimeSec, integrator,
      legs: route.steps.map((plan) => ({ state: "ready", plan, minimum: plan.estimate.toAmountMin, expected: plan.estimate.toAmount })),
    }, { shown, agreed });
  }

  /** Signs the step of a transfer that is next; `form` is what its form has shown, where it has one. */
  async sign(transfer: Transfer, form: Shown | null = null): Promise<void> {
    const { session } = this;
    const { wallet, catalog, transfers } = session;
    if (!wallet || session.busy) return;
    const leg = legOf(transfer);
    const before = form ?? this.settle(leg);
    session.pause();
    await this.wait(transfer.id, "Confirm in your wallet…", async (left) => {
      try {
        await transfers.sign(transfer, wallet, { agrees: (step) => accepted(lossOfStep(catalog, step), before), least: before?.least }, left);
      } catch (error) {
        if (error instanceof PriceMoved) this.balked(error, leg, form !== null);
        // What may have been sent is not one click away from being sent again.
        if (form && leg.state === "signing") this.emptied();
        else session.set({ stale: session.asking.is === "answered" });
        throw error;
      }
      session.host.tell("sent", { transactionId: leg.transactionId, hash: leg.hash });
      if (form) this.emptied();
    });
  }

  private emptied(): void {
    const { session } = this;
    session.form = { ...session.form, amount: "" };
    session.edited();
  }

  /** Says yes or no to what a step turned out to be. */
  accept(agreed: boolean): void {
    if (this.doubt) this.doubt = { ...this.doubt, agreed };
    this.session.set({});
  }

  /** Takes what was agreed to of a step that was doubted. */
  private settle(leg: Leg): Shown | null {
    const { doubt } = this;
    this.doubt = null;
    if (doubt?.leg !== leg || !doubt.agreed) return null;
    return { shown: lossOfStep(this.session.catalog, doubt.step), agreed: true, least: doubt.step.estimate.toAmountMin };
  }

  /** Shows what a step is now, where it is worse than what was agreed to: in the form, or beside the step. */
  private balked({ step, fell }: PriceMoved, leg: Leg, form: boolean): void {
    if (!form) this.doubt = { leg, step, fell, agreed: false };
    else if (fell) this.fallen = true;
    else this.session.set({ warned: step, agreed: false });
  }

  /** Says what stopped a transfer. */
  private stopped(error: unknown): string {
    if (error instanceof Stopped) return error.message;
    return typeof (error as { status?: unknown } | null)?.status === "number" ? wordsFor(error, this.session.asked()).text : walletError(error);
  }
}
