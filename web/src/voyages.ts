// What was begun from here: signed leg by leg, followed, kept.

import type { Api, Step } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import type { Wallet } from "./connection.ts";
import { follow } from "./following.ts";
import { History, isMoving, type Leg, legOf, type Transfer } from "./history.ts";
import { send } from "./sending.ts";
import { type EvmWallet, evmRead } from "./wallet/evm.ts";
import { nodeOf } from "./wallet/nodes.ts";

export interface Watcher {
  changed: () => void;
  ended: (transfer: Transfer, leg: Leg) => void;
}

export class Voyages {
  readonly history: History;
  /** The one that is shown beside the form. */
  current: Transfer | null = null;
  private readonly api: Api;
  private readonly catalog: Catalog;
  private readonly watcher: Watcher;
  private readonly followed = new Map<string, AbortController>();
  private readonly heard = (event: StorageEvent): void => this.elsewhere(event);
  private wallet: Wallet | null = null;

  constructor(api: Api, catalog: Catalog, storage: Storage | null, watcher: Watcher) {
    this.api = api;
    this.catalog = catalog;
    this.watcher = watcher;
    this.history = new History(api.base, storage);
  }

  /** Takes up what is under way. */
  start(): void {
    addEventListener("storage", this.heard);
    const all = this.history.all();
    // Whether an approval was given is read from the chain when it goes on.
    for (const leg of all.map(legOf)) if (leg.state === "approving") leg.state = "ready";
    for (const transfer of all) if (isMoving(transfer)) this.track(transfer);
    this.current = all.find((transfer) => isMoving(transfer) || legOf(transfer).state === "ready") ?? null;
  }

  /** Takes over what another has that no storage keeps, of the same service. */
  inherit({ api, history }: Voyages): void {
    if (history.kept || api.base !== this.api.base) return;
    for (const transfer of history.all()) this.history.put(transfer);
  }

  stop(): void {
    removeEventListener("storage", this.heard);
    for (const under of this.followed.values()) under.abort();
    this.followed.clear();
  }

  /** Signs and sends the leg of a transfer that is next; throws Stopped, ApiError or what the wallet says. */
  async sail(transfer: Transfer, wallet: Wallet, agrees: (step: Step) => boolean): Promise<Leg> {
    const leg = legOf(transfer);
    const chain = this.catalog.chain(leg.plan.action.fromChainId);
    if (!chain) throw new Error("This chain is not served any more");
    this.wallet = wallet;
    this.current = transfer;
    this.watcher.changed();
    const listed = (await this.catalog.tokens(chain.id)).map(({ address }) => address);
    const voyage = { api: this.api, chain, transfer, leg, listed, agrees, keep: () => this.keep(transfer) };
    try {
      if (wallet.chainType === "EVM") await send({ ...voyage, wallet });
      else await (await import("./sending-svm.ts")).sendSvm({ ...voyage, wallet, read: nodeOf(chain) });
    } catch (error) {
      if (transfer.legs[0] === leg && !leg.approvalHash) this.forget(transfer);
      throw error;
    }
    this.track(transfer);
    return leg;
  }

  forget(transfer: Transfer): void {
    this.followed.get(transfer.id)?.abort();
    this.history.remove(transfer.id);
    if (this.current?.id === transfer.id) this.current = null;
    this.watcher.changed();
  }

  private keep(transfer: Transfer): void {
    this.history.put(transfer);
    this.watcher.changed();
  }

  private track(transfer: Transfer): void {
    this.followed.get(transfer.id)?.abort();
    const chain = this.catalog.chain(legOf(transfer).plan.action.fromChainId);
    if (!chain) return;
    const under = new AbortController();
    this.followed.set(transfer.id, under);
    const evm = this.wallet?.chainType === "EVM" ? this.wallet : null;
    const read = (evm && evmRead(evm, chain)) ?? nodeOf(chain);
    const calls = evm ? (id: string): Promise<unknown> => (evm as EvmWallet).request("wallet_getCallsStatus", id) : null;
    void follow({ api: this.api, transfer, read, calls, chain, keep: () => this.keep(transfer), signal: under.signal }).then(() => {
      if (under.signal.aborted) return;
      this.followed.delete(transfer.id);
      this.watcher.ended(transfer, legOf(transfer));
    });
  }

  /** Takes what another tab has written. */
  private elsewhere({ key, newValue }: StorageEvent): void {
    const changed = this.history.heard(key, newValue);
    if (!changed) return;
    if (this.current?.id === changed.id) this.current = changed;
    if (isMoving(changed)) this.track(changed);
    else this.followed.get(changed.id)?.abort();
    this.watcher.changed();
  }
}
