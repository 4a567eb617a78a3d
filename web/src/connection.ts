// The wallet that is connected: found, asked, remembered, and watched.

import type { ChainType } from "./api.ts";
import { type Announced, Discovery } from "./wallet/discovery.ts";
import { EvmWallet } from "./wallet/evm.ts";
import type { SvmWallet } from "./wallet/solana.ts";

const LAST_WALLET = "rhumbline-swap/wallet";

export type Wallet = EvmWallet | SvmWallet;

export interface Listener {
  /** Another wallet, another account, or none. */
  accountChanged: () => void;
  /** The same one on another chain. */
  chainChanged: () => void;
  /** A wallet has announced itself. */
  announced: () => void;
}

export class Connection {
  wallet: Wallet | null = null;
  readonly discovery: Discovery;
  private readonly storage: Storage | null;
  private readonly listener: Listener;
  private unwatch: () => void = () => undefined;
  private tried = false;
  private asked = 0;

  constructor(storage: Storage | null, listener: Listener) {
    this.storage = storage;
    this.listener = listener;
    this.discovery = new Discovery(() => this.rejoinLast());
  }

  start(): void {
    this.discovery.start();
  }

  stop(): void {
    this.discovery.stop();
    this.unwatch();
  }

  get chainType(): ChainType | null {
    return this.wallet?.chainType ?? null;
  }

  /** Connects a wallet; throws what it says. `silent` asks nobody who has not agreed before. */
  async join(announced: Announced, silent = false): Promise<void> {
    this.asked += 1;
    const asked = this.asked;
    const wallet = await connected(announced, silent);
    // One that answers late is not taken instead of what was chosen meanwhile.
    if (asked !== this.asked) return;
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
    this.remember(announced.id);
    this.listener.accountChanged();
  }

  leave(): void {
    this.remember(null);
    this.forget();
  }

  /** Lets go of the wallet, and comes back to it next time. */
  private forget(): void {
    this.asked += 1;
    this.unwatch();
    this.unwatch = () => undefined;
    this.wallet = null;
    this.listener.accountChanged();
  }

  /** Comes back to the wallet of last time, where it still agrees. */
  private rejoinLast(): void {
    this.listener.announced();
    const last = this.remembered();
    const known =
      last && !this.wallet && !this.tried ? this.discovery.wallets().find(({ id }) => id === last) : undefined;
    if (!known) return;
    this.tried = true;
    void this.join(known, true).catch(() => undefined);
  }

  private remembered(): string | null {
    try {
      return this.storage?.getItem(LAST_WALLET) ?? null;
    } catch {
      return null;
    }
  }

  private remember(id: string | null): void {
    try {
      if (id) this.storage?.setItem(LAST_WALLET, id);
      else this.storage?.removeItem(LAST_WALLET);
    } catch {
      // Then the wallet is chosen anew next time.
    }
  }
}

async function connected(announced: Announced, silent: boolean): Promise<Wallet> {
  if (announced.chainType === "EVM") return EvmWallet.connect(announced, announced.provider, silent);
  // What speaks to Solana's wallets is loaded when one is chosen.
  const { SvmWallet } = await import("./wallet/solana.ts");
  return SvmWallet.connect(announced, announced.wallet, silent);
}
