// What was sent from here, kept in the browser: each transfer under a key of its own, so that two tabs do not overwrite
// each other.

import type { Step, StepToken } from "./api.ts";
import type { Trace } from "./fate.ts";
import type { StepState } from "./public-types.ts";

export type { StepState };

export interface Leg extends Trace {
  state: StepState;
  /** What is sent to the API for this step: a plan, never a transaction. */
  plan: Step;
  approvalHash?: string;
  /** Whether a signature is asked for in place of an approval. */
  permit?: boolean;
  transactionId?: string;
  expiresAt?: string;
  /** The hash that it had before the wallet replaced it. */
  replaced?: string;
  /** What the wallet sent in its place. */
  cancelled?: string;
  /** Whether the wallet's node has lost it. */
  missing?: boolean;
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
  /** What the network has taken, in raw units of the native token. */
  networkFee?: string;
  /** Whether the page around the element was told that it is sent. */
  told?: boolean;
  /** Whether the chain reverted it: then nothing was moved but the network's fee. */
  reverted?: boolean;
}

export interface Transfer {
  id: string;
  api: string;
  created: number;
  sender: string;
  receiver: string;
  /** Who has the tokens back if a bridge fails, where that is not the sender. */
  refundTo?: string;
  /** What Jito is tipped on Solana, in lamports. */
  tip?: string;
  pay: StepToken;
  get: StepToken;
  amount: string;
  /** What was asked to arrive at least, where that was typed. */
  wanted?: string;
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
/** Returns whether a step may be signed: the next one, or a later one of which the chain moved nothing. */
export function isSignable(transfer: Transfer): boolean {
  const leg = legOf(transfer);
  const undone = leg.state === "dropped" || (leg.state === "failed" && leg.reverted === true);
  return leg.state === "ready" || (undone && leg !== transfer.legs[0]);
}

/** A planned step, to be signed. */
export const newLeg = (plan: Step): Leg => ({
  state: "ready",
  plan,
  minimum: plan.estimate.toAmountMin,
  expected: plan.estimate.toAmount,
});

/** Puts a step back to where it was before it was signed. */
export function reset(leg: Leg): void {
  const { plan, minimum, expected, approvalHash } = leg;
  refill(leg, { state: "ready", plan, minimum, expected, ...(approvalHash ? { approvalHash } : {}) });
}

/** Makes one object equal to another in place, because others hold it. */
function refill<T extends object>(held: T, like: T): void {
  for (const key of Object.keys(held) as (keyof T)[]) if (!(key in like)) delete held[key];
  Object.assign(held, like);
}

/** Returns whether a step is under way for which nothing has to be signed. */
export const isMoving = (transfer: Transfer): boolean => ["signing", "sent", "left"].includes(legOf(transfer).state);

/** Returns whether a step was sent, as far as the wallet, a node or the service has told. */
export const wasSent = (leg: Leg): boolean =>
  Boolean(leg.hash || leg.batch) && !["ready", "approving", "signing", "dropped"].includes(leg.state);

/** The transfers of this browser; without storage they last as long as the page. */
export class History {
  private readonly memory = new Map<string, Transfer>();
  /** Transfers that could not be stored: what the storage has of them is older. */
  private readonly unkept = new Set<string>();
  /** Whether what is here outlives the page. */
  kept = true;

  private readonly api: string;
  private readonly storage: Storage | null;

  constructor(api: string, storage: Storage | null) {
    this.api = api;
    this.storage = storage;
  }

  /** Returns all, newest first. */
  all(): Transfer[] {
    this.load();
    return [...this.memory.values()].sort((a, b) => b.created - a.created);
  }

  /** Returns those that are here already; the storage is not asked. */
  held(): Iterable<Transfer> {
    return this.memory.values();
  }

  get(id: string): Transfer | null {
    this.load();
    return this.memory.get(id) ?? null;
  }

  put(transfer: Transfer): void {
    this.memory.set(transfer.id, transfer);
    if (this.keep(transfer) || this.keepAfterDropping(transfer)) {
      this.unkept.delete(transfer.id);
      this.kept = this.storage !== null;
      return;
    }
    this.unkept.add(transfer.id);
    this.kept = false;
  }

  private keepAfterDropping(transfer: Transfer): boolean {
    this.dropOldest();
    return this.keep(transfer);
  }

  private keep(transfer: Transfer): boolean {
    try {
      this.storage?.setItem(PREFIX + transfer.id, JSON.stringify(transfer));
      return true;
    } catch {
      return false;
    }
  }

  /** Takes what another tab has written under a key; returns the transfer where it is one that is not the same here. */
  takeStored(key: string | null, text: string | null): Transfer | null {
    const found = key?.startsWith(PREFIX) ? readTransfer(text) : null;
    if (!found || found.api !== this.api) return null;
    const held = this.memory.get(found.id);
    if (JSON.stringify(held) === JSON.stringify(found)) return null;
    this.unkept.delete(found.id);
    if (!held || held.legs.length !== found.legs.length) {
      this.memory.set(found.id, found);
      return found;
    }
    // Whoever works on it here goes on with what it is now.
    const { legs, ...rest } = found;
    Object.assign(held, rest);
    for (const [place, leg] of held.legs.entries()) refill(leg, legs[place] as Leg);
    return held;
  }

  /** Takes what is stored of a transfer, which another tab may just have changed. */
  refresh(id: string): void {
    if (this.unkept.has(id)) return;
    try {
      this.takeStored(PREFIX + id, this.storage?.getItem(PREFIX + id) ?? null);
    } catch {
      this.kept = false;
    }
  }

  /** Forgets what another tab has removed; returns its ID. */
  takeRemoved(key: string | null): string | null {
    const id = key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : null;
    return id !== null && this.memory.delete(id) ? id : null;
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
      for (const key of Object.keys(storage)
        .filter((name) => name.startsWith(PREFIX))
        .slice(0, MOST)) {
        const found = readTransfer(storage.getItem(key));
        if (found && found.api === this.api && !this.memory.has(found.id)) this.memory.set(found.id, found);
      }
    } catch {
      this.kept = false;
    }
  }

  /** Makes room: drops what ended longest ago, never what is under way. */
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

const isLeg = ({ state, plan }: Leg): boolean =>
  typeof state === "string" && typeof plan?.action?.fromChainId === "number";

/** Reads what was kept; null where it is none of ours, or of another version. */
export function readTransfer(text: string | null): Transfer | null {
  try {
    const found = JSON.parse(text ?? "") as Transfer;
    const named = typeof found.id === "string" && typeof found.created === "number" && /^[0-9]+$/.test(found.amount);
    const tokens = typeof found.pay?.symbol === "string" && typeof found.get?.symbol === "string";
    const legs = Array.isArray(found.legs) && found.legs.length > 0 && found.legs.every(isLeg);
    return named && tokens && legs ? found : null;
  } catch {
    return null;
  }
}

/** Returns the browser's storage; null where it is forbidden. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
