// How a transfer stands: its steps, each with its state and its link, and what really arrived.

import { html, nothing, type TemplateResult } from "lit";
import { securePage } from "../addresses.ts";
import { isEnded, type Leg, legOf, type Transfer } from "../history.ts";
import { formatAmount } from "../money.ts";
import type { Session } from "../session.ts";
import { hashLink, timeOf } from "./draw.ts";
import { deciding, leaving } from "./waiting.ts";

type Mark = "doing" | "done" | "failed" | "";

const line = (mark: Mark, text: TemplateResult | string): TemplateResult => html`<li class=${mark}><span>${text}</span></li>`;

export function progress(session: Session, transfer: Transfer): TemplateResult {
  const { pay, get } = transfer;
  const chain = session.catalog.chain(get.chainId);
  return html`<section class="card progress" aria-labelledby="progress-${transfer.id}" data-state=${legOf(transfer).state}>
    <h2 id="progress-${transfer.id}">${formatAmount(BigInt(transfer.amount), pay.decimals)} ${pay.symbol} to ${get.symbol}${pay.chainId === get.chainId ? "" : ` on ${chain?.name ?? get.chainId}`}</h2>
    <ol class="log" aria-live="polite">${transfer.legs.flatMap((leg, place) => legLines(session, transfer, leg, place))}</ol>
    ${deciding(session, transfer)}
    ${next(session, transfer)}
    ${leaving(session, transfer.id)}
  </section>`;
}

function legLines(session: Session, transfer: Transfer, leg: Leg, place: number): TemplateResult[] {
  const { action } = leg.plan;
  const here = session.catalog.chain(action.fromChainId);
  const there = session.catalog.chain(action.toChainId);
  const lines: TemplateResult[] = [];
  if (leg.approvalHash || leg.state === "approving") {
    const amount = `${formatAmount(BigInt(action.fromAmount), action.fromToken.decimals)} ${action.fromToken.symbol}`;
    const waits = leg.state === "approving";
    if (waits && leg.missing) lines.push(line("doing", lost(leg)));
    lines.push(line(waits ? "doing" : "done", html`${waits ? (leg.approvalHash ? "Waiting for the approval to be mined" : `Approve exactly ${amount} in your wallet`) : `Approved exactly ${amount}`} ${leg.approvalHash ? hashLink(here, leg.approvalHash) : nothing}`));
  }
  if (leg.state === "ready" || leg.state === "approving") {
    const before = transfer.legs[place - 1];
    if (!before || before.state === "done") lines.push(line("", `${leg.plan.type === "bridge" ? "Transfer" : "Swap"} by ${leg.plan.tool}: waiting for your signature`));
    return lines;
  }
  if (leg.replaced) lines.push(line("done", html`Replaced in your wallet: it was ${hashLink(here, leg.replaced)}`));
  if (leg.state === "signing") return [...lines, line("doing", "Sign in your wallet. If you have signed already, it appears here by itself")];
  if (leg.cancelled) return [...lines, line("failed", html`Your wallet sent another transaction in its place: it was cancelled or replaced there. Nothing was moved ${hashLink(here, leg.cancelled)}`)];
  if (leg.state === "dropped") return [...lines, line("failed", html`It is in no block and will be in none: it was dropped, cancelled or replaced in your wallet. Nothing was moved ${leg.hash ? hashLink(here, leg.hash) : nothing}`)];
  if (leg.payee) lines.push(line("done", html`It goes to <code>${leg.payee}</code>, which ${leg.plan.tool} has named, without the service’s contract between`));
  const mined = leg.state !== "sent";
  lines.push(line(mined ? "done" : "doing", html`${mined ? (leg.plan.type === "bridge" ? `Left ${here?.name ?? "its chain"}` : "In a block") : "Sent, waiting until it is in a block"} ${leg.hash ? hashLink(here, leg.hash) : nothing}`));
  if (leg.missing) lines.push(line("doing", lost(leg)));
  if (mined) lines.push(ending(session, leg, there?.name ?? "its chain"));
  return lines;
}

/** What to do about a transaction that the network has lost before it was in a block. */
function lost(leg: Leg): string {
  const end = leg.expiresAt && leg.state === "sent" ? ` Unless anybody sees it by ${new Date(leg.expiresAt).toLocaleTimeString()}, it counts as not sent soon after.` : "";
  return `Your wallet’s node has lost it: it was dropped, for too low a fee perhaps, or is being replaced. Nothing was moved so far. Speed it up or cancel it in your wallet, where it is still there.${end}`;
}

function ending(session: Session, leg: Leg, there: string): TemplateResult {
  const { toToken, toChainId, fromChainId, fromToken } = leg.plan.action;
  const crossing = toChainId !== fromChainId;
  const sum = leg.received ? `${formatAmount(BigInt(leg.received), toToken.decimals)} ${toToken.symbol}` : null;
  const link = leg.destination && crossing ? hashLink(session.catalog.chain(toChainId), leg.destination) : nothing;
  const took = leg.sentAt && leg.endedAt ? `, ${Math.max(1, Math.round((leg.endedAt - leg.sentAt) / 1000))} s after it was sent` : "";
  const estimated = crossing ? ` (estimated ${timeOf(leg.plan.estimate.estimatedTimeSec)})` : "";
  switch (leg.state) {
    case "done":
      return line("done", html`<strong>${sum ?? `The ${toToken.symbol}`} arrived${crossing ? ` on ${there}` : ""}</strong>${took}${estimated} ${link}`);
    case "refunded":
      return line("failed", html`<strong>Refunded.</strong> ${leg.plan.tool} could not deliver, and sent your ${fromToken.symbol} back to the wallet that paid. You need do nothing; look there, then try another route ${link}`);
    case "recovered":
      return line("done", html`<strong>Recovered.</strong> It did not end as planned, and the tokens were handed to the receiver in another form. Look in the receiving wallet ${link}`);
    case "failed":
      return line("failed", leg.reverted ? "The chain reverted the transaction. Nothing was moved; the network’s fee is spent" : failure(leg));
    default:
      return line("doing", html`${crossing ? html`On its way to ${there}${estimated}. You may leave this page: the transfer goes on without it, and is here when you come back` : "In a block; waiting for what arrived"} ${page(leg)}`);
  }
}

const failure = (leg: Leg): TemplateResult => html`<strong>Failed, as ${leg.plan.tool} says</strong>: nothing arrived. If nothing comes back within a day, show its support the transaction ${page(leg)}`;

function page(leg: Leg): TemplateResult | typeof nothing {
  const text = leg.bridgePage ?? "";
  if (text.includes("{txHash}") && !leg.hash) return nothing;
  const found = securePage(text.replaceAll("{txHash}", leg.hash ?? ""));
  return found ? html`<a href=${found.href} rel="noreferrer" target="_blank">${leg.plan.tool}’s own page of it, at ${found.host}</a>` : nothing;
}

/** What has to be signed next, where something has. */
function next(session: Session, transfer: Transfer): TemplateResult | typeof nothing {
  const leg = legOf(transfer);
  const tracking = transfer.legs.map(({ transactionId }) => transactionId).filter(Boolean).at(-1);
  const id = tracking ? html`<p class="small soft">${transfer.integrator ? `${transfer.integrator} sees it in the portal; its` : "Its"} tracking ID is <code class="tracking">${tracking}</code></p>` : nothing;
  if (leg.state !== "ready" || session.busy || isEnded(transfer)) return id;
  const first = transfer.legs[0] === leg;
  const verb = leg.plan.type === "bridge" ? "transfer" : "swap";
  const text = first ? `Go on: sign the ${verb}` : `Next: ${verb} by ${leg.plan.tool}`;
  return html`<button type="button" class="main wide next" aria-disabled=${String(!session.wallet)} @click=${() => void session.sign(transfer)}>${session.wallet ? text : `Connect a wallet to ${verb}`}</button>${id}`;
}
