// Wallets as they announce themselves (EIP-6963). No wallet's code is loaded from here.

export interface Provider {
  request(asked: { method: string; params?: unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: never) => void): void;
  removeListener?(event: string, listener: (value: never) => void): void;
}

export interface Announced {
  id: string;
  name: string;
  icon: string | null;
  provider: Provider;
}

const LONGEST_NAME = 64;

function isProvider(value: unknown): value is Provider {
  return typeof (value as Provider | null)?.request === "function";
}

function iconOf(icon: unknown): string | null {
  return typeof icon === "string" && /^data:image\/(png|webp|gif|jpeg|svg\+xml)[;,]/.test(icon) ? icon : null;
}

/** Keeps what announces itself, and tells of each newcomer. */
export class Discovery {
  private readonly announced = new Map<string, Announced>();
  private readonly heard = (event: Event): void => this.hear(event);
  private readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  start(): void {
    addEventListener("eip6963:announceProvider", this.heard);
    this.ask();
  }

  stop(): void {
    removeEventListener("eip6963:announceProvider", this.heard);
  }

  ask(): void {
    dispatchEvent(new Event("eip6963:requestProvider"));
  }

  wallets(): Announced[] {
    const found = [...this.announced.values()];
    const { ethereum } = window as { ethereum?: unknown };
    return found.length || !isProvider(ethereum) ? found : [{ id: "window.ethereum", name: "Browser wallet", icon: null, provider: ethereum }];
  }

  private hear(event: Event): void {
    const { info, provider } = (event as CustomEvent<{ info?: Record<string, unknown>; provider?: unknown }>).detail ?? {};
    if (!info || typeof info.uuid !== "string" || !isProvider(provider)) return;
    const id = typeof info.rdns === "string" && info.rdns ? info.rdns : info.uuid;
    this.announced.set(info.uuid, { id, name: String(info.name ?? "Wallet").slice(0, LONGEST_NAME), icon: iconOf(info.icon), provider });
    this.changed();
  }
}
