// What the API refuses, and why.

/** What one adapter said where none has a route. */
export interface AdapterRefusal {
  adapter: string;
  kind: string;
  reason: string;
  minimum?: string;
}

export interface Details {
  message?: string | string[];
  errorCode?: string;
  requestId?: string;
  minimum?: string;
  adapters?: AdapterRefusal[];
}

/**
 * What the API refused; `code` is "UNREACHABLE" where nothing answered and "MALFORMED" where it was no answer of the
 * API's.
 */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Details;
  /** When to ask again, in milliseconds of the page's clock. */
  readonly again: number | null;

  constructor(code: string, message: string, status = 0, details: Details = {}, again: number | null = null) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.again = again;
  }
}
