// What stands beside a transfer that waits for its wallet, or for a person's second thought.

import { html, nothing, type TemplateResult } from "lit";
import { isSignable, legOf, type Transfer } from "../history.ts";
import { formatAmount } from "../money.ts";
import type { Doubt } from "../signing.ts";
import type { Session } from "../session.ts";
import { lossOfStep, needsYes } from "../state.ts";
import { words } from "./loss.ts";

/** A way out of waiting for a wallet that does not answer. */
export function leaving(session: Session, id: string): TemplateResult | typeof nothing {
  if (session.signing.waiting !== id) return nothing;
  return html`<p class="small soft waiting">If your wallet shows nothing, open it yourself. <button type="button" class="plain small leave" @click=${() => session.signing.leave()}>Stop waiting for the wallet</button></p>`;
}

/** What is to be decided before the next step of a transfer is signed. */
export function deciding(session: Session, transfer: Transfer): TemplateResult | typeof nothing {
  const leg = legOf(transfer);
  const { doubt } = session.signing;
  if (doubt?.leg === leg) return html`<div class="note bad doubt"><p>${worse(session, doubt)}</p>
    <label class="yes"><input type="checkbox" class="accept" .checked=${doubt.agreed} @change=${(event: Event) => session.signing.accept((event.target as HTMLInputElement).checked)}> I accept this</label></div>`;
  return leg.state === "ready" || !isSignable(transfer) || session.busy ? nothing : html`<button type="button" class="main wide retry" @click=${() => void session.sign(transfer)}>Try this step again</button>`;
}

function worse(session: Session, { leg, step, fell }: Doubt): string {
  const { symbol, decimals } = step.action.toToken;
  const sum = (raw: string): string => `${formatAmount(BigInt(raw), decimals)} ${symbol}`;
  const least = fell ? `This step brings at least ${sum(step.estimate.toAmountMin)} now; it was at least ${sum(leg.minimum)}. ` : "";
  const loss = lossOfStep(session.catalog, step);
  return `${least}${fell && !needsYes(loss) ? "" : words(loss)}`;
}
