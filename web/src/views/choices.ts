// What is chosen beyond pair and amount: folded away in the settings, or chosen by the page around.

import { html, nothing, type TemplateResult } from "lit";
import { shorten } from "../addresses.ts";
import { type PageChoices, refundFault, refundOf, TIPS, takesRefund } from "../choices.ts";
import { type Form, isOnSolana } from "../form.ts";
import { formatAmount } from "../money.ts";
import { texts } from "../texts.ts";
import { inputOf } from "./fragments.ts";

interface EditProps {
  readonly form: Form;
  edit(changes: Partial<Form>): void;
}

/** Says behind the folded settings who is refunded, where somebody is named. */
export const refundNow = (form: Form): string => {
  const named = refundOf(form);
  return named && ` · ${texts.refundNow(shorten(named))}`;
};

export function refundAddress(props: EditProps): TemplateResult | typeof nothing {
  const { form } = props;
  if (!takesRefund(form)) return nothing;
  const fault = refundFault(form);
  return html`<div class="field">
    <label for="refund-to">${texts.refundTo} <span class="optional">${texts.refundOptional}</span></label>
    <input id="refund-to" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false"
      placeholder=${isOnSolana(form) ? "" : "0x…"}
      aria-invalid=${fault ? "true" : "false"} aria-describedby="refund-fault refund-hint" .value=${form.refundTo ?? ""}
      @input=${(event: Event) => props.edit({ refundTo: inputOf(event).value.trim() })}>
    <p class="fault" id="refund-fault">${fault || nothing}</p>
    <p class="small soft" id="refund-hint">${texts.refundHint(form.pay.chain?.name ?? "")}</p>
  </div>`;
}

export function tip(props: EditProps): TemplateResult {
  const { form } = props;
  const { symbol, decimals } = form.pay.chain?.nativeToken ?? { symbol: "", decimals: 0 };
  const choice = (lamports: string): TemplateResult =>
    html`<button type="button" class="chip" data-tip=${lamports} aria-pressed=${String((form.tip ?? "") === lamports)}
      @click=${() => props.edit({ tip: lamports })}>${
        lamports ? `${formatAmount(BigInt(lamports), decimals)} ${symbol}` : texts.noTip
      }</button>`;
  return html`<p class="small">${texts.tip}</p>
    <div role="group" aria-label=${texts.tip} class="chains" id="tip">${["", ...TIPS].map(choice)}</div>
    <div class="small soft hint"><p>${texts.tipHint}</p></div>`;
}

export interface ChoicesProps {
  readonly form: Form;
  readonly choices: PageChoices;
}

/** Says what the page around has chosen: whom it concerns has to know before anything is signed. */
export function pageChoices({ form, choices }: ChoicesProps): TemplateResult {
  const { call, sponsor } = choices;
  const called = html`<p class="small" id="called">${texts.calledOnArrival}<code>${call?.target}</code>${
    texts.calledElse
  }</p>`;
  const payer = html`<p class="small" id="sponsor">${texts.networkPaidBy}<code>${sponsor?.address}</code></p>`;
  return html`${call ? called : nothing}${sponsor && isOnSolana(form) ? payer : nothing}`;
}
