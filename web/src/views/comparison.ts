// Every route that was found, in one table.

import { html, nothing, type TemplateResult } from "lit";
import type { Route, Token } from "../api.ts";
import type { Catalog } from "../catalog.ts";
import type { SideName } from "../form.ts";
import { formatDuration, formatPercent } from "../locale.ts";
import { paidApart } from "../loss.ts";
import { dollars, formatDollars, readDecimal, shortAmount } from "../money.ts";
import { routeNames } from "../route-names.ts";
import type { Search } from "../route-requests.ts";
import { texts, wordOf } from "../texts.ts";
import type { Sort } from "../visit.ts";
import { feeTable } from "./fees.ts";
import { logo } from "./fragments.ts";
import { down, up } from "./icons.ts";
import { poolsOf } from "./pools.ts";
import { timeOf } from "./quantities.ts";
import { routeDiagram } from "./route-diagram.ts";

export interface ComparisonProps {
  readonly search: Search;
  readonly route: Route | null;
  /** The ID of the route whose row is open. */
  readonly opened: string | null;
  readonly sort: Sort;
  readonly form: { pay?: { token: Token | null }; get: { token: Token | null }; fixed?: SideName };
  readonly api: { base: string };
  readonly catalog: Pick<Catalog, "chain" | "toolName" | "described">;
  set(changes: { sort: Sort } | { opened: string | null }): void;
  pickRoute(id: string): void;
}

const SORTS: readonly Sort[] = ["best", "net", "time", "fees"];

/** Returns what a route brings after what is paid beside the input, in millionths of a dollar; null without prices. */
function netOf(token: Token | null, route: Route): bigint | null {
  const out = token && dollars(BigInt(route.outputAmount), token.decimals, token.priceUSD);
  const apart = paidApart(route.fees);
  return out === null || apart === null ? null : out - apart;
}

/** Returns what a route takes with what is paid beside the input, in the same way. */
function takenBy(token: Token | null, route: Route): bigint | null {
  const paid = token && dollars(BigInt(route.inputAmount), token.decimals, token.priceUSD);
  const apart = paidApart(route.fees);
  return paid === null || apart === null ? null : paid + apart;
}

/** The token that is paid, where the output is fixed: routes differ in what they take of it. */
const fixedPaid = ({ pay, fixed }: ComparisonProps["form"]): Token | null =>
  fixed === "get" ? (pay?.token ?? null) : null;

/** Returns what the network takes of a route, in millionths of a dollar; null without its price. */
export function gasOf({ fees }: Route): bigint | null {
  const all = fees.breakdown.filter(({ type }) => type === "gas").map(({ amountUsd }) => readDecimal(amountUsd, 6));
  return all.includes(null) ? null : all.reduce<bigint>((sum, usd) => sum + (usd ?? 0n), 0n);
}

const totalOf = (route: Route): bigint | null => readDecimal(route.fees.totalUsd, 6);

/** Returns all fees but the network's, in the same way. */
export function feesOf(route: Route): bigint | null {
  const [total, gas] = [totalOf(route), gasOf(route)];
  return total === null || gas === null ? null : total - gas;
}

/** Puts routes into the chosen order; the service's own is "best". `paid` is the input's token where that differs. */
export function sorted(sort: Sort, token: Token | null, routes: readonly Route[], paid: Token | null = null): Route[] {
  const keys: Record<Sort, (route: Route, place: number) => bigint> = {
    best: (_, place) => BigInt(place),
    net: (route) =>
      paid ? (takenBy(paid, route) ?? BigInt(route.inputAmount)) : -(netOf(token, route) ?? BigInt(route.outputAmount)),
    time: (route) => BigInt(route.estimatedTimeSec ?? 0),
    fees: (route) => totalOf(route) ?? 2n ** 255n,
  };
  const ranked = routes.map((route, place) => ({ route, place, value: keys[sort](route, place) }));
  ranked.sort((a, b) => (a.value === b.value ? a.place - b.place : a.value < b.value ? -1 : 1));
  return ranked.map(({ route }) => route);
}

const COLUMNS = ["fees", "gas", "time", "least", "steps"] as const;

export function comparison(props: ComparisonProps): TemplateResult | typeof nothing {
  const { search, sort } = props;
  if (search.is === "asking") return skeleton();
  if (search.is !== "answered") return nothing;
  const paid = fixedPaid(props.form);
  const routes = sorted(sort, props.form.get.token, search.routes, paid);
  const columns = [paid ? "paid" : "net", ...COLUMNS] as const;
  const names = routeNames(search.routes, (key) => props.catalog.toolName(key));
  const choose = (event: Event): void => props.set({ sort: (event.target as HTMLSelectElement).value as Sort });
  return html`<section class="card routes" aria-labelledby="routes-title">
    <div class="routes-top"><h2 id="routes-title">${texts.routes(routes.length)}</h2>
      <label class="sort" for="sort">${texts.sortBy}<select id="sort" @change=${choose}>
        ${SORTS.map((value) => html`<option value=${value} ?selected=${sort === value}>${texts.sorts[value]}</option>`)}
      </select></label></div>
    <div class="scroll"><table id="routes">
      <thead><tr><th scope="col">${texts.columns.route}</th>
        ${columns.map((name) => html`<th scope="col" class="end">${texts.columns[name]}</th>`)}</tr></thead>
      ${routes.map((route) => row(props, route, names.get(route.id) ?? ""))}
    </table></div>
  </section>`;
}

const skeleton = (): TemplateResult => html`<section class="card routes" aria-busy="true"
  aria-label=${texts.lookingForRoutesLabel}><div class="skeleton bar"></div>
  ${[1, 2, 3, 4, 5].map(() => html`<div class="skeleton line"></div>`)}</section>`;

function row(props: ComparisonProps, route: Route, name: string): TemplateResult {
  const { token } = props.form.get;
  const tool = props.catalog.toolName(route.adapter);
  const chosen = props.route?.id === route.id;
  const open = props.opened === route.id;
  const inDollars = (usd: bigint | null): string => (usd === null ? texts.unknownFees : formatDollars(usd));
  const short = (raw: string): string => shortAmount(BigInt(raw), token?.decimals ?? 0, 7);
  return html`<tbody class=${chosen ? "chosen" : ""} data-adapter=${route.adapter}>
    <tr>
      <th scope="row"><label class="pick"><input type="radio" name="route" .checked=${chosen}
          @change=${() => props.pickRoute(route.id)}>
          ${logo(props.api.base, { symbol: tool, address: route.adapter }, 20)}<span>${name}</span></label>
        <span class="tags">${route.tags.map(tag)}</span></th>
      <td class="end number">${figure(props, route)}</td>
      <td class="end number" data-label=${texts.columns.fees}>${inDollars(feesOf(route))}</td>
      <td class="end number" data-label=${texts.columns.gas}>${inDollars(gasOf(route))}</td>
      <td class="end time" data-label=${texts.columns.time}>${timeOf(route.estimatedTimeSec)}</td>
      <td class="end number" data-label=${texts.columns.least}>${short(route.minOutputAmount)}</td>
      <td class="end steps" data-label=${texts.columns.steps}>${route.steps.length}
        <button type="button" class="open" aria-expanded=${String(open)} aria-label=${texts.detailsOf(name)}
          @click=${() => props.set({ opened: open ? null : route.id })}>${open ? up : down}</button></td>
    </tr>
    ${open ? html`<tr class="detail"><td colspan="7">${detail(props, route)}</td></tr>` : nothing}
  </tbody>`;
}

/** What a route brings, and what of it is left; what it takes, and in all, where the output is fixed. */
function figure({ form }: ComparisonProps, route: Route): TemplateResult {
  const paid = fixedPaid(form);
  const { token } = form.get;
  const shown = (raw: string, decimals = 0): TemplateResult =>
    html`<span class="net" data-raw=${raw}>${shortAmount(BigInt(raw), decimals, 7)}</span>`;
  const under = (usd: bigint | null, rule: string, words: (dollars: string) => string) =>
    usd === null ? nothing : html`<span class="under" title=${rule}>${words(formatDollars(usd))}</span>`;
  return paid
    ? html`${shown(route.inputAmount, paid.decimals)} ${under(takenBy(paid, route), texts.paidRule, (usd) => usd)}`
    : html`${shown(route.outputAmount, token?.decimals)} ${under(netOf(token, route), texts.netRule, texts.net)}`;
}

const tag = (name: string): TemplateResult =>
  html`<span class="badge ${name.toLowerCase()}"
    title=${wordOf(texts.tagRules, name) ?? ""}>${wordOf(texts.tags, name) ?? name}</span>`;

function detail({ api, catalog }: ComparisonProps, route: Route): TemplateResult {
  const believed = route.trustAssumptions ?? [];
  return html`${routeDiagram(api.base, route, catalog)}
    <p class="signatures">${signatures(route)}</p>
    ${poolsOf(route, (id) => catalog.chain(id))}
    <div class="detail-columns">
      <div><h3>${texts.columns.fees}</h3>${feeTable(route, (key) => catalog.toolName(key))}</div>
      <div><h3>${texts.simulation}</h3><p class="simulation">${simulated(route)}</p>
        <h3>${texts.believed}</h3>
        ${
          believed.length
            ? html`<ul class="believed">${believed.map((text) => html`<li lang="en">${text}</li>`)}</ul>`
            : html`<p>${texts.nothingBelieved}</p>`
        }
      </div>
    </div>
    ${(route.warnings ?? []).map(({ message }) => html`<p class="note mind" lang="en">${message}</p>`)}`;
}

/** Says what the wallet is asked for: an approval is no step, and one that is still there is not asked for again. */
export const signatures = ({ steps }: Route): string =>
  texts.signatures(steps.filter(({ estimate }) => estimate.approvalAddress !== undefined).length, steps.length);

/** Writes a signed percentage of the API's ("+0.0500%"); "" where it is none. */
function signedPercent(text = ""): string {
  const [, sign, size] = /^([+-])([0-9]{1,15}\.[0-9]{4})%$/.exec(text) ?? [];
  return size ? `${sign === "-" ? "−" : "+"}${formatPercent(size)}` : "";
}

/** Says how the service's own run of the route went. */
function simulated({ simulation: run }: Route): string {
  if (!run) return texts.notRunYet;
  const { executionStatus, reason } = run;
  if (executionStatus !== "SUCCESS") {
    const how = wordOf(texts.notRun, executionStatus) ?? executionStatus;
    return reason ? `${how}: ${reason}` : texts.sentence(how);
  }
  return run.outputValidation === "VERIFIED"
    ? texts.measured(formatDuration(run.latencyMs, "millisecond"), signedPercent(run.deviation?.percent))
    : texts.startMeasured;
}
