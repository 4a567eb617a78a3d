// Asks the service: no key, no cookies. Where the page has the service's public keys, its answers have to be signed.

import { ApiError, type Details } from "./api-error.ts";
import type { Proof } from "./extras.ts";
import { texts } from "./texts.ts";

export interface Allowance {
  limit: number;
  left: number;
  resets: Date | null;
}

/** Throws where an answer is not the service's. */
export type Check = (proof: Proof) => Promise<unknown>;

const SLOW_MS = 30_000;
/** How paths begin whose answers are signed, by a service that signs. */
const SIGNED = ["/v1/prices/pair", "/v1/advanced/", "/v1/status/"];
const SIGNATURE = ["content-digest", "signature-input", "signature"];

export class Transport {
  /** What is left of the public tier, as the last counted answer told. */
  allowance: Allowance | null = null;
  /** Signed answers by what was read from them. */
  readonly proofs = new WeakMap<object, Proof>();
  private readonly base: string;
  private readonly check: Check | undefined;

  constructor(base: string, check: Check | undefined) {
    this.base = base;
    this.check = check;
  }

  get verifies(): boolean {
    return this.check !== undefined;
  }

  async ask<T>(path: string, options: RequestInit = {}): Promise<T> {
    const patience = AbortSignal.timeout(SLOW_MS);
    const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.base + path, { ...options, signal, credentials: "omit" });
      text = await response.text();
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new ApiError(patience.aborted ? "SLOW" : "UNREACHABLE", texts.serviceSilent);
    }
    this.count(response.headers);
    const body = parsed(text);
    if (response.ok && body !== null) return this.proved(body as T & object, proofOf(path, options, response, text));
    throw refusal(response, body);
  }

  /** Keeps how an answer was signed, and throws where it had to be and is not. */
  private async proved<T extends object>(body: T, proof: Proof): Promise<T> {
    if (proof.headers.signature && typeof body === "object") this.proofs.set(body, proof);
    if (this.check && SIGNED.some((each) => proof.target.startsWith(each))) {
      await this.check(proof).catch((error: Error) => {
        throw new ApiError("UNSIGNED", error.message);
      });
    }
    return body;
  }

  private count(headers: Headers): void {
    const [limit, left, resets] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    if (limit && left)
      this.allowance = { limit: Number(limit), left: Number(left), resets: resets ? new Date(resets) : null };
  }
}

/** Reads JSON; null where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function proofOf(target: string, options: RequestInit, { headers, status }: Response, body: string): Proof {
  const { method = "GET", body: posted } = options;
  const signature = SIGNATURE.map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null);
  const whole = { method, target, status, headers: Object.fromEntries(signature), body };
  return typeof posted === "string" ? { ...whole, posted } : whole;
}

function refusal({ headers, status }: Response, body: unknown): ApiError {
  const { code, message, details } = (body ?? {}) as { code?: string; message?: string; details?: Details };
  const wait = Number(headers.get("retry-after"));
  const again = wait > 0 ? Date.now() + wait * 1000 : null;
  const given = details && typeof details === "object" ? details : {};
  return new ApiError(code ?? "MALFORMED", message ?? texts.serviceAnswered(status), status, given, again);
}
