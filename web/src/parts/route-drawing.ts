// A route as a small drawing: tokens as buoys, what carries them as courses between.

import { svg, html, type TemplateResult } from "lit";
import type { Route, StepToken } from "../api.ts";
import { shortAmount } from "../money.ts";
import type { Session } from "../session.ts";
import { timeOf } from "./draw.ts";

const APART = 210;
const HEIGHT = 92;
const EDGE = 60;

export function drawing(session: Session, route: Route): TemplateResult {
  const stops = [stop(route.steps[0]?.action.fromToken, route.inputAmount), ...route.steps.map(({ action, estimate }) => stop(action.toToken, estimate.toAmount))];
  const width = 2 * EDGE + APART * route.steps.length;
  const words = route.steps.map((step, place) => `${stops[place]?.text} by ${step.tool} to ${stops[place + 1]?.text}`).join(", then ");
  const chain = (token: StepToken | undefined): string => session.catalog.chain(token?.chainId ?? null)?.name ?? "";
  return html`<svg class="course" viewBox="0 0 ${width} ${HEIGHT}" width=${width} height=${HEIGHT} role="img" aria-label="The route: ${words}">
    ${route.steps.map((step, place) => {
      const from = EDGE + place * APART;
      return svg`<line x1=${from + 12} y1="40" x2=${from + APART - 12} y2="40" class=${step.type}></line>
        <text x=${from + APART / 2} y="26" class="venue">${step.tool}</text>
        <text x=${from + APART / 2} y="60" class="how">${step.type === "bridge" ? timeOf(step.estimate.estimatedTimeSec) : "one transaction"}</text>`;
    })}
    ${stops.map((each, place) => {
      const at = EDGE + place * APART;
      return svg`<circle cx=${at} cy="40" r="9"></circle><text x=${at} y="20" class="stop">${each.text}</text><text x=${at} y="72" class="how">${chain(each.token)}</text>`;
    })}
  </svg>`;
}

function stop(token: StepToken | undefined, raw: string): { token: StepToken | undefined; text: string } {
  return { token, text: token ? `${shortAmount(BigInt(raw), token.decimals, 5)} ${token.symbol}` : "" };
}
