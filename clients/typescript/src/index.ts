/** Client of a Rhumbline service. It signs nothing by itself; `./viem` and `./kit` send with wallets that they are given. */

export { type Options, type PairParameters, Rhumbline, type StepContext, type StreamedQuote } from "./client.ts";
export * from "./errors.ts";
export type * from "./models.ts";
export type { Amount, QuoteParameters, ScorecardParameters, Share } from "./parameters.ts";
export type { Page, RecordChange } from "./records.ts";
export type { Retries } from "./retries.ts";
export { permitted } from "./sending.ts";
export { type SignedAnswer, type SigningKey, verifyAnswer } from "./signatures.ts";
export type { FollowOptions, StatusChange } from "./status-watch.ts";
export { VERSION } from "./version.ts";
export { type ArrivedHeaders, verify as verifyWebhook } from "./webhooks.ts";
