// The wallet of one type of chain: asked, remembered, and watched.

import type { ChainType } from "./api.ts";
import type { Announced } from "./wallet/discovery.ts";
import { EvmWallet } from "./wallet/evm.ts";
import type { SvmWallet } from "./wallet/solana.ts";

const LAST_WALLET: Record<ChainType, string> = {
  EVM: "rhumbline-swap/wallet",
  SVM: "rhumbline-swap/wallet-svm",
};

export type Wallet = EvmWallet | SvmWallet;

export interface ConnectionListener {
  /** Another wallet, another account, or none. */
  accountChanged: () => void;
  /** The same one on another chain. */
  chainChanged: () => void;
}

export class Connection {
  wallet: Wallet | null = null;
  /** What `wallet` was announced as. */
  announced: Announced | null = null;
  private readonly chainType: ChainType;
  private readonly storage: Storage | null;
  private readonly listener: ConnectionListener;
  private unwatch: () => void = () => undefined;
  private tried = false;
  private asked = 0;

  constructor(chainType: ChainType, storage: Storage | null, listener: ConnectionListener) {
    this.chainType = chainType;
    this.storage = storage;
    this.listener = listener;
  }

  stop(): void {
    this.asked += 1;
    this.unwatch();
  }

  /** Connects a wallet; throws what it says. `silent` asks nobody who has not agreed before. */
  async join(announced: Announced, silent = false): Promise<void> {
    this.asked += 1;
    const asked = this.asked;
    const wallet = await connected(announced, silent);
    // One that answers late is not taken instead of what was chosen meanwhile.
    if (asked !== this.asked) return end(announced);
    this.unwatch();
    const rejoin = (): void => void this.join(announced, true).catch(() => this.leave());
    const look = (): void =>
      void wallet.look().then(
        () => this.listener.chainChanged(),
        () => this.leave(),
      );
    this.unwatch = wallet.watch(
      (accounts) => (accounts ? rejoin() : this.leave()),
      look,
      () => this.forget(),
    );
    this.wallet = wallet;
    this.announced = announced;
    this.remember(announced.own ? null : announced.id);
    this.listener.accountChanged();
  }

  /** Takes no answer any more from a wallet that was asked. */
  cancel(): void {
    this.asked += 1;
  }

  leave(): void {
    if (this.announced) end(this.announced);
    this.remember(null);
    this.forget();
  }

  /** Lets go of the wallet, and comes back to it next time. */
  private forget(): void {
    this.asked += 1;
    this.unwatch();
    this.unwatch = () => undefined;
    this.wallet = null;
    this.announced = null;
    this.listener.accountChanged();
  }

  /** Takes the page's own wallet, where it agrees already, in place of any other; null takes that one back. */
  takeOwn(own: Announced | null): void {
    if (this.wallet && (own || this.announced?.own)) this.forget();
    this.tried = own !== null;
    if (own) void this.join(own, true).catch(() => undefined);
  }

  /** Comes back to the wallet of last time, where it still agrees. */
  rejoinLast(wallets: readonly Announced[]): void {
    const last = this.remembered();
    const known = last && !this.wallet && !this.tried ? wallets.find(({ id }) => id === last) : undefined;
    if (!known) return;
    this.tried = true;
    void this.join(known, true).catch(() => undefined);
  }

  private remembered(): string | null {
    try {
      return this.storage?.getItem(LAST_WALLET[this.chainType]) ?? null;
    } catch {
      return null;
    }
  }

  private remember(id: string | null): void {
    try {
      if (id) this.storage?.setItem(LAST_WALLET[this.chainType], id);
      else this.storage?.removeItem(LAST_WALLET[this.chainType]);
    } catch {
      // Then the wallet is chosen anew next time.
    }
  }
}

/** Ends what a wallet was connected by, where that is more than its own leave. */
function end(announced: Announced): void {
  if (announced.chainType === "EVM") announced.end?.();
}

async function connected(announced: Announced, silent: boolean): Promise<Wallet> {
  if (announced.chainType === "EVM") return EvmWallet.connect(announced, announced.provider, silent);
  // What speaks to Solana's wallets is loaded when one is chosen.
  const { SvmWallet } = await import("./wallet/solana.ts");
  return SvmWallet.connect(announced, announced.wallet, silent);
}
