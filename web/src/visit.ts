// What one visit to the page holds, and what those who act for it may do with it.

import type { Api, ChainType, Step } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import type { Wallet } from "./connection.ts";
import type { Form } from "./form.ts";
import type { Search } from "./route-requests.ts";
import type { Transfers } from "./transfers.ts";

export type Sort = "best" | "net" | "time" | "fees";

/** What the page shows: whoever changes it has it drawn anew. */
export interface VisitState {
  form: Form;
  search: Search;
  ready: boolean;
  /** Why the form cannot be filled, in words. */
  refused: string;
  /** Of the token that is paid, in raw units; null while it is not known. */
  balance: bigint | null;
  /** The same of the chain's native token. */
  native: bigint | null;
  routeId: string | null;
  /** A step as it is before signing, where the service has said more of the loss than the plan did. */
  warned: Step | null;
  agreed: boolean;
  stale: boolean;
  /** About what arrives, in raw units, while routes are asked for; null while that is not known. */
  about: string | null;
  /** What is waited for, in words; "" where nothing is. */
  busy: string;
  /** What stopped the last attempt to send, in words. */
  problem: string;
  view: "swap" | "history";
  sort: Sort;
  /** The route whose row is open. */
  opened: string | null;
  settingsOpen: boolean;
}

/** What holds of an answer until the form or the wallet is another. */
export const NOTHING_ANSWERED = {
  warned: null,
  agreed: false,
  problem: "",
  stale: false,
  routeId: null,
  opened: null,
  about: null,
  search: { is: "idle" },
} satisfies Partial<VisitState>;

/** What the requests to the wallet need of the visit around them. */
export interface Visit extends Readonly<Omit<VisitState, "busy">> {
  busy: string;
  readonly api: Api;
  readonly catalog: Catalog;
  readonly transfers: Transfers;
  /** The wallet that pays what the form says. */
  readonly wallet: Wallet | null;
  /** All that are connected. */
  readonly connections: { all(): Wallet[] };
  readonly integrator: string | undefined;
  set(changes: Partial<VisitState>): void;
  walletOf(chainType: ChainType | undefined): Wallet | null;
  /** The form or the wallet is another: what was answered holds no more. */
  edited(): void;
  /** Asks for routes anew. */
  renew(): void;
  /** Asks for none. */
  pause(): void;
  readBalances(): Promise<void>;
}
