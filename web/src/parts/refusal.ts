// Why there is no route, and what mends it.

import { html, nothing, type TemplateResult } from "lit";
import type { Session } from "../session.ts";
import type { Mend, Words } from "../words.ts";

/** `attend` gives the focus to a control by its ID. */
export function refusal(session: Session, words: Words, attend: (id: string) => void): TemplateResult {
  return html`<section class="card refusal" aria-labelledby="refusal-title">
    <h2 id="refusal-title">No route</h2>
    <p class="note bad" id="refusal">${words.text}.</p>
    ${words.faults.length ? html`<ul>${words.faults.map((text) => html`<li>${text}</li>`)}</ul>` : nothing}
    ${words.mend ? mend(session, words.mend, attend) : nothing}
    ${words.told.length ? html`<details><summary>What each source said</summary><dl class="told">${words.told.map(({ adapter, reason }) => html`<dt>${adapter}</dt><dd>${reason}</dd>`)}</dl></details>` : nothing}
  </section>`;
}

function mend(session: Session, way: Mend, attend: (id: string) => void): TemplateResult {
  const button = (text: string, act: () => void, waits = false): TemplateResult =>
    html`<button type="button" id="mend" aria-disabled=${String(waits)} @click=${() => waits || act()}>${text}</button>`;
  const lead = (id: string, act: () => void) => (): void => {
    act();
    attend(id);
  };
  switch (way.kind) {
    case "amount":
      return button(way.text, lead("amount", () => session.edit({ amount: way.amount })));
    case "slippage":
      return button(way.text, lead("slippage", () => session.set({ settingsOpen: true })));
    case "receiver":
      return button(way.text, lead("receiver", () => session.showReceiver()));
    case "wait": {
      const left = Math.ceil((way.until - Date.now()) / 1000);
      return button(left > 0 ? `Try again in ${left} s` : "Try again", () => session.again(), left > 0);
    }
    default:
      return button(way.text, () => session.again());
  }
}
