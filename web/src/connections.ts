// The wallets that are connected: one for each type of chain, at the same time.

import type { Chain, ChainType } from "./api.ts";
import { Connection, type ConnectionListener, type Wallet } from "./connection.ts";
import { type Announced, Discovery } from "./wallet/discovery.ts";
import { type OwnWallets, ownWallets } from "./wallet/own-wallets.ts";
import type { Pairing, WalletConnectOptions } from "./wallet/pairing.ts";
import { walletConnect } from "./wallet/walletconnect.ts";

export interface ConnectionsListener extends ConnectionListener {
  /** A wallet has announced itself. */
  announced: () => void;
}

export interface Sources {
  /** The wallets of the page around the element, which take the place of all others. */
  given: () => OwnWallets | undefined;
  /** How wallets are reached over WalletConnect, if they are. */
  remote: WalletConnectOptions | undefined;
}

const TYPES = ["EVM", "SVM"] as const satisfies readonly ChainType[];

export class Connections {
  readonly discovery: Discovery;
  private readonly listener: ConnectionsListener;
  private readonly byType: Record<ChainType, Connection>;
  private readonly given: () => OwnWallets | undefined;
  /** What is to be scanned, while WalletConnect waits for a wallet. */
  pairing: Pairing | null = null;
  private readonly remote: ReturnType<typeof walletConnect> | null;
  private own: Announced[] = [];
  private started = false;

  constructor(
    storage: Storage | null,
    catalog: { readonly chains: readonly Chain[] },
    { given, remote }: Sources,
    listener: ConnectionsListener,
  ) {
    this.listener = listener;
    this.given = given;
    const paired = (pairing: Pairing | null): void => {
      this.pairing = pairing;
      listener.announced();
    };
    this.remote = remote ? walletConnect(remote, () => catalog.chains, paired) : null;
    this.byType = { EVM: new Connection("EVM", storage, listener), SVM: new Connection("SVM", storage, listener) };
    this.discovery = new Discovery(() => this.heard());
  }

  start(): void {
    this.started = true;
    this.takeOwn();
    this.discovery.start();
    this.heard();
  }

  stop(): void {
    this.started = false;
    this.discovery.stop();
    for (const type of TYPES) this.byType[type].stop();
    this.remote?.close();
  }

  of(chainType: ChainType | undefined): Wallet | null {
    return chainType ? this.byType[chainType].wallet : null;
  }

  all(): Wallet[] {
    return TYPES.flatMap((type) => this.byType[type].wallet ?? []);
  }

  /** Returns the wallets to choose from for a type of chain: the page's own alone, where it has one. */
  offered(chainType: ChainType): Announced[] {
    const own = this.own.filter((each) => each.chainType === chainType);
    if (own.length) return own;
    const found = this.discovery.wallets().filter((each) => each.chainType === chainType);
    return this.remote?.chainType === chainType ? [...found, this.remote] : found;
  }

  /** Connects a wallet; throws what it says. */
  join(announced: Announced): Promise<void> {
    return this.byType[announced.chainType].join(announced);
  }

  /** Takes no answer any more from a wallet that was asked. */
  cancel(announced: Announced): void {
    this.byType[announced.chainType].cancel();
    if (announced.chainType === "EVM") announced.end?.();
  }

  leave(chainType: ChainType): void {
    this.byType[chainType].leave();
  }

  /** Takes the wallets that the page gives now; those that it gave before are let go. */
  takeOwn(): void {
    if (!this.started) return;
    const before = this.own;
    this.own = ownWallets(this.given());
    for (const type of TYPES) {
      const of = (wallets: Announced[]): Announced | null => wallets.find((each) => each.chainType === type) ?? null;
      if (of(before) || of(this.own)) this.byType[type].takeOwn(of(this.own));
    }
  }

  private heard(): void {
    this.listener.announced();
    for (const type of TYPES) this.byType[type].rejoinLast(this.offered(type));
  }
}
