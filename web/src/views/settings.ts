// Slippage and receiver.

import { html, nothing, type TemplateResult } from "lit";
import type { Chain } from "../api.ts";
import { type Form, needsReceiver, receiverFault, slippageFault } from "../form.ts";
import type { NameLookup } from "../receiver-names.ts";
import * as texts from "../texts.ts";
import { inputOf } from "./fragments.ts";

export interface SettingsProps {
  readonly form: Form;
  readonly settingsOpen: boolean;
  edit(changes: Partial<Form>): void;
  set(changes: { settingsOpen: boolean }): void;
}

const PRESETS = ["0.1", "0.5", "1"];

export function settings(props: SettingsProps): TemplateResult {
  const { form } = props;
  const own = form.slippageOwn && form.slippage !== "";
  const fault = slippageFault(form);
  const choice = (value: string, text: string): TemplateResult =>
    html`<button type="button" class="chip" data-slippage=${value || "auto"}
      aria-pressed=${String(!own && form.slippage === value)}
      @click=${() => props.edit({ slippage: value, slippageOwn: false })}>${text}</button>`;
  const typed = (event: Event): void =>
    props.edit({ slippage: inputOf(event).value.trim().replace(",", "."), slippageOwn: true });
  return html`<details id="settings" ?open=${props.settingsOpen} @toggle=${(event: Event) => keepOpen(props, event)}>
    <summary>${texts.slippageNow(form.slippage)}</summary>
    <div role="group" aria-label=${texts.slippage} class="chains">
      ${choice("", texts.auto)}${PRESETS.map((value) => choice(value, `${value} %`))}
      <label class="own"><span class="hide">${texts.ownSlippage}</span><input id="slippage" inputmode="decimal"
        autocomplete="off" placeholder=${texts.ownPercent} maxlength="7" .value=${own ? form.slippage : ""}
        aria-invalid=${fault ? "true" : "false"} aria-describedby="slippage-fault" @input=${typed}></label></div>
    <p class="fault" id="slippage-fault">${fault}</p>
    <p class="small soft">${texts.slippageHint}</p>
  </details>`;
}

function keepOpen(props: SettingsProps, event: Event): void {
  const { open } = event.target as HTMLDetailsElement;
  if (open !== props.settingsOpen) props.set({ settingsOpen: open });
}

export interface ReceiverProps {
  readonly form: Form;
  readonly names: { readonly lookup: NameLookup | null; offered(chain: Chain | null): boolean };
  edit(changes: Partial<Form>): void;
  showReceiver(): void;
}

export function receiver(props: ReceiverProps): TemplateResult {
  const { form, names } = props;
  const { lookup } = names;
  const { chain } = form.get;
  const needed = needsReceiver(form);
  if (!needed && !form.receiverShown) {
    return html`<button type="button" class="plain small" id="add-receiver"
      @click=${() => props.showReceiver()}>${texts.addReceiver}</button>`;
  }
  const fault = lookup ? lookup.refused : receiverFault(form);
  const evm = names.offered(chain) ? texts.receiverNamed : texts.receiverEvm;
  const hint = needed ? texts.receiverOn(chain?.name ?? "") : texts.receiverOptional;
  return html`<div class="field">
    <label for="receiver">${texts.receiver} <span class="optional">${hint}</span></label>
    <input id="receiver" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false"
      placeholder=${chain?.chainType === "SVM" ? texts.receiverSvm : evm} ?required=${needed}
      aria-invalid=${fault ? "true" : "false"} aria-describedby="receiver-fault receiver-named"
      .value=${lookup?.typed ?? form.receiver}
      @input=${(event: Event) => props.edit({ receiver: inputOf(event).value.trim() })}>
    <p class="fault" id="receiver-fault">${fault || nothing}</p>
    <p class="small" id="receiver-named" role="status">${lookup ? meaning(lookup, chain) : nothing}</p>
  </div>`;
}

/** Shows the whole address that a name means, before anything is asked or sent. */
function meaning({ resolved, refused }: NameLookup, chain: Chain | null): TemplateResult | typeof nothing {
  if (refused) return nothing;
  if (!resolved) return html`<span class="soft">${texts.lookingUp}</span>`;
  const { name, address } = resolved;
  return html`<bdi>${name}</bdi>${texts.nameMeans(chain?.name ?? "")}<code>${address}</code>${texts.compareIt}`;
}
