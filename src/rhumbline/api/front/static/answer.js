// An answer as people read it: what arrives, what it costs, how sure it is.

import { formatAmount, formatRate } from "./amounts.js";
import { make } from "./dom.js";
import { bridgePage } from "./journey.js";
import { formOf, payee } from "./target.js";

const FEES = {
  app: "Service and integrator, taken from what you pay", lp: "Liquidity providers, within the price", gas: "Network, paid by you apart",
  relayer: "Relayer", relayerGas: "Relayer's network costs", relayerService: "Relayer's service", capital: "Capital",
};
const NOT_RUN = { REVERTED: "it would fail", TIMEOUT: "not finished in time", SKIPPED: "left out", UNSUPPORTED: "not possible here", ERROR: "failed to run" };

/** One route as a list item; `trip` has what is paid and received; `use` is offered as a button where it is given. */
export function routeItem(quote, trip, place, use) {
  const { get } = trip;
  const output = formatAmount(quote.outputAmount, get.decimals);
  const where = trip.crossing ? ` on ${trip.there.name}` : "";
  return make("li", { class: "route" },
    make("p", { class: "label", text: `${place === 0 ? "Best answer" : `Number ${place + 1}`}: you receive about` }),
    make("p", { class: "output", "data-raw": quote.outputAmount }, `${output} `, make("span", { class: "unit", text: get.symbol + where })),
    make("ul", { class: "tags" }, ...tags(quote).map((tag) => make("li", {}, tag))),
    facts(quote, trip),
    ...remarks(quote, trip).map((text) => make("p", { class: "note", text })),
    ...(quote.warnings ?? []).map((warning) => make("p", { class: "note mind", text: warning.message })),
    fees(quote),
    use && make("button", { type: "button", class: "fit use", onclick: use, text: `Take the answer of ${quote.adapter}` }));
}

export function timeOf(seconds) {
  return seconds === undefined ? "one transaction" : seconds < 90 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}

function tags(quote) {
  const tag = (kind, text) => make("span", { class: `badge ${kind}`, text });
  const { simulation: run, estimatedTimeSec: seconds } = quote;
  const shown = [tag("soft", `via ${quote.adapter}`), tag("soft", timeOf(seconds))];
  if (!run) return [...shown, tag("mind", "not simulated")];
  if (run.executionStatus === "SUCCESS") return [...shown, tag("good", run.outputValidation === "VERIFIED" ? "simulated, output verified" : "simulated, succeeds")];
  return [...shown, tag(run.executionStatus === "REVERTED" ? "bad" : "mind", `simulation: ${NOT_RUN[run.executionStatus] ?? run.executionStatus}`)];
}

function facts(quote, { pay, get, crossing, chain, there }) {
  const rows = [];
  if (quote.minOutputAmount) rows.push([crossing ? "At least, as the bridge promises" : "At least, enforced on chain", `${formatAmount(quote.minOutputAmount, get.decimals)} ${get.symbol}`]);
  rows.push(["Rate, fees included", `1 ${pay.symbol} = ${formatRate(quote.inputAmount, pay.decimals, quote.outputAmount, get.decimals)} ${get.symbol}`]);
  if (crossing && quote.estimatedTimeSec !== undefined) rows.push(["Estimated time", `${timeOf(quote.estimatedTimeSec)} to ${there.name}`]);
  const run = quote.simulation;
  if (run?.simulatedOutputAmount) {
    rows.push(["Simulated output", `${formatAmount(run.simulatedOutputAmount, get.decimals)} ${get.symbol}${run.deviation ? ` (${run.deviation.percent})` : ""}`]);
  }
  if (run?.gasUsed) rows.push(["Simulated in", `${run.latencyMs} ms, ${formatAmount(run.gasUsed, 0)} gas`]);
  if (crossing && run?.executionStatus === "SUCCESS" && run.outputValidation === "UNVERIFIABLE") {
    rows.push(["Output", `not simulated: the output arrives on another chain; only the start on ${chain.name} was run`, true]);
  } else if (run?.reason) rows.push(["Simulation says", run.reason]);
  const page = crossing ? bridgePage(quote) : null;
  if (page) rows.push(["To follow it", page, true]);
  return make("dl", { class: "facts-of" }, ...rows.flatMap(([term, value, prose]) => [make("dt", { text: term }), make("dd", { class: prose ? null : "number" }, value)]));
}

/** Says what people should know before they sign a bridge's own transaction. */
function remarks(quote, trip) {
  const form = trip.crossing ? formOf(trip, quote) : null;
  if (form !== "native" && form !== "transfer") return [];
  return [`Sent straight to ${quote.adapter}${form === "transfer" ? ", to a deposit address" : ""}, without the service's contract between: no approval, and no fee of the service. It goes to ${payee(form, quote)}.`];
}

function fees(quote) {
  const rows = quote.fees.breakdown.map((item) => make("tr", {},
    make("th", { scope: "row", text: FEES[item.type] ?? item.type }),
    make("td", { class: "number end" }, `${formatAmount(item.amount, item.decimals)} ${item.currencySymbol}`, item.amountUsd ? make("div", { class: "small soft", text: `$${item.amountUsd}` }) : null)));
  const { total } = quote.fees;
  rows.push(make("tr", {},
    make("th", { scope: "row", text: `Total in ${total.currencySymbol}` }),
    make("td", { class: "number end", text: `${formatAmount(total.amount, total.decimals)} ${total.currencySymbol}` })));
  return make("details", { open: true }, make("summary", { text: "Fees" }), make("table", {}, make("tbody", {}, ...rows)));
}
