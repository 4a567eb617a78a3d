// Routes are asked for while somebody types: one question at a time, the last one counts, and none for nobody.

import type { Api, Route, RouteQuery } from "./api.ts";
import { againAt, type Explanation } from "./explanations.ts";
import type { PairPrice } from "./extras.ts";

/** How the question of the form stands. */
export type Search =
  | { is: "idle" }
  | { is: "asking" }
  | { is: "failed"; explanation: Explanation }
  | { is: "answered"; routes: Route[]; at: number };

const TYPING_MS = 450;
/** Routes that are not there by then are announced by about what they bring: most answers come before, and cost one. */
const ABOUT_MS = 400;
export const FRESH_MS = 30_000;
/** A page that is left alone stops asking after so many answers. */
const MOST_RENEWED = 10;
/** How often a page that nobody sees looks whether somebody does. */
const HIDDEN_MS = 5000;

export interface Asker {
  query: () => RouteQuery | null;
  asking: () => void;
  /** About what arrives, while routes are still asked for. */
  about: (price: PairPrice) => void;
  answered: (routes: Route[]) => void;
  /** `again` is when it is asked again, in milliseconds of the page's clock; null where that would not help. */
  failed: (error: unknown, again: number | null) => void;
  /** Called when an answer has grown old and is not asked for anew. */
  stale: () => void;
}

export class RouteRequests {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  private request: AbortController | null = null;
  private renewed = 0;
  private failures = 0;
  private readonly api: Api;
  private readonly asker: Asker;

  constructor(api: Api, asker: Asker) {
    this.api = api;
    this.asker = asker;
  }

  /** Asks soon: what is on its way answers a question that is no longer asked. */
  changed(soon = TYPING_MS): void {
    this.stop();
    this.renewed = 0;
    this.failures = 0;
    if (!this.asker.query()) return;
    this.asker.asking();
    this.timer = setTimeout(() => void this.ask(), soon);
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.renewal);
    this.request?.abort();
    this.request = null;
  }

  private async ask(): Promise<void> {
    const query = this.asker.query();
    if (!query) return;
    const mine = new AbortController();
    this.request = mine;
    const late = setTimeout(() => void this.askAbout(query, mine.signal), ABOUT_MS);
    const asked = this.api.routes(query, mine.signal).finally(() => clearTimeout(late));
    try {
      const routes = await asked;
      if (mine.signal.aborted) return;
      this.failures = 0;
      this.asker.answered(routes);
      this.renewal = setTimeout(() => this.renew(), FRESH_MS);
    } catch (error) {
      if (!mine.signal.aborted) this.failed(error);
    }
  }

  /** Asks about what arrives, where the first answer is late; nobody has to say it. */
  private async askAbout(query: RouteQuery, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.renewed || this.failures || query.tradeType) return;
    const price = await this.api.about(query, signal).catch(() => null);
    if (price && !signal.aborted) this.asker.about(price);
  }

  /** Asks again by itself what will be answered later. */
  private failed(error: unknown): void {
    const again = this.failures < MOST_RENEWED ? againAt(error, this.failures) : null;
    this.failures += 1;
    this.asker.failed(error, again);
    if (again !== null) this.renewal = setTimeout(() => this.askAgain(), Math.max(again - Date.now(), 0));
  }

  private askAgain(): void {
    if (document.visibilityState === "visible") void this.ask();
    else this.renewal = setTimeout(() => this.askAgain(), HIDDEN_MS);
  }

  private renew(): void {
    if (document.visibilityState !== "visible" || this.renewed >= MOST_RENEWED) {
      this.asker.stale();
      return;
    }
    this.renewed += 1;
    void this.ask();
  }
}

/** Finds the route of a new answer that goes the way of an older one's. */
export function sameWay(search: Search, id: string | null, routes: Route[]): Route | undefined {
  const way = ({ adapter, steps }: Route): string => [adapter, ...steps.map(({ tool }) => tool)].join();
  const before = search.is === "answered" ? search.routes.find((route) => route.id === id) : undefined;
  return before && routes.find((route) => way(route) === way(before));
}
