// Every route that was found, in one table.

import { html, nothing, type TemplateResult } from "lit";
import type { Fee, Route } from "../api.ts";
import { dollars, formatAmount, formatDollars, readDecimal, shortAmount } from "../money.ts";
import type { Session, Sort } from "../session.ts";
import { paidApart } from "../state.ts";
import { timeOf } from "./draw.ts";
import { down, up } from "./icons.ts";
import { drawing } from "./route-drawing.ts";

const TAGS: Record<string, string> = { RECOMMENDED: "Best", FASTEST: "Fastest", CHEAPEST: "Cheapest" };
const RULES: Record<string, string> = {
  RECOMMENDED: "Best: the most value after gas and fees, less a little for time and for observed failures",
  FASTEST: "Fastest: the least time, then the most value",
  CHEAPEST: "Cheapest: the most value after gas and fees",
};
const FEES: Record<string, string> = {
  app: "Service and integrator, taken from what you pay", lp: "Liquidity providers, within the price", gas: "Network, paid by you apart",
  relayer: "Relayer", relayerGas: "Relayer's network costs", relayerService: "Relayer's service", capital: "Capital",
};
const NOT_RUN: Record<string, string> = { REVERTED: "It would fail", TIMEOUT: "Not finished in time", SKIPPED: "Left out", UNSUPPORTED: "Not possible here", ERROR: "Failed to run" };
const SORTS: readonly (readonly [Sort, string])[] = [["best", "Best"], ["net", "Net received"], ["time", "Time"], ["fees", "Fees"]];

/** Answers what a route brings after what is paid beside the input, in millionths of a dollar; null without prices. */
export function netOf(session: Session, route: Route): bigint | null {
  const { token } = session.form.get;
  const out = token && dollars(BigInt(route.outputAmount), token.decimals, token.priceUSD);
  if (out === null || out === undefined) return null;
  const apart = paidApart(route.fees);
  return apart === null ? null : out - apart;
}

const feesOf = (route: Route): bigint | null => readDecimal(route.fees.totalUsd, 6);

/** Puts routes into the chosen order; the service's own is "best". */
export function sorted(session: Session, routes: readonly Route[]): Route[] {
  const keys: Record<Sort, (route: Route, place: number) => bigint> = {
    best: (_, place) => BigInt(place),
    net: (route) => -(netOf(session, route) ?? BigInt(route.outputAmount)),
    time: (route) => BigInt(route.estimatedTimeSec ?? 0),
    fees: (route) => feesOf(route) ?? 2n ** 255n,
  };
  const key = keys[session.sort];
  return routes.map((route, place) => ({ route, place, value: key(route, place) })).sort((a, b) => (a.value === b.value ? a.place - b.place : a.value < b.value ? -1 : 1)).map(({ route }) => route);
}

export function comparison(session: Session): TemplateResult | typeof nothing {
  const { asking } = session;
  if (asking.is === "asking") return skeleton();
  if (asking.is !== "answered") return nothing;
  const routes = sorted(session, asking.routes);
  return html`<section class="card routes" aria-labelledby="routes-title">
    <div class="routes-top"><h2 id="routes-title">${routes.length} ${routes.length === 1 ? "route" : "routes"}</h2>
      <label class="sort" for="sort">Sort by <select id="sort" @change=${(event: Event) => session.set({ sort: (event.target as HTMLSelectElement).value as Sort })}>
        ${SORTS.map(([value, text]) => html`<option value=${value} ?selected=${session.sort === value}>${text}</option>`)}</select></label></div>
    <div class="scroll"><table id="routes">
      <thead><tr><th scope="col">Route</th><th scope="col" class="end">Net received</th><th scope="col" class="end">Fees</th><th scope="col" class="end">Time</th><th scope="col" class="end">At least</th><th scope="col" class="end">Steps</th></tr></thead>
      ${routes.map((route) => row(session, route))}
    </table></div>
  </section>`;
}

function skeleton(): TemplateResult {
  return html`<section class="card routes" aria-busy="true" aria-label="Looking for routes"><div class="skeleton bar"></div>${[1, 2, 3, 4, 5].map(() => html`<div class="skeleton line"></div>`)}</section>`;
}

function row(session: Session, route: Route): TemplateResult {
  const { token } = session.form.get;
  const chosen = session.route?.id === route.id;
  const open = session.opened === route.id;
  const net = netOf(session, route);
  const fees = feesOf(route);
  const decimals = token?.decimals ?? 0;
  return html`<tbody class=${chosen ? "chosen" : ""} data-adapter=${route.adapter}>
    <tr>
      <th scope="row"><label class="pick"><input type="radio" name="route" .checked=${chosen} @change=${() => session.pickRoute(route.id)}><span>${route.adapter}</span></label>
        <span class="tags">${route.tags.map((tag) => html`<span class="badge ${tag.toLowerCase()}" title=${RULES[tag] ?? ""}>${TAGS[tag] ?? tag}</span>`)}</span></th>
      <td class="end number"><span class="net" data-raw=${route.outputAmount}>${shortAmount(BigInt(route.outputAmount), decimals, 7)}</span>${net === null ? nothing : html`<span class="under">${formatDollars(net)} net</span>`}</td>
      <td class="end number" data-label="Fees">${fees === null ? "—" : formatDollars(fees)}</td>
      <td class="end" data-label="Time">${timeOf(route.estimatedTimeSec)}</td>
      <td class="end number" data-label="At least">${shortAmount(BigInt(route.minOutputAmount), decimals, 7)}</td>
      <td class="end" data-label="Steps">${route.steps.length}
        <button type="button" class="open" aria-expanded=${String(open)} aria-label="Details of ${route.adapter}" @click=${() => session.open(open ? null : route.id)}>${open ? up : down}</button></td>
    </tr>
    ${open ? html`<tr class="detail"><td colspan="6">${detail(session, route)}</td></tr>` : nothing}
  </tbody>`;
}

function detail(session: Session, route: Route): TemplateResult {
  const believed = route.trustAssumptions ?? [];
  return html`${drawing(session, route)}
    <div class="detail-columns">
      <div><h3>Fees</h3><table class="fees"><tbody>${route.fees.breakdown.map(fee)}</tbody></table></div>
      <div><h3>Simulation</h3><p class="simulation">${simulated(route)}</p>
        <h3>What has to be believed</h3>
        ${believed.length ? html`<ul class="believed">${believed.map((text) => html`<li>${text}</li>`)}</ul>` : html`<p>Nothing beyond the chain’s own contracts.</p>`}
      </div>
    </div>
    ${(route.warnings ?? []).map(({ message }) => html`<p class="note mind">${message}</p>`)}`;
}

const fee = (item: Fee): TemplateResult => html`<tr><th scope="row">${FEES[item.type] ?? item.type}</th>
  <td class="end number">${formatAmount(BigInt(item.amount), item.decimals)} ${item.currencySymbol}${item.amountUsd ? html`<span class="under">$${item.amountUsd}</span>` : nothing}</td></tr>`;

function simulated(route: Route): string {
  const run = route.simulation;
  if (!run) return "Not run yet: it is before you sign.";
  if (run.executionStatus !== "SUCCESS") return `${NOT_RUN[run.executionStatus] ?? run.executionStatus}${run.reason ? `: ${run.reason}` : "."}`;
  if (run.outputValidation === "VERIFIED") return `It was run on the chain’s state in ${run.latencyMs} ms, and the output was measured${run.deviation ? ` (${run.deviation.percent} of what was promised)` : ""}.`;
  return "Its start was run and succeeds; the output arrives on another chain and could not be measured.";
}
