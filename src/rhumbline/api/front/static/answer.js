// An answer as people read it: what arrives, what it costs, how sure it is.

import { formatAmount, formatRate } from "./amounts.js";
import { make } from "./dom.js";

const FEES = {
  app: "Service and integrator, taken from what you pay", lp: "Liquidity providers, within the price", gas: "Network, paid by you apart",
  relayer: "Relayer", relayerGas: "Relayer's network costs", relayerService: "Relayer's service", capital: "Capital",
};

/** One route as a list item; `tokens` are what is paid and received. */
export function routeItem(quote, { pay, get }, place) {
  const output = formatAmount(quote.outputAmount, get.decimals);
  return make("li", { class: "route" },
    make("p", { class: "label", text: place === 0 ? "Best answer: you receive about" : `Number ${place + 1}: you receive about` }),
    make("p", { class: "output", "data-raw": quote.outputAmount }, `${output} `, make("span", { class: "unit", text: get.symbol })),
    make("ul", { class: "tags" }, ...tags(quote).map((tag) => make("li", {}, tag))),
    facts(quote, pay, get),
    ...(quote.warnings ?? []).map((warning) => make("p", { class: "note mind", text: warning.message })),
    fees(quote));
}

function tags(quote) {
  const tag = (kind, text) => make("span", { class: `badge ${kind}`, text });
  const { simulation: run, estimatedTimeSec: seconds } = quote;
  const time = seconds === undefined ? "one transaction" : seconds < 90 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
  const shown = [tag("soft", `via ${quote.adapter}`), tag("soft", time)];
  if (!run) return [...shown, tag("mind", "not simulated")];
  if (run.executionStatus === "SUCCESS") return [...shown, tag("good", run.outputValidation === "VERIFIED" ? "simulated, output verified" : "simulated, succeeds")];
  return [...shown, tag(run.executionStatus === "REVERTED" ? "bad" : "mind", `simulation: ${run.executionStatus.toLowerCase()}`)];
}

function facts(quote, pay, get) {
  const rows = [];
  if (quote.minOutputAmount) rows.push(["At least, enforced on chain", `${formatAmount(quote.minOutputAmount, get.decimals)} ${get.symbol}`]);
  rows.push(["Rate, fees included", `1 ${pay.symbol} = ${formatRate(quote.inputAmount, pay.decimals, quote.outputAmount, get.decimals)} ${get.symbol}`]);
  const run = quote.simulation;
  if (run?.simulatedOutputAmount) {
    rows.push(["Simulated output", `${formatAmount(run.simulatedOutputAmount, get.decimals)} ${get.symbol}${run.deviation ? ` (${run.deviation.percent})` : ""}`]);
  }
  if (run?.gasUsed) rows.push(["Simulated in", `${run.latencyMs} ms, ${formatAmount(run.gasUsed, 0)} gas`]);
  if (run?.reason) rows.push(["Simulation says", run.reason]);
  return make("dl", { class: "facts-of" }, ...rows.flatMap(([term, text]) => [make("dt", { text: term }), make("dd", { class: "number", text })]));
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
