// What is shown beside a transfer that waits for its wallet, or for a person's decision.

import { html, nothing, type TemplateResult } from "lit";
import type { Step } from "../api.ts";
import type { Catalog } from "../catalog.ts";
import { isSignable, type Leg, legOf, type Transfer } from "../history.ts";
import { lossOfStep, needsYes } from "../loss.ts";
import { texts } from "../texts.ts";
import type { Doubt } from "../wallet-requests.ts";
import { inputOf } from "./fragments.ts";
import { lossText } from "./loss.ts";
import { amountText } from "./quantities.ts";

export interface WaitProps {
  readonly catalog: Catalog;
  readonly busy: string;
  readonly requests: {
    readonly waiting: string | null;
    readonly doubt: Doubt | null;
    stopWaiting(): void;
    accept(agreed: boolean): void;
  };
  sign(transfer: Transfer): Promise<void>;
}

/** A way out of waiting for a wallet that does not answer. */
export function stopWaiting({ requests }: Pick<WaitProps, "requests">, id: string): TemplateResult | typeof nothing {
  if (requests.waiting !== id) return nothing;
  return html`<p class="small soft waiting">${texts.openWallet}<button type="button" class="plain small leave"
    @click=${() => requests.stopWaiting()}>${texts.stopWaiting}</button></p>`;
}

/** What is to be decided before the next step of a transfer is signed. */
export function decision(props: WaitProps, transfer: Transfer): TemplateResult | typeof nothing {
  const leg = legOf(transfer);
  const { doubt } = props.requests;
  if (doubt?.leg === leg) return doubtNote(props, doubt);
  if (leg.state === "ready" || !isSignable(transfer) || props.busy) return nothing;
  return html`<button type="button" class="main wide retry"
    @click=${() => void props.sign(transfer)}>${texts.retryStep}</button>`;
}

const doubtNote = ({ catalog, requests }: WaitProps, doubt: Doubt): TemplateResult =>
  html`<div class="note bad doubt"><p>${worse(catalog, doubt)}</p>
    <label class="yes"><input type="checkbox" class="accept" .checked=${doubt.agreed}
      @change=${(event: Event) => requests.accept(inputOf(event).checked)}>${texts.acceptStep}</label></div>`;

function worse(catalog: Catalog, { leg, step, fell }: { leg: Leg; step: Step; fell: boolean }): string {
  const { toToken } = step.action;
  const now = amountText(step.estimate.toAmountMin, toToken);
  const least = fell ? texts.minimumFell(now, amountText(leg.minimum, toToken)) : "";
  const loss = lossOfStep(catalog, step);
  return `${least}${fell && !needsYes(loss) ? "" : lossText(loss)}`;
}
