// Slippage and receiver.

import { html, nothing, type TemplateResult } from "lit";
import type { Session } from "../session.ts";
import { needsReceiver, receiverFault, slippageFault } from "../state.ts";

const PRESETS = ["0.1", "0.5", "1"];

export function settings(session: Session): TemplateResult {
  const { form } = session;
  const own = form.slippageOwn && form.slippage !== "";
  const fault = slippageFault(form);
  const choice = (value: string, text: string): TemplateResult =>
    html`<button type="button" class="chip" data-slippage=${value || "auto"} aria-pressed=${String(!own && form.slippage === value)} @click=${() => session.edit({ slippage: value, slippageOwn: false })}>${text}</button>`;
  return html`<details id="settings" ?open=${session.settingsOpen} @toggle=${(event: Event) => keepOpen(session, (event.target as HTMLDetailsElement).open)}>
    <summary>Slippage: ${form.slippage ? `${form.slippage} %` : "auto"}</summary>
    <div role="group" aria-label="Slippage" class="chains">${choice("", "Auto")}${PRESETS.map((value) => choice(value, `${value} %`))}
      <label class="own"><span class="hide">Own slippage in percent</span><input id="slippage" inputmode="decimal" autocomplete="off" placeholder="Own %" maxlength="7" .value=${own ? form.slippage : ""}
        aria-invalid=${fault ? "true" : "false"} aria-describedby="slippage-fault" @input=${(event: InputEvent) => session.edit({ slippage: (event.target as HTMLInputElement).value.trim().replace(",", "."), slippageOwn: true })}></label></div>
    <p class="fault" id="slippage-fault">${fault}</p>
    <p class="small soft">What may be lost on the way. Auto follows the pair and the route; more than this, and nothing is swapped.</p>
  </details>`;
}

function keepOpen(session: Session, open: boolean): void {
  if (open !== session.settingsOpen) session.set({ settingsOpen: open });
}

export function receiver(session: Session): TemplateResult {
  const { form, naming } = session;
  const needed = needsReceiver(form);
  if (!needed && !form.receiverShown) {
    return html`<button type="button" class="plain small" id="add-receiver" @click=${() => session.showReceiver()}>+ Send to another address</button>`;
  }
  const fault = naming.named ? naming.named.refused : receiverFault(form);
  return html`<div class="field">
    <label for="receiver">Receiver <span class="optional">${needed ? `(an address on ${form.get.chain?.name})` : "(your own wallet if left empty)"}</span></label>
    <input id="receiver" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${form.get.chain?.chainType === "SVM" ? "base58 address" : naming.offered(form.get.chain) ? "0x… or name.eth" : "0x…"}
      ?required=${needed} aria-invalid=${fault ? "true" : "false"} aria-describedby="receiver-fault receiver-named" .value=${naming.named?.typed ?? form.receiver}
      @input=${(event: InputEvent) => session.edit({ receiver: (event.target as HTMLInputElement).value.trim() })}>
    <p class="fault" id="receiver-fault">${fault || nothing}</p>
    <p class="small" id="receiver-named" role="status">${namedWords(session)}</p>
  </div>`;
}

/** The whole address that a name means, before anything is asked or sent. */
function namedWords({ naming: { named }, form }: Session): TemplateResult | typeof nothing {
  if (!named || named.refused) return nothing;
  if (!named.resolved) return html`<span class="soft">Looking the name up…</span>`;
  const { name, address } = named.resolved;
  return html`<bdi>${name}</bdi> on ${form.get.chain?.name} is <code>${address}</code>: compare it.`;
}
