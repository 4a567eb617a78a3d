// Wallets as they announce themselves: EIP-6963 for EVM chains, the Wallet Standard for Solana. No wallet's code is
// loaded from here.

import { getWallets } from "@wallet-standard/app";
import type { Wallet as StandardWallet } from "@wallet-standard/base";
import { texts } from "../texts.ts";

export interface Provider {
  request(asked: { method: string; params?: unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: never) => void): void;
  removeListener?(event: string, listener: (value: never) => void): void;
}

export interface Named {
  id: string;
  name: string;
  icon: string | null;
  /** Whether the page around the element has given it. */
  own?: true;
}

export type Announced = Named &
  (
    | { chainType: "EVM"; provider: Provider /** Ends what it was connected by. */; end?: () => void }
    | { chainType: "SVM"; wallet: StandardWallet }
  );

export const LONGEST_NAME = 64;
const SENDING = ["solana:signAndSendTransaction", "solana:signTransaction"];

export function isProvider(value: unknown): value is Provider {
  return typeof (value as Provider | null)?.request === "function";
}

/** Returns whether a wallet connects on Solana, and sends or signs there. */
export function sendsOnSolana({ features, chains }: StandardWallet): boolean {
  if (!features || !Array.isArray(chains)) return false;
  const able = "standard:connect" in features && SENDING.some((feature) => feature in features);
  return able && chains.some((chain) => String(chain).startsWith("solana:"));
}

export function iconOf(icon: unknown): string | null {
  return typeof icon === "string" && /^data:image\/(png|webp|gif|jpeg|svg\+xml)[;,]/.test(icon) ? icon : null;
}

/** Keeps what announces itself, and tells of each newcomer. */
export class Discovery {
  private readonly announced = new Map<string, Announced>();
  private readonly heard = (event: Event): void => this.hear(event);
  private readonly changed: () => void;
  private unregister: () => void = () => undefined;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  start(): void {
    addEventListener("eip6963:announceProvider", this.heard);
    const standard = getWallets();
    this.unregister = standard.on("register", (...wallets) => {
      for (const wallet of wallets) this.add(wallet);
    });
    for (const wallet of standard.get()) this.add(wallet);
    this.ask();
  }

  stop(): void {
    removeEventListener("eip6963:announceProvider", this.heard);
    this.unregister();
  }

  ask(): void {
    dispatchEvent(new Event("eip6963:requestProvider"));
  }

  wallets(): Announced[] {
    const found = [...this.announced.values()];
    const { ethereum } = globalThis as { ethereum?: unknown };
    if (found.some(({ chainType }) => chainType === "EVM") || !isProvider(ethereum)) return found;
    return [
      ...found,
      { id: "window.ethereum", chainType: "EVM", name: texts.browserWallet, icon: null, provider: ethereum },
    ];
  }

  private hear(event: Event): void {
    const { info, provider } =
      (event as CustomEvent<{ info?: Record<string, unknown>; provider?: unknown }>).detail ?? {};
    if (!info || typeof info.uuid !== "string" || !isProvider(provider)) return;
    const id = typeof info.rdns === "string" && info.rdns ? info.rdns : info.uuid;
    const name = String(info.name ?? texts.unnamedWallet).slice(0, LONGEST_NAME);
    this.announced.set(info.uuid, { id, chainType: "EVM", name, icon: iconOf(info.icon), provider });
    this.changed();
  }

  private add(wallet: StandardWallet): void {
    if (!sendsOnSolana(wallet)) return;
    const name = String(wallet.name).slice(0, LONGEST_NAME);
    const id = `standard:${name}`;
    this.announced.set(id, { id, chainType: "SVM", name, icon: iconOf(wallet.icon), wallet });
    this.changed();
  }
}
