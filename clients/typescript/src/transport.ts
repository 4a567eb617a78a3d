// One request after the other: retries of reads, typed errors, streams of events.

import { EndpointMissing, ServiceError, UnexpectedAnswer, Unreachable } from "./errors.ts";
import { EventDecoder, type ServerEvent } from "./events.ts";
import type { Given } from "./parameters.ts";
import { pauseOf, type Retries, sleep } from "./retries.ts";
import { type SigningKey, verifyAnswer } from "./signatures.ts";
import { VERSION } from "./version.ts";

export interface Request {
  ids?: (string | number)[];
  query?: Record<string, string>;
  body?: Given;
  signal?: AbortSignal | undefined;
}

export interface Settings {
  key: string | undefined;
  retries: Retries;
  /** Seconds that one request may be without an answer. */
  timeout: number;
  /** The service's public keys: then answers have to be signed. */
  signingKeys?: SigningKey[] | undefined;
}

/** How paths begin whose answers are signed, by a service that signs. */
const SIGNED = ["/v1/quotes", "/v1/prices/pair", "/v1/advanced/", "/v1/status/"];
const DOCUMENT = "/openapi.json";
/** A stream has a comment every 15 seconds: one that says nothing for three of them is broken. */
const IDLE_S = 45;

/** Asks one service. The key goes to this service only: no redirect is followed. */
export class Transport {
  readonly #base: string;
  readonly #settings: Settings;
  #endpoints: Set<string> | undefined;

  constructor(base: string, settings: Settings) {
    if (!/^https?:\/\//.test(base)) throw new TypeError(`the address begins with http:// or https://, unlike ${base}`);
    this.#base = base.replace(/\/+$/, "");
    this.#settings = settings;
  }

  /** Asks an endpoint that changes nothing, again where that helps; `GET /v1/x/{id}` is as the document has it. */
  async read<T>(endpoint: string, request: Request = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once<T>(endpoint, request);
      } catch (error) {
        const pause = pauseOf(this.#settings.retries, attempt, error as Error);
        if (pause === undefined) throw error;
        await sleep(pause, request.signal);
      }
    }
  }

  /** Asks once, whatever comes of it: for what changes something. */
  async once<T>(endpoint: string, request: Request = {}): Promise<T> {
    const timeout = AbortSignal.timeout(1000 * this.#settings.timeout);
    const response = await this.#fetch(endpoint, request, timeout);
    if (response.status !== 200) throw await this.#error(endpoint, response);
    const text = await response.text().catch((error) => {
      throw this.#broken(endpoint, error, request.signal);
    });
    await this.#check(endpoint, request, response, text);
    return parsed<T>(endpoint, text);
  }

  /** Whether answers have to be signed. */
  get verifies(): boolean {
    return this.#settings.signingKeys !== undefined;
  }

  /** Throws InvalidSignature where an answer has to be signed and is not. */
  async #check(endpoint: string, request: Request, response: Response, body: string): Promise<void> {
    const keys = this.#settings.signingKeys;
    const { method, target, body: posted } = sent(endpoint, request);
    if (keys === undefined || !SIGNED.some((each) => target.startsWith(each))) return;
    const { status, headers } = response;
    await verifyAnswer({ method, target, status, headers, body, posted: posted ?? undefined }, keys);
  }

  /** Reads a stream to its end: its events, and undefined for each sign of life between them. */
  async *events(endpoint: string, request: Request & { lastId?: string | undefined } = {}) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), 1000 * IDLE_S);
    const decoder = new EventDecoder(request.lastId);
    const utf8 = new TextDecoder();
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    try {
      const response = await this.#fetch(endpoint, request, silence.signal, request.lastId ?? "");
      if (response.status === 204) return;
      if (response.status !== 200) throw await this.#error(endpoint, response);
      if (!response.headers.get("content-type")?.startsWith("text/event-stream") || !response.body) {
        throw new UnexpectedAnswer(`${endpoint} answers no stream of events: is a proxy in between?`);
      }
      reader = response.body.getReader();
      while (true) {
        const { done, value } = await reader.read().catch((error) => {
          throw this.#broken(endpoint, error, request.signal);
        });
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), 1000 * IDLE_S);
        const found: (ServerEvent | undefined)[] = decoder.feed(utf8.decode(value, { stream: true }));
        yield* found.length > 0 ? found : [undefined];
      }
    } finally {
      clearTimeout(timer);
      await reader?.cancel().catch(() => undefined);
      silence.abort();
    }
  }

  async #fetch(endpoint: string, request: Request, timeout: AbortSignal, lastId?: string): Promise<Response> {
    const { method, target, body } = sent(endpoint, request);
    const headers = new Headers();
    if (this.#settings.key !== undefined) headers.set("x-api-key", this.#settings.key);
    if (request.body !== undefined) headers.set("content-type", "application/json");
    if (lastId) headers.set("last-event-id", lastId);
    // A browser says what it is by itself.
    if (!("document" in globalThis)) headers.set("user-agent", `rhumbline-client-js/${VERSION}`);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      return await fetch(this.#base + target, { method, headers, body, signal, redirect: "manual", cache: "no-store" });
    } catch (error) {
      throw this.#broken(endpoint, error, request.signal);
    }
  }

  #broken(endpoint: string, error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    return new Unreachable(`${endpoint}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }

  async #error(endpoint: string, response: Response): Promise<Error> {
    const text = await response.text().catch(() => "");
    if (response.status === 404 && (await this.#lacks(endpoint))) {
      return new EndpointMissing(`the service has no ${endpoint}: it is older than this client (${VERSION})`);
    }
    const body = objectOf(text) ?? { message: `HTTP status ${response.status}: ${text.slice(0, 200).trim()}` };
    return new ServiceError(
      response.status,
      response.status === 404 ? { code: "NOT_FOUND", ...body } : body,
      response.headers,
    );
  }

  /** Whether the service's own document has no such endpoint; asked once, and never if in doubt. */
  async #lacks(endpoint: string): Promise<boolean> {
    if (this.#endpoints === undefined) {
      this.#endpoints = new Set();
      const response = await fetch(this.#base + DOCUMENT, { redirect: "manual" }).catch(() => undefined);
      const paths = objectOf((await response?.text().catch(() => "")) ?? "")?.paths;
      for (const [path, methods] of Object.entries(paths ?? {})) {
        for (const method of Object.keys(methods)) this.#endpoints.add(`${method.toUpperCase()} ${path}`);
      }
    }
    return this.#endpoints.size > 0 && !this.#endpoints.has(endpoint);
  }
}

/** What is sent of a request: its method, path and query, and body. */
function sent(endpoint: string, request: Request): { method: string; target: string; body: string | null } {
  const [method, template] = endpoint.split(" ") as [string, string];
  const ids = [...(request.ids ?? [])];
  const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids.shift() ?? ""));
  const query = new URLSearchParams(request.query).toString();
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  return { method, target: `${path}${query && "?"}${query}`, body };
}

/** An answer as JSON; throws UnexpectedAnswer for anything else than an object. */
export function parsed<T>(endpoint: string, text: string): T {
  const found = objectOf(text);
  if (found === undefined) {
    throw new UnexpectedAnswer(
      `${endpoint} does not answer what this client (${VERSION}) knows: ${text.slice(0, 100)}`,
    );
  }
  return found as T;
}

function objectOf(text: string): Record<string, object> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? (found as Record<string, object>) : undefined;
  } catch {
    return undefined;
  }
}
