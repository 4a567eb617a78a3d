// A route as a course: tokens with their chains as ports, and what carries them from one to the next.

import { html, nothing, type TemplateResult } from "lit";
import type { Chain, Deed, Route, StepToken } from "../api.ts";
import { shortAmount } from "../money.ts";
import { deedsOf } from "../route-names.ts";
import { texts } from "../texts.ts";
import { chainLogo, logo } from "./fragments.ts";
import { timeOf } from "./quantities.ts";

interface Names {
  chain(id: number | null): Chain | null;
  toolName(key: string): string;
  described(token: StepToken): StepToken;
}

/** One tool's deed on the way, and how it is called. */
interface Way {
  deed: Deed;
  how: string;
  /** The number of the transaction that begins with it; 0 where it is part of the one before, or there is but one. */
  number: number;
}

/** Returns all deeds of a route in their order; what several tools do in one transaction is said to be so. */
export function waysOf({ steps }: Route): Way[] {
  return steps.flatMap((step, place) => {
    const deeds = deedsOf(step);
    const bridge = deeds.findIndex(({ type }) => type === "bridge");
    const how = (deed: Deed, at: number): string => {
      if (deed.type === "bridge") return timeOf(step.estimate.estimatedTimeSec);
      if (deeds.length === 1) return texts.oneTransaction;
      return at > bridge ? texts.swapOnArrival : texts.swapBefore;
    };
    return deeds.map((deed, at) => ({ deed, how: how(deed, at), number: steps.length > 1 && !at ? place + 1 : 0 }));
  });
}

const turn = (number: number): TemplateResult | typeof nothing =>
  number ? html`<span class="turn">${number}</span>` : nothing;

export function routeDiagram(base: string, route: Route, names: Names): TemplateResult {
  const ways = waysOf(route);
  const port = (token: StepToken, raw: string): string =>
    `${shortAmount(BigInt(raw), token.decimals, 5)} ${token.symbol}`;
  const hops = ways.map(({ deed }) => {
    const { fromToken, toToken, fromAmount, toAmount, tool } = deed;
    return texts.hop(port(fromToken, fromAmount), names.toolName(tool), port(toToken, toAmount));
  });
  const stop = (token: StepToken, raw: string): TemplateResult => {
    const chain = names.chain(token.chainId);
    return html`<span class="stop">${logo(base, names.described(token), 24)}<span class="stop-text">
      <span class="number">${port(token, raw)}</span>
      <span class="where">${chain ? chainLogo(base, chain, 14) : nothing}${chain?.name ?? token.chainId}</span>
    </span></span>`;
  };
  const way = ({ deed, how, number }: Way): TemplateResult => html`<span class="leg ${deed.type}">
      <span class="venue">${turn(number)}${names.toolName(deed.tool)}</span>
      <span class="how">${how}</span></span>
    ${stop(deed.toToken, deed.toAmount)}`;
  const first = ways[0]?.deed;
  return html`<div class="course ${ways.length > 2 ? "long" : ""}" role="img" aria-label=${texts.diagram(hops)}>
    ${first ? stop(first.fromToken, first.fromAmount) : nothing}${ways.map(way)}</div>`;
}
