// What a route loses, and its confirmation.

import { html, nothing, type TemplateResult } from "lit";
import type { Route, Step } from "../api.ts";
import type { Catalog } from "../catalog.ts";
import type { Form } from "../form.ts";
import { ALL_BPS, type Loss, lossOf, lossOfStep, needsYes, WARN_BPS } from "../loss.ts";
import { formatBps } from "../money.ts";
import { texts } from "../texts.ts";
import { inputOf } from "./fragments.ts";

export interface LossProps {
  readonly catalog: Catalog;
  readonly form: Form;
  readonly route: Route | null;
  readonly warned: Step | null;
  readonly agreed: boolean;
  set(changes: { agreed: boolean }): void;
}

/** Returns the loss that is to be agreed to: of the chosen route, else of what is to be signed next. */
function present({ catalog, route, form, warned }: LossProps): Loss | null {
  if (route) return lossOf(form, route, warned);
  return warned && lossOfStep(catalog, warned);
}

export function lossNote(props: LossProps): TemplateResult | typeof nothing {
  const loss = present(props);
  if (!loss || (loss.bps !== null && loss.bps < WARN_BPS && !needsYes(loss))) return nothing;
  const yes = html`<label class="yes"><input type="checkbox" id="agree" .checked=${props.agreed}
    @change=${(event: Event) => props.set({ agreed: inputOf(event).checked })}>${texts.acceptLoss}</label>`;
  const asks = needsYes(loss);
  return html`<div class="note ${asks ? "bad" : "mind"}" id="loss"><p>${lossText(loss)}</p>
    ${asks ? yes : nothing}</div>`;
}

export function lossText({ bps, worst }: Loss): string {
  if (bps === null) return texts.lossUnknown;
  if (bps >= ALL_BPS) return texts.lossOfAll;
  const most = worst !== null && worst > bps ? formatBps(Math.min(worst, ALL_BPS)) : "";
  return texts.loss(formatBps(Math.max(bps, 0)), most);
}
