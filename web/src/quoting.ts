// Questions while somebody types: one at a time, the last one counts, and none for nobody.

import type { Api, Question, Route } from "./api.ts";

const TYPING_MS = 450;
export const FRESH_MS = 30_000;
/** A page that is left alone stops asking after so many answers. */
const MOST_RENEWED = 10;

export interface Asker {
  question: () => Question | null;
  asking: () => void;
  answered: (routes: Route[], question: Question) => void;
  failed: (error: unknown) => void;
  /** Called when an answer has grown old and is not asked for anew. */
  stale: () => void;
}

export class Quoting {
  private typing: ReturnType<typeof setTimeout> | undefined;
  private ageing: ReturnType<typeof setTimeout> | undefined;
  private under: AbortController | null = null;
  private renewed = 0;
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
    if (!this.asker.question()) return;
    this.asker.asking();
    this.typing = setTimeout(() => void this.ask(), soon);
  }

  stop(): void {
    clearTimeout(this.typing);
    clearTimeout(this.ageing);
    this.under?.abort();
    this.under = null;
  }

  private async ask(): Promise<void> {
    const question = this.asker.question();
    if (!question) return;
    const mine = new AbortController();
    this.under = mine;
    try {
      const routes = await this.api.routes(question, mine.signal);
      if (mine.signal.aborted) return;
      this.asker.answered(routes, question);
      this.ageing = setTimeout(() => this.renew(), FRESH_MS);
    } catch (error) {
      if (!mine.signal.aborted) this.asker.failed(error);
    }
  }

  private renew(): void {
    if (document.visibilityState !== "visible" || this.renewed >= MOST_RENEWED) return this.asker.stale();
    this.renewed += 1;
    void this.ask();
  }
}
