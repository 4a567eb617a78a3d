// Follows one transaction to its end: by the stream of its status, and by asking where there is none.

import { EndpointMissing, ServiceError, TimedOut } from "./errors.ts";
import type { PublicStatus, StatusEvent } from "./models.ts";
import { passes, sleep } from "./retries.ts";
import { parsed, type Transport } from "./transport.ts";

/**
 * A change of one transaction: `type` is that of the event, `status` what it is after that. `transaction.withdrawn`: a
 * reorganisation removed it, and `status` is what it was before. After `transaction.final` nothing comes.
 */
export interface StatusChange {
  type: string;
  status: PublicStatus;
}

export interface FollowOptions {
  /** Seconds, give or take a heartbeat of 15; as long as it takes by default. */
  within?: number;
  signal?: AbortSignal;
}

export const STATUS = "GET /v1/status/{transactionId}";
const STREAM = "GET /v1/status/{transactionId}/stream";
export const FINAL = "transaction.final";
const WITHDRAWN = "transaction.withdrawn";
/** After so long on one stream the status is asked besides: one that is alive and tells nothing is not believed. */
const SILENT_MS = 60_000;
/** Seconds between two questions, as docs/guides/tracking.md advises. */
const POLLS = [2, 4, 8, 15, 30];

export function checkedId(transactionId: string): string {
  if (/^0x[0-9a-fA-F]{64}$/.test(transactionId)) return transactionId;
  throw new TypeError(`transactionId is the transactionId of an answer, 0x and 64 digits, unlike ${transactionId}`);
}

/** Where one transaction stands, as far as it was told. */
export class StatusWatch {
  readonly #transport: Transport;
  readonly #id: string;
  readonly #signal: AbortSignal | undefined;
  readonly #endsAt: number;
  #last: PublicStatus | undefined;
  #hasStream = true;
  #polls = 0;

  constructor(transport: Transport, transactionId: string, { within, signal }: FollowOptions) {
    this.#transport = transport;
    this.#id = checkedId(transactionId);
    this.#signal = signal;
    this.#endsAt = within === undefined ? Number.POSITIVE_INFINITY : Date.now() + 1000 * within;
  }

  async *changes(): AsyncGenerator<StatusChange, void> {
    while (true) {
      if (this.#hasStream) {
        for await (const change of this.#streamed()) {
          this.#polls = 0;
          yield change;
          if (change.type === FINAL) return;
        }
      }
      const found = await this.#asked();
      if (found) yield found;
      if (found?.type === FINAL) return;
      const wait = POLLS[Math.min(this.#polls++, POLLS.length - 1)] ?? 30;
      await sleep(Math.min(wait, this.#left()), this.#signal);
    }
  }

  /** The seconds that are left; throws TimedOut if there are none. */
  #left(): number {
    const left = (this.#endsAt - Date.now()) / 1000;
    if (left <= 0) throw new TimedOut(`${this.#id} has not ended in time: it may still, so follow it again`);
    return left;
  }

  async *#streamed(): AsyncGenerator<StatusChange, void> {
    const silentAt = Date.now() + SILENT_MS;
    try {
      for await (const event of this.#transport.events(STREAM, { ids: [this.#id], signal: this.#signal })) {
        if (event?.name.startsWith("transaction.")) {
          const { type, data: status } = parsed<StatusEvent>(STREAM, event.data);
          if (type === FINAL || type === WITHDRAWN || !same(status, this.#last)) {
            this.#last = type === WITHDRAWN ? undefined : status;
            yield { type, status };
          }
        }
        this.#left();
        if (Date.now() >= silentAt) return;
      }
    } catch (error) {
      if (isMissing(error)) this.#hasStream = false;
      else if (!passes(error)) throw error;
    }
  }

  /** Asks once for the status; what passes is nothing new, for it is asked again. */
  async #asked(): Promise<StatusChange | undefined> {
    let status: PublicStatus | undefined;
    try {
      status = await this.#transport.read<PublicStatus>(STATUS, { ids: [this.#id], signal: this.#signal });
    } catch (error) {
      if (passes(error)) return undefined;
      if (!isMissing(error) || error instanceof EndpointMissing) throw error;
    }
    const last = this.#last;
    // An unknown status may still change, and only the stream says when it cannot any more.
    if (same(status, last) || (status?.status === "unknown" && this.#hasStream)) return undefined;
    this.#last = status;
    if (status === undefined) return last && { type: WITHDRAWN, status: last };
    const isOver = !status.status.endsWith("_pending");
    return { type: isOver ? FINAL : last ? "transaction.status" : "transaction.seen", status };
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isMissing(error: unknown): boolean {
  return error instanceof EndpointMissing || (error instanceof ServiceError && error.code === "NOT_FOUND");
}
