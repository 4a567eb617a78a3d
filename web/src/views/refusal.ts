// Why there is no route, and what can be done about it.

import { html, nothing, type TemplateResult } from "lit";
import type { Explanation, Remedy } from "../explanations.ts";
import type { Form } from "../form.ts";
import * as texts from "../texts.ts";

export interface RefusalActions {
  edit(changes: Partial<Form>): void;
  set(changes: { settingsOpen: boolean }): void;
  showReceiver(): void;
  again(): void;
}

/** `focus` gives the focus to a control by its ID. */
export function refusal(
  { text, faults, remedy, refusals }: Explanation,
  actions: RefusalActions,
  focus: (id: string) => void,
): TemplateResult {
  const said = refusals.map(({ adapter, reason }) => html`<dt>${adapter}</dt><dd>${reason}</dd>`);
  return html`<section class="card refusal" aria-labelledby="refusal-title">
    <h2 id="refusal-title">${texts.noRoute}</h2>
    <p class="note bad" id="refusal">${text}.</p>
    ${faults.length ? html`<ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>` : nothing}
    ${remedy ? remedyButton(remedy, actions, focus) : nothing}
    ${
      said.length
        ? html`<details><summary>${texts.whatEachSaid}</summary><dl class="refusals">${said}</dl></details>`
        : nothing
    }
  </section>`;
}

function remedyButton(remedy: Remedy, actions: RefusalActions, focus: (id: string) => void): TemplateResult {
  const button = (text: string, act: () => void, waits = false): TemplateResult =>
    html`<button type="button" id="remedy" aria-disabled=${String(waits)}
      @click=${() => waits || act()}>${text}</button>`;
  const thenFocus = (id: string, act: () => void) => (): void => {
    act();
    focus(id);
  };
  switch (remedy.kind) {
    case "amount": {
      const { text, amount } = remedy;
      return button(
        text,
        thenFocus("amount", () => actions.edit({ amount })),
      );
    }
    case "slippage": {
      const open = (): void => actions.set({ settingsOpen: true });
      return button(remedy.text, thenFocus("slippage", open));
    }
    case "receiver": {
      const show = (): void => actions.showReceiver();
      return button(remedy.text, thenFocus("receiver", show));
    }
    case "wait": {
      const left = Math.ceil((remedy.until - Date.now()) / 1000);
      return button(left > 0 ? texts.tryAgainIn(left) : texts.tryAgain, () => actions.again(), left > 0);
    }
    case "again":
      return button(remedy.text, () => actions.again());
  }
}
