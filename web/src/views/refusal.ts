// Why there is no route, and what can be done about it.

import { html, nothing, type TemplateResult } from "lit";
import type { Explanation, Remedy } from "../explanations.ts";
import type { Form } from "../form.ts";
import { formatIn, formatTime } from "../locale.ts";
import { texts } from "../texts.ts";

export interface RefusalActions {
  edit(changes: Partial<Form>): void;
  set(changes: { settingsOpen: boolean }): void;
  showReceiver(): void;
  again(): void;
  readonly catalog: { toolName(key: string): string };
}

/** `focus` gives the focus to a control by its ID. */
export function refusal(
  { headline, text, again, faults, remedy, refusals }: Explanation,
  actions: RefusalActions,
  focus: (id: string) => void,
): TemplateResult {
  const said = refusals.map(
    ({ adapter, reason }) => html`<dt>${actions.catalog.toolName(adapter)}</dt><dd lang="en">${reason}</dd>`,
  );
  return html`<section class="card refusal" aria-labelledby="refusal-title">
    <h2 id="refusal-title">${headline}</h2>
    <p class="note bad" id="refusal">${texts.sentence(text)}</p>
    ${again === null ? nothing : asksAt(again)}
    ${faults.length ? html`<ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>` : nothing}
    ${remedy ? remedyButton(remedy, actions, focus) : nothing}
    ${
      said.length
        ? html`<details><summary>${texts.whatEachSaid}</summary><dl class="refusals">${said}</dl></details>`
        : nothing
    }
  </section>`;
}

/** Says when the page asks again by itself. */
const asksAt = (at: number): TemplateResult =>
  html`<p class="small soft" id="again">${texts.askedAgainAt(formatTime(new Date(at)))}</p>`;

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
        thenFocus("amount", () => actions.edit({ amount, fixed: "pay" })),
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
      return button(left > 0 ? texts.tryAgainIn(formatIn(left)) : texts.tryAgain, () => actions.again(), left > 0);
    }
    case "again":
      return button(remedy.text, () => actions.again());
  }
}
