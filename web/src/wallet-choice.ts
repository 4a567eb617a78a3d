// The choice of a wallet: for which type of chain, which one is asked, and what it has answered.

import { orAborted } from "./abort.ts";
import type { ChainType } from "./api.ts";
import type { Connections } from "./connections.ts";
import { texts } from "./texts.ts";
import type { Announced } from "./wallet/discovery.ts";
import { walletError } from "./wallet/evm.ts";

export class WalletChoice {
  /** The type of chain that a wallet is wanted for; null while none is chosen. */
  wanted: ChainType | null = null;
  /** The wallet that was asked, and has not answered. */
  asked: Announced | null = null;
  /** What the last one has answered, where it was not connected. */
  problem = "";
  /** The dialog that was opened. */
  private dialog: HTMLDialogElement | null = null;
  private waiting = new AbortController();
  private readonly connections: () => Connections | undefined;
  private readonly changed: () => void;
  private readonly done: () => void;

  /** `done` is called when a wallet is connected, and has to close what shows the choice. */
  constructor(connections: () => Connections | undefined, changed: () => void, done: () => void) {
    this.connections = connections;
    this.changed = changed;
    this.done = done;
  }

  /** Begins; the page's own wallet is asked at once. */
  open(wanted: ChainType): void {
    this.wanted = wanted;
    this.problem = "";
    const connections = this.connections();
    connections?.discovery.ask();
    const own = connections?.offered(wanted).find((each) => each.own);
    if (own) void this.join(own);
    this.changed();
  }

  /** Opens a dialog that was just drawn. A closed one stays so until it is gone: its `close` event comes late. */
  show(dialog: HTMLDialogElement | null): void {
    if (dialog && dialog !== this.dialog) dialog.showModal();
    this.dialog = dialog;
  }

  /** Asks a wallet for its account, and ends when it is connected. */
  async join(wallet: Announced): Promise<void> {
    this.waiting = new AbortController();
    const { signal } = this.waiting;
    this.asked = wallet;
    this.problem = "";
    this.changed();
    try {
      await orAborted(this.connections()?.join(wallet) ?? Promise.resolve(), signal);
    } catch (error) {
      // Somebody has cancelled, or chosen another one.
      if (this.asked !== wallet || signal.aborted) return;
      this.asked = null;
      this.problem = walletError(error);
      this.changed();
      return;
    }
    if (this.asked !== wallet) return;
    this.asked = null;
    this.done();
  }

  /** Waits no longer: what the wallet answers later is not taken. */
  cancel(): void {
    const { asked } = this;
    if (!asked) return;
    this.asked = null;
    this.connections()?.cancel(asked);
    this.waiting.abort();
    this.problem = texts.notConnected(asked.name);
    this.changed();
  }

  close(): void {
    this.cancel();
    this.wanted = null;
    this.problem = "";
    this.changed();
  }
}
