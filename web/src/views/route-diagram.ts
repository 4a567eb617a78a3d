// A route as a small diagram: tokens as circles, what carries them as lines between.

import { html, svg, type TemplateResult } from "lit";
import type { Route, StepToken } from "../api.ts";
import { shortAmount } from "../money.ts";
import * as texts from "../texts.ts";
import { timeOf } from "./quantities.ts";

const APART = 210;
const HEIGHT = 92;
const EDGE = 60;

interface Stop {
  text: string;
  chain: string;
}

export function routeDiagram(route: Route, chainName: (id: number | null) => string): TemplateResult {
  const stop = (token: StepToken | undefined, raw: string): Stop => ({
    text: token ? `${shortAmount(BigInt(raw), token.decimals, 5)} ${token.symbol}` : "",
    chain: chainName(token?.chainId ?? null),
  });
  const stops = [
    stop(route.steps[0]?.action.fromToken, route.inputAmount),
    ...route.steps.map(({ action, estimate }) => stop(action.toToken, estimate.toAmount)),
  ];
  const textOf = (place: number): string => stops[place]?.text ?? "";
  const hops = route.steps.map(({ tool }, place) => texts.hop(textOf(place), tool, textOf(place + 1)));
  const width = 2 * EDGE + APART * route.steps.length;
  const lines = route.steps.map(({ type, tool, estimate }, place) => {
    const from = EDGE + place * APART;
    const how = type === "bridge" ? timeOf(estimate.estimatedTimeSec) : texts.oneTransaction;
    return svg`<line x1=${from + 12} y1="40" x2=${from + APART - 12} y2="40" class=${type}></line>
      <text x=${from + APART / 2} y="26" class="venue">${tool}</text>
      <text x=${from + APART / 2} y="60" class="how">${how}</text>`;
  });
  const circles = stops.map(({ text, chain }, place) => {
    const at = EDGE + place * APART;
    return svg`<circle cx=${at} cy="40" r="9"></circle><text x=${at} y="20" class="stop">${text}</text>
      <text x=${at} y="72" class="how">${chain}</text>`;
  });
  return html`<svg class="course" viewBox="0 0 ${width} ${HEIGHT}" width=${width} height=${HEIGHT} role="img"
    aria-label=${texts.diagram(hops)}>${lines}${circles}</svg>`;
}
