// What goes wrong: the service's errors with their codes, and what the client finds by itself.

/** The API's codes; newer services may have others. */
export type ErrorCode =
  | "VALIDATION_ERROR"
  | "WRONG_ADDRESS"
  | "NOT_FOUND"
  | "NO_AVAILABLE_QUOTES"
  | "AMOUNT_TOO_LOW"
  | "SLIPPAGE_EXCEEDED"
  | "ADAPTER_BAD_REQUEST"
  | "ADAPTER_UNAUTHORIZED"
  | "ADAPTER_INTERNAL"
  | "RATE_LIMIT"
  | "UNKNOWN"
  | (string & {});

/** Base of all errors of this package. */
export class RhumblineError extends Error {
  constructor(words: string, options?: ErrorOptions) {
    super(words, options);
    this.name = new.target.name;
  }
}

/** The service or a node did not answer. */
export class Unreachable extends RhumblineError {}

/** An answer is not what this client knows. */
export class UnexpectedAnswer extends RhumblineError {}

/** The service has no such endpoint: it is older than this client. */
export class EndpointMissing extends RhumblineError {}

/** A transaction has not ended in the time that the caller gave; it may still. */
export class TimedOut extends RhumblineError {}

type Details = { message?: string | string[]; errorCode?: string; minimum?: string; requestId?: string };

/** An error that the service answered; decide by `code`, show `message` to people. */
export class ServiceError extends RhumblineError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Seconds, where the service names them. */
  readonly retryAfter: number | undefined;
  /** The request's name in the operator's log. */
  readonly requestId: string | undefined;

  constructor(status: number, body: { code?: unknown; message?: unknown; details?: unknown }, headers?: Headers) {
    super(typeof body.message === "string" ? body.message : `HTTP status ${status}`);
    this.status = status;
    this.code = typeof body.code === "string" ? body.code : status === 429 ? "RATE_LIMIT" : "UNKNOWN";
    this.details = body.details;
    const seconds = headers?.get("retry-after");
    this.retryAfter = seconds && /^\d+(\.\d+)?$/.test(seconds) ? Number(seconds) : undefined;
    this.requestId = headers?.get("x-request-id") ?? this.#detailed.requestId;
  }

  get #detailed(): Details {
    return typeof this.details === "object" && this.details !== null ? (this.details as Details) : {};
  }

  /** Every fault of a request, or every adapter's reason. */
  get faults(): string[] {
    return [this.#detailed.message ?? []].flat();
  }

  /** Of `AMOUNT_TOO_LOW`: an amount in the smallest unit that worked a moment ago. */
  get minimum(): bigint | undefined {
    const { minimum } = this.#detailed;
    return minimum && /^\d+$/.test(minimum) ? BigInt(minimum) : undefined;
  }

  /** Of 401 and 403: `API_KEY_MISSING`, `API_KEY_INVALID`, `INTEGRATOR_MISMATCH`, `API_KEY_SCOPE`, and others. */
  get reason(): string | undefined {
    return this.#detailed.errorCode;
  }
}

/** What became of a transaction that was signed; `hash` was computed before it was sent, unless a wallet keeps it to itself. */
export class SendError extends RhumblineError {
  readonly hash: string | undefined;

  constructor(words: string, hash: string | undefined, options?: ErrorOptions) {
    super(hash === undefined ? words : `${words} (${hash})`, options);
    this.hash = hash;
  }
}

/** The node did not take the transaction, and does not know it. */
export class SendRefused extends SendError {}

/** It is not known whether the transaction was sent or mined: call `execute` with the same quote, never ask for a new one. */
export class SendUncertain extends SendError {}

/** The transaction was executed and failed. */
export class Reverted extends SendError {}

/** The quote's time is over: nothing of it can be executed any more. */
export class Expired extends RhumblineError {}

/** The node is one of another chain. */
export class WrongChain extends RhumblineError {}

/** The transaction is not for this wallet to sign. */
export class WrongWallet extends RhumblineError {}

/** A webhook or an answer was not signed with any of the secrets or keys, or is too old: do not take it. */
export class InvalidSignature extends RhumblineError {}
