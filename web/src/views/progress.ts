// How a transfer stands: its steps, each with its state and its link, and what really arrived.

import { html, nothing, type TemplateResult } from "lit";
import { securePage } from "../addresses.ts";
import type { Chain, ChainType } from "../api.ts";
import type { Catalog } from "../catalog.ts";
import { isEnded, type Leg, legOf, type Transfer } from "../history.ts";
import { formatDuration, formatTime } from "../locale.ts";
import { texts } from "../texts.ts";
import { hashLink } from "./fragments.ts";
import { amountText, durationText, timeOf } from "./quantities.ts";
import { type ReceiptProps, receipt } from "./receipt.ts";
import { decision, stopWaiting, type WaitProps } from "./wallet-wait.ts";

export interface ProgressProps extends WaitProps, ReceiptProps {
  walletOf(chainType: ChainType | undefined): object | null;
  readonly catalog: Catalog;
}

type Mark = "doing" | "done" | "failed" | "";

const line = (mark: Mark, text: TemplateResult | string): TemplateResult =>
  html`<li class=${mark}><span>${text}</span></li>`;

/** A line with the transaction that it speaks of. */
const linked = (mark: Mark, text: string, chain: Chain | null, hash: string | undefined): TemplateResult =>
  line(mark, html`${text} ${hash ? hashLink(chain, hash) : nothing}`);

/** `afterwards` is what is offered once it is over. */
export function progress(
  props: ProgressProps,
  transfer: Transfer,
  afterwards: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { catalog } = props;
  const { pay, get } = transfer;
  const there = pay.chainId === get.chainId ? "" : (catalog.chain(get.chainId)?.name ?? String(get.chainId));
  const title = texts.transferTitle(amountText(transfer.amount, pay), get.symbol, there);
  const lines = transfer.legs.flatMap((leg, place) => legLines(catalog, leg, transfer, transfer.legs[place - 1]));
  return html`<section class="card progress" aria-labelledby="progress-${transfer.id}"
      data-state=${legOf(transfer).state}>
    <h2 id="progress-${transfer.id}">${title}</h2>
    <p class="headline">${headline(catalog, legOf(transfer))}</p>
    ${receipt(props, transfer)}
    <ol class="log" aria-live="polite">${lines}</ol>
    ${decision(props, transfer)}
    ${next(props, transfer)}
    ${stopWaiting(props, transfer.id)}
    ${afterwards}
  </section>`;
}

/** Says in a few words what is waited for, or how it ended. */
export function headline(catalog: Pick<Catalog, "toolName">, leg: Leg): string {
  const { type, action, estimate } = leg.plan;
  const tool = catalog.toolName(leg.plan.tool);
  const seconds = estimate.estimatedTimeSec;
  switch (leg.state) {
    case "ready":
      return texts.headlines.ready(type, tool);
    case "approving":
      return leg.approvalHash ? texts.headlines.approving : texts.headlines.approve;
    case "signing":
      return texts.headlines.signing;
    case "sent":
      return texts.headlines.sent;
    case "left":
      return action.fromChainId === action.toChainId
        ? texts.headlines.amount
        : texts.headlines.bridge(tool, seconds ? durationText(seconds, "long") : "");
    default:
      return texts.states[leg.state];
  }
}

function legLines(catalog: Catalog, leg: Leg, transfer: Transfer, before: Leg | undefined): TemplateResult[] {
  const { type, action } = leg.plan;
  const tool = catalog.toolName(leg.plan.tool);
  const here = catalog.chain(action.fromChainId);
  const lines = approvalLines(leg, here);
  if (leg.state === "ready" || leg.state === "approving") {
    const isNext = !before || before.state === "done";
    return isNext ? [...lines, line("", texts.waitsForSignature(type, tool))] : lines;
  }
  if (leg.replaced) lines.push(linked("done", texts.replaced, here, leg.replaced));
  if (leg.state === "signing") return [...lines, line("doing", texts.signInWallet)];
  if (leg.cancelled) return [...lines, linked("failed", texts.cancelled, here, leg.cancelled)];
  if (leg.state === "dropped") return [...lines, linked("failed", texts.dropped, here, leg.hash)];
  if (leg.payee) {
    lines.push(line("done", html`${texts.goesTo}<code>${leg.payee}</code>${texts.paysDirectly(tool)}`));
  }
  const mined = leg.state !== "sent";
  const left = type === "bridge" ? texts.leftChain(here?.name ?? texts.itsChain) : texts.inBlock;
  lines.push(linked(mined ? "done" : "doing", mined ? left : texts.pending, here, leg.hash));
  if (leg.missing) lines.push(line("doing", lost(leg)));
  if (mined) lines.push(ending(leg, tool, transfer, catalog.chain(action.toChainId)));
  return lines;
}

function approvalLines(leg: Leg, here: Chain | null): TemplateResult[] {
  const waits = leg.state === "approving";
  if (!leg.approvalHash && !waits) return [];
  const amount = amountText(leg.plan.action.fromAmount, leg.plan.action.fromToken);
  const ask = leg.permit ? texts.permitInWallet : texts.approveInWallet;
  const asked = leg.approvalHash ? texts.approvalPending : ask(amount);
  const approval = linked(waits ? "doing" : "done", waits ? asked : texts.approved(amount), here, leg.approvalHash);
  return waits && leg.missing ? [line("doing", lost(leg)), approval] : [approval];
}

/** What to do about a transaction that the network has lost before it was in a block. */
const lost = ({ expiresAt, state }: Leg): string =>
  texts.lost(expiresAt && state === "sent" ? formatTime(new Date(expiresAt)) : "");

function ending(leg: Leg, tool: string, { refundTo, pay }: Transfer, there: Chain | null): TemplateResult {
  const { action, estimate } = leg.plan;
  const { toToken, toChainId, fromChainId, fromToken } = action;
  const crossing = toChainId !== fromChainId;
  const chain = there?.name ?? texts.itsChain;
  const link = leg.destination && crossing ? hashLink(there, leg.destination) : nothing;
  const estimated = crossing ? texts.estimated(timeOf(estimate.estimatedTimeSec)) : "";
  switch (leg.state) {
    case "done": {
      const what = leg.received ? amountText(leg.received, toToken) : texts.anyOf(toToken.symbol);
      const arrived = html`<strong>${texts.arrived(what, crossing ? chain : "")}</strong>`;
      return line("done", html`${arrived}${took(leg)}${estimated} ${link}`);
    }
    case "refunded": {
      const named = refundTo && fromChainId === pay.chainId;
      const where = (named ? texts.refundedTo : texts.refundedWhere)(tool, fromToken.symbol);
      return line("failed", html`<strong>${texts.refunded}</strong>${where} ${link}`);
    }
    case "recovered":
      return line("done", html`<strong>${texts.recovered}</strong>${texts.recoveredWhere} ${link}`);
    case "failed":
      return line("failed", leg.reverted ? texts.reverted : failure(leg, tool));
    default: {
      const text = crossing ? texts.onItsWay(chain, estimated) : texts.waitsForOutput;
      return line("doing", html`${text} ${toolPage(leg, tool)}`);
    }
  }
}

function took({ sentAt, endedAt }: Leg): string {
  return sentAt && endedAt
    ? texts.took(formatDuration(Math.max(1, Math.round((endedAt - sentAt) / 1000)), "second"))
    : "";
}

const failure = (leg: Leg, tool: string): TemplateResult =>
  html`<strong>${texts.failedAtTool(tool)}</strong>${texts.failedWhatNow} ${toolPage(leg, tool)}`;

/** The tool's own page of a transaction, where it has a secure one. */
function toolPage({ bridgePage = "", hash }: Leg, tool: string): TemplateResult | typeof nothing {
  if (bridgePage.includes("{txHash}") && !hash) return nothing;
  const page = securePage(bridgePage.replaceAll("{txHash}", hash ?? ""));
  if (!page) return nothing;
  return html`<a href=${page.href} rel="noreferrer" target="_blank">${texts.toolPage(tool, page.host)}</a>`;
}

/** What has to be signed next, where something has. */
function next(props: ProgressProps, transfer: Transfer): TemplateResult | typeof nothing {
  const leg = legOf(transfer);
  const { type } = leg.plan;
  const tool = props.catalog.toolName(leg.plan.tool);
  const tracking = transfer.legs
    .map(({ transactionId }) => transactionId)
    .filter(Boolean)
    .at(-1);
  const id = tracking
    ? html`<p class="small soft">${texts.trackingId(transfer.integrator)}<code class="tracking">${tracking}</code></p>`
    : nothing;
  if (leg.state !== "ready" || props.busy || isEnded(transfer)) return id;
  const sign = transfer.legs[0] === leg ? texts.signFirst(type) : texts.signNext(type, tool);
  const wallet = props.walletOf(props.catalog.chain(leg.plan.action.fromChainId)?.chainType);
  return html`<button type="button" class="main wide next" aria-disabled=${String(!wallet)}
    @click=${() => void props.sign(transfer)}>${wallet ? sign : texts.connectTo(type)}</button>${id}`;
}
