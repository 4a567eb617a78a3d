// Every route that was found, in one table.

import { html, nothing, type TemplateResult } from "lit";
import type { Chain, Fee, Route, Token } from "../api.ts";
import { paidApart } from "../loss.ts";
import { dollars, formatDollars, readDecimal, shortAmount } from "../money.ts";
import type { Search } from "../route-requests.ts";
import * as texts from "../texts.ts";
import type { Sort } from "../visit.ts";
import { down, up } from "./icons.ts";
import { amountText, timeOf } from "./quantities.ts";
import { routeDiagram } from "./route-diagram.ts";

export interface ComparisonProps {
  readonly search: Search;
  readonly route: Route | null;
  /** The ID of the route whose row is open. */
  readonly opened: string | null;
  readonly sort: Sort;
  readonly form: { get: { token: Token | null } };
  readonly catalog: { chain(id: number | null): Chain | null };
  set(changes: { sort: Sort } | { opened: string | null }): void;
  pickRoute(id: string): void;
}

const SORTS = Object.entries(texts.sorts) as [Sort, string][];

/** Returns what a route brings after what is paid beside the input, in millionths of a dollar; null without prices. */
function netOf(token: Token | null, route: Route): bigint | null {
  const out = token && dollars(BigInt(route.outputAmount), token.decimals, token.priceUSD);
  const apart = paidApart(route.fees);
  return out === null || apart === null ? null : out - apart;
}

const feesOf = (route: Route): bigint | null => readDecimal(route.fees.totalUsd, 6);

/** Puts routes into the chosen order; the service's own is "best". */
export function sorted(sort: Sort, token: Token | null, routes: readonly Route[]): Route[] {
  const keys: Record<Sort, (route: Route, place: number) => bigint> = {
    best: (_, place) => BigInt(place),
    net: (route) => -(netOf(token, route) ?? BigInt(route.outputAmount)),
    time: (route) => BigInt(route.estimatedTimeSec ?? 0),
    fees: (route) => feesOf(route) ?? 2n ** 255n,
  };
  const ranked = routes.map((route, place) => ({ route, place, value: keys[sort](route, place) }));
  ranked.sort((a, b) => (a.value === b.value ? a.place - b.place : a.value < b.value ? -1 : 1));
  return ranked.map(({ route }) => route);
}

export function comparison(props: ComparisonProps): TemplateResult | typeof nothing {
  const { search, sort } = props;
  if (search.is === "asking") return skeleton();
  if (search.is !== "answered") return nothing;
  const routes = sorted(sort, props.form.get.token, search.routes);
  const choose = (event: Event): void => props.set({ sort: (event.target as HTMLSelectElement).value as Sort });
  return html`<section class="card routes" aria-labelledby="routes-title">
    <div class="routes-top"><h2 id="routes-title">${texts.routes(routes.length)}</h2>
      <label class="sort" for="sort">${texts.sortBy}<select id="sort" @change=${choose}>
        ${SORTS.map(([value, text]) => html`<option value=${value} ?selected=${sort === value}>${text}</option>`)}
      </select></label></div>
    <div class="scroll"><table id="routes">
      <thead><tr><th scope="col">${texts.columns.route}</th>
        ${[texts.columns.net, texts.columns.fees, texts.columns.time, texts.columns.least, texts.columns.steps].map(
          (text) => html`<th scope="col" class="end">${text}</th>`,
        )}</tr></thead>
      ${routes.map((route) => row(props, route))}
    </table></div>
  </section>`;
}

const skeleton = (): TemplateResult => html`<section class="card routes" aria-busy="true"
  aria-label=${texts.lookingForRoutesLabel}><div class="skeleton bar"></div>
  ${[1, 2, 3, 4, 5].map(() => html`<div class="skeleton line"></div>`)}</section>`;

function row(props: ComparisonProps, route: Route): TemplateResult {
  const { token } = props.form.get;
  const chosen = props.route?.id === route.id;
  const open = props.opened === route.id;
  const net = netOf(token, route);
  const fees = feesOf(route);
  const short = (raw: string): string => shortAmount(BigInt(raw), token?.decimals ?? 0, 7);
  return html`<tbody class=${chosen ? "chosen" : ""} data-adapter=${route.adapter}>
    <tr>
      <th scope="row"><label class="pick"><input type="radio" name="route" .checked=${chosen}
          @change=${() => props.pickRoute(route.id)}><span>${route.adapter}</span></label>
        <span class="tags">${route.tags.map(tag)}</span></th>
      <td class="end number"><span class="net" data-raw=${route.outputAmount}>${short(route.outputAmount)}</span>
        ${net === null ? nothing : html`<span class="under">${texts.net(formatDollars(net))}</span>`}</td>
      <td class="end number"
        data-label=${texts.columns.fees}>${fees === null ? texts.unknownFees : formatDollars(fees)}</td>
      <td class="end" data-label=${texts.columns.time}>${timeOf(route.estimatedTimeSec)}</td>
      <td class="end number" data-label=${texts.columns.least}>${short(route.minOutputAmount)}</td>
      <td class="end" data-label=${texts.columns.steps}>${route.steps.length}
        <button type="button" class="open" aria-expanded=${String(open)} aria-label=${texts.detailsOf(route.adapter)}
          @click=${() => props.set({ opened: open ? null : route.id })}>${open ? up : down}</button></td>
    </tr>
    ${open ? html`<tr class="detail"><td colspan="6">${detail(props, route)}</td></tr>` : nothing}
  </tbody>`;
}

const tag = (name: string): TemplateResult =>
  html`<span class="badge ${name.toLowerCase()}"
    title=${texts.tagRules[name] ?? ""}>${texts.tags[name] ?? name}</span>`;

function detail({ catalog }: ComparisonProps, route: Route): TemplateResult {
  const believed = route.trustAssumptions ?? [];
  return html`${routeDiagram(route, (id) => catalog.chain(id)?.name ?? "")}
    <div class="detail-columns">
      <div><h3>${texts.columns.fees}</h3>
        <table class="fees"><tbody>${route.fees.breakdown.map(fee)}</tbody></table></div>
      <div><h3>${texts.simulation}</h3><p class="simulation">${simulated(route)}</p>
        <h3>${texts.believed}</h3>
        ${
          believed.length
            ? html`<ul class="believed">${believed.map((text) => html`<li>${text}</li>`)}</ul>`
            : html`<p>${texts.nothingBelieved}</p>`
        }
      </div>
    </div>
    ${(route.warnings ?? []).map(({ message }) => html`<p class="note mind">${message}</p>`)}`;
}

const fee = (item: Fee): TemplateResult => html`<tr><th scope="row">${texts.feeTypes[item.type] ?? item.type}</th>
  <td class="end number">${amountText(item.amount, { decimals: item.decimals, symbol: item.currencySymbol })}
    ${item.amountUsd ? html`<span class="under">$${item.amountUsd}</span>` : nothing}</td></tr>`;

/** Says how the service's own run of the route went. */
function simulated({ simulation: run }: Route): string {
  if (!run) return texts.notRunYet;
  const { executionStatus, reason } = run;
  if (executionStatus !== "SUCCESS") {
    return `${texts.notRun[executionStatus] ?? executionStatus}${reason ? `: ${reason}` : "."}`;
  }
  return run.outputValidation === "VERIFIED"
    ? texts.measured(run.latencyMs, run.deviation?.percent)
    : texts.startMeasured;
}
