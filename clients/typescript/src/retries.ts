// When a request that changes nothing is repeated, and after how long.

import { type RhumblineError, ServiceError, Unreachable } from "./errors.ts";

export interface Retries {
  /** How often a read is tried in all. */
  attempts: number;
  /** The first pause in seconds; each further one is twice as long. */
  first: number;
  /** The longest pause in seconds. Where the service asks for a longer one, its error is thrown at once. */
  longest: number;
}

export const RETRIES: Retries = { attempts: 4, first: 0.5, longest: 30 };
const JITTER = 0.2;

/** Whether a failure is one that passes by itself. */
export function passes(error: unknown): boolean {
  if (error instanceof ServiceError) return [429, 503].includes(error.status) || error.code === "ADAPTER_INTERNAL";
  return error instanceof Unreachable;
}

/** The seconds to wait after an attempt, counted from 1; undefined if there is no other. */
export function pauseOf(retries: Retries, attempt: number, error: RhumblineError): number | undefined {
  if (attempt >= retries.attempts || !passes(error)) return undefined;
  const asked = error instanceof ServiceError ? (error.retryAfter ?? 0) : 0;
  if (asked > retries.longest) return undefined;
  // Clients that were refused together do not come back together.
  return Math.min(Math.max(retries.first * 2 ** (attempt - 1), asked), retries.longest) * (1 + JITTER * Math.random());
}

export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
