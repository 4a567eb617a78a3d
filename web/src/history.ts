// What was sent from here, kept in the browser: each transfer under a key of its own, so that two tabs do not overwrite each other.

import type { Step, StepToken } from "./api.ts";

export type StepState =
  | "ready" // next to be signed
  | "approving" // the wallet was asked for an approval
  | "signing" // the wallet was asked for the transaction
  | "sent" // a hash is known
  | "left" // mined; on its way where it goes to another chain
  | "done" | "refunded" | "recovered" | "failed" | "dropped";

export interface Leg {
  state: StepState;
  /** What is sent to the API for this step: a plan, never a transaction. */
  plan: Step;
  approvalHash?: string;
  transactionId?: string;
  expiresAt?: string;
  hash?: string;
  nonce?: number;
  replaced?: string;
  missingSince?: number;
  /** The wallet's own name of a batch (EIP-5792). */
  batch?: string;
  /** Whom a bridge's own form pays: a deposit address, or its contract. */
  payee?: string;
  destination?: string;
  received?: string;
  minimum: string;
  expected: string;
  bridgePage?: string;
  sentAt?: number;
  minedAt?: number;
  endedAt?: number;
  substatus?: string;
  /** Whether the chain itself undid it: nothing was moved then but the network's fee. */
  reverted?: boolean;
}

export interface Transfer {
  id: string;
  api: string;
  created: number;
  sender: string;
  receiver: string;
  pay: StepToken;
  get: StepToken;
  amount: string;
  adapter: string;
  seconds?: number;
  integrator?: string;
  legs: Leg[];
}

const PREFIX = "rhumbline-swap/transfer/";
const MOST = 200;
const ENDED: readonly StepState[] = ["done", "refunded", "recovered", "failed", "dropped"];

export const legOf = (transfer: Transfer): Leg => {
  const open = transfer.legs.find((leg) => leg.state !== "done");
  return open ?? (transfer.legs[transfer.legs.length - 1] as Leg);
};
export const isEnded = (transfer: Transfer): boolean => ENDED.includes(legOf(transfer).state);
/** Tells whether something of it is under way that nobody has to sign for. */
export const isMoving = (transfer: Transfer): boolean => ["signing", "sent", "left"].includes(legOf(transfer).state);

/** A shelf of transfers; works without storage, too, for as long as the page lives. */
export class History {
  private readonly memory = new Map<string, Transfer>();
  /** Whether what is here outlives the page. */
  kept = true;

  private readonly api: string;
  private readonly storage: Storage | null;

  constructor(api: string, storage: Storage | null) {
    this.api = api;
    this.storage = storage;
  }

  /** Answers all, newest first. */
  all(): Transfer[] {
    this.load();
    return [...this.memory.values()].sort((a, b) => b.created - a.created);
  }

  get(id: string): Transfer | null {
    this.load();
    return this.memory.get(id) ?? null;
  }

  put(transfer: Transfer): void {
    this.memory.set(transfer.id, transfer);
    try {
      this.storage?.setItem(PREFIX + transfer.id, JSON.stringify(transfer));
      this.kept = this.storage !== null;
    } catch {
      this.kept = false;
      this.dropOldest();
    }
  }

  /** Takes what another tab has written under a key; answers the transfer where it is one that is not the same here. */
  heard(key: string | null, text: string | null): Transfer | null {
    const found = key?.startsWith(PREFIX) ? readTransfer(text) : null;
    if (!found || found.api !== this.api || JSON.stringify(this.memory.get(found.id)) === JSON.stringify(found)) return null;
    this.memory.set(found.id, found);
    return found;
  }

  remove(id: string): void {
    this.memory.delete(id);
    try {
      this.storage?.removeItem(PREFIX + id);
    } catch {
      this.kept = false;
    }
  }

  private load(): void {
    const { storage } = this;
    if (!storage) {
      this.kept = false;
      return;
    }
    try {
      for (const key of Object.keys(storage).filter((name) => name.startsWith(PREFIX)).slice(0, MOST)) {
        const found = readTransfer(storage.getItem(key));
        if (found && found.api === this.api && !this.memory.has(found.id)) this.memory.set(found.id, found);
      }
    } catch {
      this.kept = false;
    }
  }

  /** Makes room: what has ended longest ago goes first, what is under way never. */
  private dropOldest(): void {
    const ended = [...this.memory.values()].filter(isEnded).sort((a, b) => a.created - b.created);
    for (const { id } of ended.slice(0, Math.ceil(ended.length / 2))) {
      try {
        this.storage?.removeItem(PREFIX + id);
      } catch {
        return;
      }
    }
  }
}

/** Reads what was kept; null where it is none of ours, or of another version. */
export function readTransfer(text: string | null): Transfer | null {
  try {
    const found = JSON.parse(text ?? "") as Transfer;
    const sound = typeof found.id === "string" && typeof found.created === "number" && Array.isArray(found.legs) && found.legs.length > 0 &&
      found.legs.every((leg) => typeof leg.state === "string" && typeof leg.plan?.action?.fromChainId === "number") &&
      typeof found.pay?.symbol === "string" && typeof found.get?.symbol === "string" && /^[0-9]+$/.test(found.amount);
    return sound ? found : null;
  } catch {
    return null;
  }
}

/** Answers the browser's storage; null where it is forbidden. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
