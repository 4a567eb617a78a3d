// Gas on arrival: a little native money of the destination, with the transfer and out of it.

import { html, nothing, type TemplateResult } from "lit";
import { type Form, takesGas } from "../form.ts";
import { texts } from "../texts.ts";

export interface GasOptionProps {
  readonly form: Form;
  edit(changes: Partial<Form>): void;
}

export function gasOption(props: GasOptionProps): TemplateResult | typeof nothing {
  const { form } = props;
  if (!takesGas(form)) return nothing;
  const symbol = form.get.chain?.nativeToken.symbol ?? "";
  return html`<label class="small" id="gas-option"><input type="checkbox" id="gas" .checked=${form.gas ?? false}
      aria-describedby="gas-hint"
      @change=${(event: Event) => props.edit({ gas: (event.target as HTMLInputElement).checked })}>
    ${texts.gasOnArrival(symbol)}</label>
    <p class="small soft" id="gas-hint">${texts.gasOnArrivalHint}</p>`;
}
