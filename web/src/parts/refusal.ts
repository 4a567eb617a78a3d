// Why there is no route, and what mends it.

import { html, nothing, type TemplateResult } from "lit";
import type { Session } from "../session.ts";
import type { Mend, Words } from "../words.ts";

export function refusal(session: Session, words: Words): TemplateResult {
  return html`<section class="card refusal" aria-labelledby="refusal-title">
    <h2 id="refusal-title">No route</h2>
    <p class="note bad" id="refusal">${words.text}.</p>
    ${words.faults.length ? html`<ul>${words.faults.map((text) => html`<li>${text}</li>`)}</ul>` : nothing}
    ${words.mend ? mend(session, words.mend) : nothing}
    ${words.told.length ? html`<details><summary>What each source said</summary><dl class="told">${words.told.map(({ adapter, reason }) => html`<dt>${adapter}</dt><dd>${reason}</dd>`)}</dl></details>` : nothing}
  </section>`;
}

function mend(session: Session, way: Mend): TemplateResult {
  const button = (text: string, act: () => void, disabled = false): TemplateResult => html`<button type="button" id="mend" ?disabled=${disabled} @click=${act}>${text}</button>`;
  switch (way.kind) {
    case "amount":
      return button(way.text, () => session.edit({ amount: way.amount }));
    case "slippage":
      return button(way.text, () => session.set({ settingsOpen: true }));
    case "receiver":
      return button(way.text, () => session.showReceiver());
    case "wait": {
      const left = Math.ceil((way.until - Date.now()) / 1000);
      return button(left > 0 ? `Try again in ${left} s` : "Try again", () => session.again(), left > 0);
    }
    default:
      return button(way.text, () => session.again());
  }
}
