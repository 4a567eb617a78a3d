// What an integrator's key gives: its transactions, and its webhooks.

import { ServiceError } from "./errors.ts";
import type {
  NewWebhook,
  TrackedTransaction,
  TransactionEvent,
  TransactionList,
  TransactionStatus,
  TransferState,
  WebhookAnswer,
  WebhookDeliveries,
  WebhookDeliveryAnswer,
  WebhookList,
  WebhookRemoved,
  WebhookSecret,
} from "./models.ts";
import { queryOf } from "./parameters.ts";
import { passes, sleep } from "./retries.ts";
import { parsed, type Transport } from "./transport.ts";

const STREAM = "GET /v1/transactions/stream";
const FIRST_S = 2;
const LONGEST_S = 60;

/**
 * A change of one of the integrator's transactions, or of the stream itself: then `transaction` is undefined. Keep `id`: the
 * stream goes on after it. `type` is `ready` at the beginning, and `gap` if some events are not kept any more.
 */
export interface RecordChange {
  id: string | undefined;
  type: string;
  number?: number;
  at?: string;
  transaction?: TrackedTransaction;
}

export interface Page {
  cursor?: string;
  limit?: number;
  status?: TransferState;
  routeType?: string;
  sourceChainId?: number;
  destChainId?: number;
  senderAddress?: string;
  receiverAddress?: string;
  /** From this moment on, by the block on the source chain: `date.toISOString()`. */
  since?: string;
  /** Before this moment. */
  until?: string;
}

/** The integrator's transactions; every method needs a key. Keep it on a server. */
export class Transactions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, the newest first; `nextCursor` is null on the last one. */
  page(page: Page = {}): Promise<TransactionList> {
    return this.#transport.read("GET /v1/transactions", { query: queryOf(page) });
  }

  /** All transactions, the newest first. */
  async *all(page: Omit<Page, "cursor"> = {}): AsyncGenerator<TrackedTransaction, void> {
    let cursor: string | null | undefined;
    do {
      const found: TransactionList = await this.page({ ...page, ...(cursor ? { cursor } : {}) });
      yield* found.transactions;
      cursor = found.nextCursor;
    } while (cursor);
  }

  /** A transaction by its ID, or by a hash on either chain. */
  get(lookupKey: string): Promise<TrackedTransaction> {
    return this.#transport.read("GET /v1/transactions/{lookupKey}", { ids: [lookupKey] });
  }

  /** A transaction's status alone. */
  status(lookupKey: string): Promise<TransactionStatus> {
    return this.#transport.read("GET /v1/transactions/{lookupKey}/status", { ids: [lookupKey] });
  }

  /** Each change, without an end: it goes on by itself after a break, and after a restart with the `id` that was kept. */
  async *stream(lastEventId?: string, signal?: AbortSignal): AsyncGenerator<RecordChange, void> {
    let lastId = lastEventId;
    for (let wait = FIRST_S; ; wait = Math.min(2 * wait, LONGEST_S)) {
      try {
        for await (const event of this.#transport.events(STREAM, { lastId, signal })) {
          wait = FIRST_S;
          if (event === undefined) continue;
          lastId = event.id ?? lastId;
          if (!event.name.startsWith("transaction.")) {
            yield { id: lastId, type: event.name };
            continue;
          }
          const { type, number, timestamp, data } = parsed<TransactionEvent>(STREAM, event.data);
          yield { id: lastId, type, number, at: timestamp, transaction: data };
        }
      } catch (error) {
        if (!passes(error)) throw error;
        if (error instanceof ServiceError) wait = Math.max(wait, error.retryAfter ?? 0);
      }
      await sleep(wait, signal);
    }
  }
}

/** The integrator's endpoints that events are posted to. What changes something is sent once and never repeated. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(): Promise<WebhookAnswer[]> {
    return (await this.#transport.read<WebhookList>("GET /v1/webhooks")).webhooks;
  }

  /** Adds an endpoint; its secret is in this answer only. */
  add(url: string, events?: TransactionEvent["type"][]): Promise<NewWebhook> {
    return this.#transport.once("POST /v1/webhooks", { body: events === undefined ? { url } : { url, events } });
  }

  /** A new secret; the old one counts beside it for a day, or as many seconds as given. */
  rotate(webhook: string, overlapSec?: number): Promise<WebhookSecret> {
    const body = overlapSec === undefined ? {} : { overlapSec };
    return this.#transport.once("POST /v1/webhooks/{webhook}/rotate", { ids: [webhook], body });
  }

  async remove(webhook: string): Promise<void> {
    await this.#transport.once<WebhookRemoved>("POST /v1/webhooks/{webhook}/remove", { ids: [webhook], body: {} });
  }

  enable(webhook: string): Promise<WebhookAnswer> {
    return this.#transport.once("POST /v1/webhooks/{webhook}/enable", { ids: [webhook], body: {} });
  }

  test(webhook: string): Promise<WebhookDeliveryAnswer> {
    return this.#transport.once("POST /v1/webhooks/{webhook}/test", { ids: [webhook], body: {} });
  }

  /** The latest deliveries with their attempts; `before` is the ID of one, for those that are older. */
  async deliveries(webhook: string, page: { limit?: number; before?: number } = {}): Promise<WebhookDeliveryAnswer[]> {
    const request = { ids: [webhook], query: queryOf(page) };
    return (await this.#transport.read<WebhookDeliveries>("GET /v1/webhooks/{webhook}/deliveries", request)).deliveries;
  }

  resend(webhook: string, delivery: number): Promise<WebhookDeliveryAnswer> {
    const request = { ids: [webhook, delivery], body: {} };
    return this.#transport.once("POST /v1/webhooks/{webhook}/deliveries/{delivery}/resend", request);
  }
}
