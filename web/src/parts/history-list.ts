// All that was sent from this browser.

import { html, nothing, type TemplateResult } from "lit";
import { isEnded, legOf, type Transfer } from "../history.ts";
import { formatAmount } from "../money.ts";
import type { Session } from "../session.ts";
import { STATES } from "../words.ts";
import { progress } from "./progress.ts";

export function historyList(session: Session): TemplateResult {
  const all = session.transfers.history.all();
  return html`<section class="card history" aria-labelledby="history-title">
    <h2 id="history-title">What you sent from here</h2>
    ${session.transfers.history.kept ? nothing : html`<p class="note mind">This browser does not let the page keep anything: what is here is gone when you close it. Write the tracking IDs down.</p>`}
    ${all.length ? html`<ul class="transfers">${all.map((transfer) => item(session, transfer))}</ul>` : html`<p class="soft">Nothing yet. What you send is kept in this browser only, and followed until it has arrived.</p>`}
  </section>`;
}

function item(session: Session, transfer: Transfer): TemplateResult {
  const leg = legOf(transfer);
  const { pay, get } = transfer;
  const tone = leg.state === "done" ? "good" : ["failed", "refunded", "dropped"].includes(leg.state) ? "bad" : "mind";
  const sum = leg.received && leg === transfer.legs.at(-1) ? `${formatAmount(BigInt(leg.received), get.decimals)} ` : "";
  return html`<li><details data-transfer=${transfer.id}>
    <summary><span>${formatAmount(BigInt(transfer.amount), pay.decimals)} ${pay.symbol} to ${sum}${get.symbol}</span>
      <span class="badge ${tone}">${STATES[leg.state] ?? leg.state}</span><time class="small soft" datetime=${new Date(transfer.created).toISOString()}>${new Date(transfer.created).toLocaleString()}</time></summary>
    ${progress(session, transfer)}
    ${isEnded(transfer) || leg.state === "ready" ? html`<button type="button" class="plain small" @click=${() => session.transfers.forget(transfer)}>Remove from this list</button>` : nothing}
  </details></li>`;
}
