// What the service tells of a transaction by itself, by server-sent events, as long as that can be had. By fetch: an
// EventSource hides the status of a refusal, for how long to stay away, and whether anything still comes.

import { pause } from "./abort.ts";
import type { Status } from "./api.ts";

/** What has not begun by then is held back by something on the way. */
const OPEN_MS = 10_000;
/** The service says something every 15 seconds. */
const QUIET_MS = 40_000;
const FIRST_MS = 2000;
const GROWTH = 3;
const LONGEST_MS = 300_000;
/** A browser opens six connections to an origin by HTTP/1.1, and others are needed. */
const MOST_AT_ONCE = 2;

/** Opens the stream of a transaction. */
export type Open = (transactionId: string, signal: AbortSignal) => Promise<Response>;

/** Opens streams of a service; none where answers have to be signed, which streams are not. */
export const openAt =
  ({ base, verifies = false }: { base: string; verifies?: boolean }): Open =>
  async (transactionId, signal) =>
    verifies
      ? new Response(null, { status: 404 })
      : fetch(`${base}/v1/status/${transactionId}/stream`, { cache: "no-store", credentials: "omit", signal });

/** How many streams are open of those that share this. */
export interface Places {
  open: number;
}

export class StatusStream {
  /**
   * What the service has said last: null where it has seen nothing, undefined while nothing comes, so that it has to be
   * asked.
   */
  word: Status | null | undefined;
  /** Whether it is not known yet if anything comes. */
  isOpening = false;
  private readonly open: Open;
  private readonly places: Places;
  private readonly signal: AbortSignal;
  private hasNews = false;
  private wake: () => void = () => undefined;

  constructor(open: Open, places: Places, signal: AbortSignal) {
    this.open = open;
    this.places = places;
    this.signal = signal;
  }

  /** Begins to follow a transaction, until it is over or the signal is aborted. */
  follow(transactionId: string): void {
    this.isOpening = true;
    void this.run(transactionId);
  }

  /** Waits until something is new here, at most for so long; without end where that is null. */
  async next(longest: number | null): Promise<void> {
    if (!this.hasNews && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = longest === null ? undefined : setTimeout(() => this.wake(), longest);
        this.wake = (): void => {
          clearTimeout(timer);
          this.signal.removeEventListener("abort", this.wake);
          resolve();
        };
        this.signal.addEventListener("abort", this.wake);
      });
    }
    this.hasNews = false;
  }

  private say(word: Status | null | undefined): void {
    const isNews = word !== this.word;
    if (isNews) this.hasNews = true;
    const isAwaited = isNews || this.isOpening;
    this.word = word;
    this.isOpening = false;
    if (isAwaited) this.wake();
  }

  private async run(transactionId: string): Promise<void> {
    for (let failures = 0; !this.signal.aborted; ) {
      await untilSeen(this.signal);
      if (this.places.open >= MOST_AT_ONCE) {
        if (this.isOpening) this.say(undefined);
        await pause(FIRST_MS, this.signal);
        continue;
      }
      const end = await this.read(transactionId);
      if (end === "over" || end === "refused") return;
      failures = end === "broken" ? 0 : failures + 1;
      const wait = Math.min(FIRST_MS * GROWTH ** failures, LONGEST_MS);
      // Not all pages at the same moment, once a service is there again.
      await pause(Math.max(wait, Number(end) || 0) * (1 + Math.random() / 2), this.signal);
    }
  }

  /**
   * Reads until it ends. "over": nothing changes any more; "refused": there is no such stream; "broken": it was cut
   * off after a while, or nobody looks at the page; else how many milliseconds to stay away at least.
   */
  private async read(transactionId: string): Promise<"over" | "refused" | "broken" | number> {
    const reading = new AbortController();
    const stop = (): void => reading.abort();
    const hidden = (): void => {
      if (isHidden()) stop();
    };
    let timer = setTimeout(stop, OPEN_MS);
    const openedAt = Date.now();
    this.places.open += 1;
    globalThis.document?.addEventListener("visibilitychange", hidden);
    try {
      const response = await this.open(transactionId, AbortSignal.any([this.signal, reading.signal]));
      if (!isStream(response)) {
        this.say(undefined);
        return isForNow(response) ? Number(response.headers.get("retry-after")) * 1000 : "refused";
      }
      for await (const { type, word } of messagesOf(response)) {
        clearTimeout(timer);
        timer = setTimeout(stop, QUIET_MS);
        // What a reorganisation has removed is not there; it may come again.
        if (type === "transaction.withdrawn") this.say(null);
        else if (word || this.word === undefined) this.say(word ?? null);
        if (type === "transaction.final") return "over";
      }
    } catch {
      // Cut off, or stopped.
    } finally {
      clearTimeout(timer);
      stop();
      globalThis.document?.removeEventListener("visibilitychange", hidden);
      this.places.open -= 1;
    }
    this.say(undefined);
    return isHidden() || Date.now() - openedAt > QUIET_MS ? "broken" : 0;
  }
}

const isHidden = (): boolean => globalThis.document?.visibilityState === "hidden";
const isStream = ({ ok, headers }: Response): boolean =>
  ok && (headers.get("content-type") ?? "").startsWith("text/event-stream");
const isForNow = ({ status }: Response): boolean => status === 429 || status >= 500;

/** Waits until somebody looks at the page: hidden ones leave their connections to others. */
function untilSeen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (isHidden() && !signal.aborted) return;
      globalThis.document?.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    globalThis.document?.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}

interface Message {
  type: string;
  word: Status | undefined;
}

/** Yields each message of a stream, and one without content for each that only says that somebody is there. */
async function* messagesOf({ body }: Response): AsyncGenerator<Message> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const blocks = (rest + decoder.decode(part.value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [type, data] = ["event", "data"].map((name) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]);
      yield { type: type ?? "", word: data ? (JSON.parse(data) as { data: Status }).data : undefined };
    }
  }
}
