// What a route loses, and the deliberate yes to it.

import { html, nothing, type TemplateResult } from "lit";
import { formatBps } from "../money.ts";
import type { Session } from "../session.ts";
import { type Loss, lossOf, lossOfStep, needsYes, WARN_BPS } from "../state.ts";

/** Answers the loss that is to be agreed to: of the chosen route, else of what is to be signed next. */
function present(session: Session): Loss | null {
  const { route, form, warned } = session;
  if (route) return lossOf(form, route, warned);
  return warned && lossOfStep(session.catalog, warned);
}

export function lossNote(session: Session): TemplateResult | typeof nothing {
  const loss = present(session);
  if (!loss || (loss.bps !== null && loss.bps < WARN_BPS && !needsYes(loss))) return nothing;
  const asks = needsYes(loss);
  return html`<div class="note ${asks ? "bad" : "mind"}" id="loss"><p>${words(loss)}</p>
    ${asks ? html`<label class="yes"><input type="checkbox" id="agree" .checked=${session.agreed} @change=${(event: Event) => session.set({ agreed: (event.target as HTMLInputElement).checked })}> I accept this loss</label>` : nothing}</div>`;
}

export function words({ bps, worst }: Loss): string {
  if (bps === null) return "Not all prices are known, so nobody can tell what this loses. Compare the amounts and fees yourself.";
  const least = (worst ?? 0) > bps ? `, and up to ${formatBps(worst ?? 0)} at the least that may arrive` : "";
  return `You lose ${formatBps(Math.max(bps, 0))} of the value${least}, fees counted.`;
}
