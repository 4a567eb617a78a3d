// What was begun from here: signed leg by leg, followed, kept.

import { orAborted } from "./abort.ts";
import type { Api } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import type { Wallet } from "./connection.ts";
import { executeStep, Stopped, type Terms } from "./execution.ts";
import type { Sponsor } from "./extras.ts";
import { amountOf, type Form, fixedOf } from "./form.ts";
import { History, isMoving, isSignable, type Leg, legOf, reset, type Transfer, wasSent } from "./history.ts";
import { afterwards, alone } from "./locks.ts";
import { isSame } from "./receipt.ts";
import { type Open, openAt } from "./status-stream.ts";
import { texts } from "./texts.ts";
import { follow } from "./transfer-status.ts";
import { EvmWallet } from "./wallet/evm.ts";
import { nodeOf, type Read } from "./wallet/nodes.ts";

export interface Watcher {
  changed: () => void;
  /** A step is sent; `later` where nobody waited for the wallet any more, so that it was found. */
  sent: (leg: Leg, later: boolean) => void;
  ended: (transfer: Transfer, leg: Leg) => void;
}

/** Who else takes part. */
export interface Around {
  /** The wallet that is connected on EVM chains. */
  wallet: () => Wallet | null;
  /** Who pays the network on Solana in the visitor's place. */
  sponsor: () => Sponsor | null | undefined;
}

export class Transfers {
  readonly history: History;
  /** The one that is shown beside the form. */
  current: Transfer | null = null;
  private readonly api: Api;
  private readonly catalog: Catalog;
  private readonly watcher: Watcher;
  private readonly open: Open;
  private readonly places = { open: 0 };
  private readonly followed = new Map<string, AbortController>();
  private readonly stored = (event: StorageEvent): void => this.otherTabWrote(event);
  private readonly around: Around;

  constructor(
    api: Api,
    catalog: Catalog,
    storage: Storage | null,
    watcher: Watcher,
    around: Around,
    open: Open = openAt(api),
  ) {
    this.api = api;
    this.open = open;
    this.catalog = catalog;
    this.watcher = watcher;
    this.around = around;
    this.history = new History(api.base, storage);
  }

  /** Takes up what is under way. */
  start(): void {
    addEventListener("storage", this.stored);
    const all = this.history.all();
    for (const transfer of all) if (legOf(transfer).state === "approving") this.release(transfer);
    for (const transfer of all) if (isMoving(transfer)) this.track(transfer);
    this.current =
      all.find((transfer) => isMoving(transfer) || ["ready", "approving"].includes(legOf(transfer).state)) ?? null;
  }

  /**
   * Lets a step be signed again that nobody is at any more; whether an approval was given is read from the chain then.
   */
  private release(transfer: Transfer): void {
    void afterwards(transfer.id, () => {
      this.history.refresh(transfer.id);
      const leg = legOf(transfer);
      if (leg.state !== "approving") return;
      leg.state = "ready";
      this.keep(transfer);
    });
  }

  /** Takes over what another has that no storage keeps, of the same service. */
  inherit({ api, history }: Transfers): void {
    if (history.kept || api.base !== this.api.base) return;
    for (const transfer of history.all()) this.history.put(transfer);
  }

  stop(): void {
    removeEventListener("storage", this.stored);
    for (const watch of this.followed.values()) watch.abort();
    this.followed.clear();
  }

  /**
   * Signs and sends the leg of a transfer that is next; throws Stopped, ApiError or what the wallet says. Waits no
   * longer once `signal` is aborted: what the wallet still does is taken up when it is heard of.
   */
  async sign(transfer: Transfer, wallet: Wallet, terms: Terms, signal: AbortSignal): Promise<Leg> {
    const elsewhere = (): never => {
      throw new Stopped(texts.otherTab);
    };
    return alone(transfer.id, () => this.signAlone(transfer, wallet, terms, signal), elsewhere);
  }

  private async signAlone(transfer: Transfer, wallet: Wallet, terms: Terms, signal: AbortSignal): Promise<Leg> {
    const begun = this.history.get(transfer.id) !== null;
    this.history.refresh(transfer.id);
    const leg = legOf(transfer);
    const chain = this.catalog.chain(leg.plan.action.fromChainId);
    if (!chain) throw new Stopped(texts.chainGone);
    if (!isSignable(transfer)) throw new Stopped(texts.signedAlready);
    if (leg.state !== "ready") reset(leg);
    this.current = transfer;
    this.watcher.changed();
    const listed = (await this.catalog.tokens(chain.id)).map(({ address }) => address);
    const keep = (): void => this.keep(transfer, signal.aborted);
    const task = { api: this.api, chain, transfer, leg, listed, terms, signal, keep };
    const execution =
      wallet.chainType === "EVM"
        ? executeStep({ ...task, wallet })
        : import("./execution-svm.ts").then(({ executeSvmStep }) =>
            executeSvmStep({ ...task, wallet, read: nodeOf(chain), sponsor: this.around.sponsor() ?? null }),
          );
    try {
      await orAborted(
        execution.finally(() => this.settled(transfer, leg, begun)),
        signal,
      );
    } catch (error) {
      if (signal.aborted) this.abandon(transfer, leg, begun);
      throw error;
    }
    return leg;
  }

  /** Follows what was sent, or may have been; forgets what never began. */
  private settled(transfer: Transfer, leg: Leg, begun: boolean): void {
    if (isMoving(transfer)) this.track(transfer);
    else if (!begun && leg.state === "ready" && !leg.approvalHash) this.forget(transfer);
  }

  private abandon(transfer: Transfer, leg: Leg, begun: boolean): void {
    if (leg.state === "approving") {
      leg.state = "ready";
      this.keep(transfer);
    }
    this.settled(transfer, leg, begun);
  }

  /** Takes the one that is shown beside the form away from there; it stays in the history. */
  clear(): void {
    this.current = null;
    this.watcher.changed();
  }

  /** Returns what is under way already and asks for the same as a form does. */
  alike(form: Form): Transfer | null {
    const { pay, get } = form;
    const wanted = { pay: pay.token, get: get.token, amount: amountOf(form), fixed: fixedOf(form) };
    for (const transfer of this.history.held()) if (isMoving(transfer) && isSame(transfer, wanted)) return transfer;
    return null;
  }

  forget(transfer: Transfer): void {
    this.history.remove(transfer.id);
    this.drop(transfer.id);
  }

  /** `later` tells that nobody waits for the wallet. */
  private keep(transfer: Transfer, later = true): void {
    const news = transfer.legs.filter((leg) => !leg.told && wasSent(leg));
    for (const leg of news) leg.told = true;
    this.history.put(transfer);
    for (const leg of news) this.watcher.sent(leg, later);
    this.watcher.changed();
  }

  private track(transfer: Transfer): void {
    this.followed.get(transfer.id)?.abort();
    const chain = this.catalog.chain(legOf(transfer).plan.action.fromChainId);
    if (!chain) return;
    const watch = new AbortController();
    this.followed.set(transfer.id, watch);
    const evm = (): EvmWallet | null => {
      const wallet = this.around.wallet();
      return wallet instanceof EvmWallet ? wallet : null;
    };
    const node = nodeOf(chain);
    // The wallet may be on another chain than it was when this began.
    const reader = async (): Promise<Read | null> => {
      const wallet = evm();
      const at = await wallet?.look().catch(() => null);
      return wallet && at === BigInt(chain.id) ? wallet.read : node;
    };
    const calls = (): ((id: string) => Promise<unknown>) | null => {
      const wallet = evm();
      return wallet && ((id) => wallet.read("wallet_getCallsStatus", id));
    };
    const keep = (): void => this.keep(transfer);
    const { api, open, places } = this;
    void follow({ api, open, places, transfer, reader, calls, chain, keep, signal: watch.signal }).then(() => {
      if (watch.signal.aborted) return;
      this.followed.delete(transfer.id);
      this.watcher.ended(transfer, legOf(transfer));
    });
  }

  /** Takes what another tab has written, or removed. */
  private otherTabWrote({ key, newValue }: StorageEvent): void {
    const removed = newValue === null ? this.history.takeRemoved(key) : null;
    if (removed !== null) this.drop(removed);
    const changed = this.history.takeStored(key, newValue);
    if (!changed) return;
    if (this.current?.id === changed.id) this.current = changed;
    if (isMoving(changed)) this.track(changed);
    else this.followed.get(changed.id)?.abort();
    if (legOf(changed).state === "approving") this.release(changed);
    this.watcher.changed();
  }

  private drop(id: string): void {
    this.followed.get(id)?.abort();
    if (this.current?.id === id) this.current = null;
    this.watcher.changed();
  }
}
