// What a route costs: by step, one line for each kind of fee.

import { html, nothing, type TemplateResult } from "lit";
import type { Fee, Route } from "../api.ts";
import { formatBps, formatDollars, readDecimal, shortAmount } from "../money.ts";
import { texts, wordOf } from "../texts.ts";

/** Fees of one kind: their worth in millionths of a dollar, null without all prices, and their amounts by token. */
export interface FeeLine {
  type: string;
  usd: bigint | null;
  amounts: string[];
}

/** Sums fees by their kind, in the order in which the kinds come first. */
export function feeLines(fees: readonly Fee[]): FeeLine[] {
  return [...new Set(fees.map(({ type }) => type))].map((type) => {
    const here = fees.filter((fee) => fee.type === type);
    const values = here.map(({ amountUsd }) => readDecimal(amountUsd, 6));
    const usd = values.includes(null) ? null : values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n);
    const tokens = new Map<string, { raw: bigint; fee: Fee }>();
    for (const [place, fee] of here.entries()) {
      // The service's and the integrator's go to two, and each is to be seen.
      const key = type === "app" ? String(place) : `${fee.chainId}:${fee.currencyAddress.toLowerCase()}`;
      tokens.set(key, { raw: (tokens.get(key)?.raw ?? 0n) + BigInt(fee.amount), fee });
    }
    const amounts = [...tokens.values()].map(
      ({ raw, fee }) => `${shortAmount(raw, fee.decimals)} ${fee.currencySymbol}`,
    );
    return { type, usd, amounts };
  });
}

/** Fees by step, where there are several; what the market itself takes of the price comes last. */
export function feeTable(route: Route, toolName: (key: string) => string): TemplateResult {
  const several = route.steps.length > 1;
  const bodies = several
    ? route.steps.map(({ tool, estimate }, place) =>
        body(estimate.fees.breakdown, texts.stepBy(place + 1, toolName(tool))),
      )
    : [body(route.fees.breakdown, "")];
  return html`<table class="fees">${bodies}${impact(route)}</table>`;
}

const body = (fees: readonly Fee[], title: string): TemplateResult =>
  html`<tbody>${title ? html`<tr><th scope="rowgroup" colspan="2" class="step">${title}</th></tr>` : nothing}
    ${feeLines(fees).map(feeLine)}</tbody>`;

export function feeLine({ type, usd, amounts }: FeeLine): TemplateResult {
  const tokens = amounts.join(" + ");
  const value = usd === null ? tokens : formatDollars(usd);
  return html`<tr><th scope="row">${wordOf(texts.feeTypes, type) ?? type}</th>
    <td class="end number">${value}${usd === null ? nothing : html`<span class="under">${tokens}</span>`}</td></tr>`;
}

function impact({ priceImpact }: Route): TemplateResult | typeof nothing {
  const bps = readDecimal(priceImpact, 4);
  if (bps === null) return nothing;
  return html`<tbody><tr><th scope="row">${texts.priceImpact}</th>
    <td class="end number">${formatBps(Number(bps))}</td></tr></tbody>`;
}
