// What a page around the element sees: attributes, and what the events carry. The npm package has these types.

import type { ChainType, Route } from "./api.ts";

export type { DestinationCall, Proof, Sponsor } from "./extras.ts";
export type { ChainType, Route };

/** The attributes by their names, as texts; the service's guide to embedding says what each takes. */
export interface SwapAttributes {
  /** Where the API is; needed where an application bundles the element. */
  api?: string;
  chains?: string;
  payers?: string;
  tokens?: string;
  tools?: string;
  integrator?: string;
  fee?: string;
  "signing-keys"?: string;
  from?: string;
  to?: string;
  amount?: string;
  receiver?: string;
  locked?: string;
  walletconnect?: string;
  "walletconnect-relay"?: string;
  language?: string;
  layout?: "compact" | "wide";
  font?: string;
  "heading-font"?: string;
  /** There or not: whether links to the page fill the form. */
  links?: "";
}

/** Why an attribute is not followed: by itself, beside another one, or beside what the service has. */
export type FaultCode = "INVALID" | "CONTRADICTION" | "NOT_SERVED";

/** How a transfer, or a step of it, stands. */
export type StepState =
  | "ready" // next to be signed
  | "approving" // the wallet was asked for an approval
  | "signing" // the wallet was asked for the transaction
  | "sent" // a hash is known
  | "left" // mined; on its way where it goes to another chain
  | "done"
  | "refunded"
  | "recovered"
  | "failed"
  | "dropped";

export interface ChosenToken {
  chainId: number;
  address: string;
  symbol: string;
  decimals: number;
}

/** What is chosen in the form: the amount in raw units, the receiver where it is another than the wallet. */
export interface Choice {
  from: ChosenToken | null;
  to: ChosenToken | null;
  amount: string | null;
  receiver: string | null;
  /** The route that is chosen of those that were answered. */
  route: Route | null;
}

export interface WalletChange {
  /** "changed": another account, or another chain. */
  state: "connected" | "disconnected" | "changed";
  chainType: ChainType;
  address: string;
  /** The chain that an EVM wallet is on. */
  chainId: number | null;
  name: string;
}

export interface ErrorDetail {
  /** What was being done: filling the form, asking for routes, connecting a wallet, or sending. */
  during: "start" | "quote" | "connect" | "send";
  /** The API's code of an error, "UNREACHABLE" and the like; "DECLINED" in the wallet, and "STOPPED" for the rest. */
  code: string;
  /** What the element says of it. */
  message: string;
}

/** Something that the page asks for by attributes and that is not done, or only in part. */
export interface Warning {
  code: FaultCode | "FEE_NOT_TAKEN" | "FEE_REFUSED";
  attributes: readonly string[];
  /** The words in question. */
  value: string;
  /** In English, for who made the page. */
  message: string;
}

export interface Sent {
  transactionId: string | undefined;
  /** Not known yet for a batch. */
  hash: string | undefined;
  /** Whether nobody waited for it: the wallet answered late, or not, and it was found. */
  later: boolean;
}

export interface Done {
  transactionId: string | undefined;
  hash: string | undefined;
  /** "done", "refunded", "recovered", "failed", or "dropped" where nobody has seen it. */
  state: StepState;
  /** In raw units, where it is known. */
  received: string | undefined;
}

/** What a visitor has chosen below the element. */
export interface LanguageChange {
  /** A tag such as "de"; "" for what the page or the browser says. */
  language: string;
}

/** The details of the element's events, by their names. */
export interface SwapEvents {
  "rhumbline-quote": { routes: Route[] };
  "rhumbline-choice": Choice;
  "rhumbline-wallet": WalletChange;
  "rhumbline-sent": Sent;
  "rhumbline-done": Done;
  "rhumbline-language": LanguageChange;
  "rhumbline-error": ErrorDetail;
  "rhumbline-warning": Warning;
}
