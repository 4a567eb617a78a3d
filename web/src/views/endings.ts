// What is offered once a transfer is over, and the question before the same is sent a second time.

import { html, nothing, type TemplateResult } from "lit";
import { isEnded, type Transfer } from "../history.ts";
import { texts } from "../texts.ts";
import { inputOf } from "./fragments.ts";
import { amountText } from "./quantities.ts";

export interface EndingsProps {
  readonly endings: {
    readonly repeated: Transfer | null;
    readonly agreed: boolean;
    readonly blocks: boolean;
    accept(agreed: boolean): void;
    clear(): void;
    again(transfer: Transfer): Promise<void>;
  };
}

export function repeatNote({ endings }: EndingsProps): TemplateResult | typeof nothing {
  const { repeated } = endings;
  if (!repeated) return nothing;
  const what = texts.transferTitle(amountText(repeated.amount, repeated.pay), repeated.get.symbol, "");
  return html`<div class="note mind" id="repeat"><p>${texts.underWay(what)}</p>
    <label class="yes"><input type="checkbox" id="repeat-yes" .checked=${endings.agreed}
      @change=${(event: Event) => endings.accept(inputOf(event).checked)}>${texts.sendTwice}</label></div>`;
}

/** What can be done about a transfer that is over, beside the form. */
export function afterwards({ endings }: EndingsProps, transfer: Transfer): TemplateResult | typeof nothing {
  if (!isEnded(transfer)) return nothing;
  return html`<p class="afterwards">
    <button type="button" id="swap-again" @click=${() => void endings.again(transfer)}>${texts.swapAgain}</button>
    <button type="button" class="plain" id="clear" @click=${() => endings.clear()}>${texts.clear}</button></p>`;
}
