// All that was sent from this browser.

import { html, nothing, type TemplateResult } from "lit";
import { isEnded, legOf, type Transfer } from "../history.ts";
import { formatDate } from "../locale.ts";
import { formatAmount } from "../money.ts";
import { texts } from "../texts.ts";
import { type ProgressProps, progress } from "./progress.ts";
import { amountText } from "./quantities.ts";

export interface HistoryProps extends ProgressProps {
  readonly transfers: {
    readonly history: { readonly kept: boolean; all(): Transfer[] };
    forget(transfer: Transfer): void;
  };
}

export function historyList(props: HistoryProps): TemplateResult {
  const { history } = props.transfers;
  const all = history.all();
  return html`<section class="card history" aria-labelledby="history-title">
    <h2 id="history-title">${texts.sentFromHere}</h2>
    ${history.kept ? nothing : html`<p class="note mind">${texts.notKept}</p>`}
    ${
      all.length
        ? html`<ul class="transfers">${all.map((transfer) => item(props, transfer))}</ul>`
        : html`<p class="soft">${texts.nothingYet}</p>`
    }
  </section>`;
}

function item(props: HistoryProps, transfer: Transfer): TemplateResult {
  const leg = legOf(transfer);
  const { pay, get } = transfer;
  const tone = leg.state === "done" ? "good" : ["failed", "refunded", "dropped"].includes(leg.state) ? "bad" : "mind";
  const sum =
    leg.received && leg === transfer.legs.at(-1) ? `${formatAmount(BigInt(leg.received), get.decimals)} ` : "";
  const created = new Date(transfer.created);
  const removable = isEnded(transfer) || leg.state === "ready";
  return html`<li><details data-transfer=${transfer.id}>
    <summary><span>${texts.transferTitle(amountText(transfer.amount, pay), sum + get.symbol, "")}</span>
      <span class="badge ${tone}">${texts.states[leg.state]}</span>
      <time class="small soft" datetime=${created.toISOString()}>${formatDate(created)}</time></summary>
    ${progress(props, transfer)}
    ${
      removable
        ? html`<button type="button" class="plain small"
            @click=${() => props.transfers.forget(transfer)}>${texts.removeTransfer}</button>`
        : nothing
    }
  </details></li>`;
}
