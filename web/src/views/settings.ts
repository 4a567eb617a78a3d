// Slippage and receiver.

import { html, nothing, type TemplateResult } from "lit";
import type { Chain } from "../api.ts";
import {
  type Account,
  type Form,
  isOnSolana,
  needsReceiver,
  percentOf,
  receiverFault,
  slippageFault,
} from "../form.ts";
import { formatPercent } from "../locale.ts";
import type { NameLookup } from "../receiver-names.ts";
import { texts } from "../texts.ts";
import { refundAddress, refundNow, tip } from "./choices.ts";
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
  const typed = (event: Event): void => props.edit({ slippage: inputOf(event).value.trim(), slippageOwn: true });
  return html`<details id="settings" ?open=${props.settingsOpen} @toggle=${(event: Event) => keepOpen(props, event)}>
    <summary>${texts.slippageNow(slippageText(form))}${refundNow(form)}</summary>
    <div role="group" aria-label=${texts.slippage} class="chains">
      ${choice("", texts.auto)}${PRESETS.map((value) => choice(value, formatPercent(value)))}
      <label class="own"><span class="hide">${texts.ownSlippage}</span><input id="slippage" inputmode="decimal"
        autocomplete="off" placeholder=${texts.ownPercent} maxlength="7" .value=${own ? form.slippage : ""}
        aria-invalid=${fault ? "true" : "false"} aria-describedby="slippage-fault" @input=${typed}></label></div>
    <div class="small soft hint">
      <p class="fault" id="slippage-fault">${fault}</p>${fault ? nothing : html`<p>${texts.slippageHint}</p>`}
    </div>
    ${isOnSolana(form) ? [priority(props), tip(props)] : nothing}${refundAddress(props)}
  </details>`;
}

const LEVELS = ["", "low", "medium", "high"] as const;

function priority(props: SettingsProps): TemplateResult {
  const choice = (level: (typeof LEVELS)[number]): TemplateResult =>
    html`<button type="button" class="chip" data-priority=${level || "auto"}
      aria-pressed=${String(props.form.priority === level)}
      @click=${() => props.edit({ priority: level })}>${level ? texts.priorities[level] : texts.auto}</button>`;
  return html`<p class="small">${texts.priority}</p>
    <div role="group" aria-label=${texts.priority} class="chains" id="priority">${LEVELS.map(choice)}</div>
    <div class="small soft hint"><p>${texts.priorityHint}</p></div>`;
}

/** Writes the slippage as it was understood, or as it was typed where it is none. */
function slippageText({ slippage }: Form): string {
  const percent = percentOf(slippage);
  return percent ? formatPercent(percent) : slippage;
}

function keepOpen(props: SettingsProps, event: Event): void {
  const { open } = event.target as HTMLDetailsElement;
  if (open !== props.settingsOpen) props.set({ settingsOpen: open });
}

export interface ReceiverProps {
  readonly form: Form;
  readonly names: { readonly lookup: NameLookup | null; offered(chain: Chain | null): boolean };
  /** The wallet on the chain that is paid to. */
  readonly receiving: Account | null;
  edit(changes: Partial<Form>): void;
  showReceiver(): void;
}

export function receiver(props: ReceiverProps, connect: () => void): TemplateResult {
  const { form, names, receiving } = props;
  const { lookup } = names;
  const { chain } = form.get;
  const crossing = needsReceiver(form);
  const needed = crossing && !receiving;
  if (!needed && !form.receiverShown && !form.receiver) {
    return html`${crossing && receiving ? receivingWallet(receiving, chain) : nothing}
      <button type="button" class="plain small" id="add-receiver"
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
    <p class="fault kept" id="receiver-fault">${fault || nothing}</p>
    <p class="small" id="receiver-named" role="status">${lookup ? meaning(lookup, chain) : nothing}</p>
    ${needed ? connectReceiver(chain, connect) : nothing}
  </div>`;
}

/** Shows the whole address of the wallet that receives, before anything is asked or sent. */
const receivingWallet = ({ name, address }: Account, chain: Chain | null): TemplateResult =>
  html`<p class="small" id="receiving"><bdi>${texts.receivingWallet(name, chain?.name ?? "")}</bdi>:
    <code>${address}</code></p>`;

const connectReceiver = (chain: Chain | null, connect: () => void): TemplateResult =>
  html`<button type="button" class="plain small" id="connect-receiver"
    @click=${connect}>${texts.connectReceiver(chain?.name ?? "")}</button>`;

/** Shows the whole address that a name means, before anything is asked or sent. */
function meaning({ resolved, refused }: NameLookup, chain: Chain | null): TemplateResult | typeof nothing {
  if (refused) return nothing;
  if (!resolved) return html`<span class="soft">${texts.lookingUp}</span>`;
  const { name, address } = resolved;
  return html`<bdi>${name}</bdi>${texts.nameMeans(chain?.name ?? "")}<code>${address}</code>${texts.compareIt}`;
}
