// The swap box: the form, and beside it what was answered and what is under way.

import { html, nothing, type TemplateResult } from "lit";
import { buttonOf, type Facts } from "../button.ts";
import type { SideName } from "../form.ts";
import type { Transfer } from "../history.ts";
import { formatRate } from "../money.ts";
import * as texts from "../texts.ts";
import type { VisitState } from "../visit.ts";
import { type AmountsProps, amounts } from "./amounts.ts";
import { type ComparisonProps, comparison } from "./comparison.ts";
import { turn } from "./icons.ts";
import { type LossProps, lossNote } from "./loss.ts";
import { type ProgressProps, progress } from "./progress.ts";
import { amountText } from "./quantities.ts";
import { type RefusalActions, refusal } from "./refusal.ts";
import { type ReceiverProps, receiver, type SettingsProps, settings } from "./settings.ts";
import { stopWaiting } from "./wallet-wait.ts";

/** What its views take, and what the box itself shows around them. */
export interface BoxProps
  extends Facts,
    AmountsProps,
    ComparisonProps,
    LossProps,
    ProgressProps,
    ReceiverProps,
    RefusalActions,
    SettingsProps {
  // These are in more than one of the above.
  readonly form: Facts["form"];
  readonly catalog: ProgressProps["catalog"];
  readonly wallet: AmountsProps["wallet"];
  readonly stale: boolean;
  readonly problem: string;
  /** Why the form cannot be filled, in words. */
  readonly refused: string;
  readonly transfers: { readonly current: Transfer | null };
  secondsLeft(): number;
  start(): Promise<void>;
  set(changes: Partial<VisitState>): void;
}

export interface BoxActions {
  /** Whether the rate is shown the other way around. */
  turned: boolean;
  turn(): void;
  pick(side: SideName): void;
  /** Gives the focus to a control by its ID, once it is drawn. */
  focus(id: string): void;
  submit(): void;
}

export function box(props: BoxProps, actions: BoxActions): TemplateResult {
  const button = buttonOf(props);
  const submit = (event: Event): void => {
    event.preventDefault();
    actions.submit();
  };
  return html`<div class="columns">
    <form class="card form" novalidate aria-label=${texts.swapView} @submit=${submit}>
      ${amounts(props, actions.pick)}
      ${rate(props, actions)}
      ${receiver(props)}
      ${settings(props)}
      ${lossNote(props)}
      ${props.problem ? html`<p class="note bad" role="alert" id="said">${props.problem}</p>` : nothing}
      ${props.refused ? refused(props) : nothing}
      <button type="submit" class="main wide" id="go" aria-disabled=${String(button.disabled)}>${button.text}</button>
      ${stopWaiting(props, "")}
      <p class="hide" role="status" id="status">${status(props)}</p>
    </form>
    <div class="answer">${answer(props, actions)}</div>
  </div>`;
}

function answer(props: BoxProps, { focus }: BoxActions): TemplateResult {
  const { search, form } = props;
  const { current } = props.transfers;
  const empty = search.is === "idle" && !form.amount.trim() && !current;
  return html`${current ? progress(props, current) : nothing}
    ${search.is === "failed" ? refusal(search.explanation, props, focus) : comparison(props)}
    ${empty ? html`<p class="soft empty">${texts.emptyForm}</p>` : nothing}`;
}

const refused = (props: BoxProps): TemplateResult =>
  html`<p class="note bad" role="alert">${props.refused}
    <button type="button" @click=${() => void props.start()}>${texts.tryAgain}</button></p>`;

/** What is read out of an answer. */
function status({ route, form, search }: BoxProps): string {
  if (search.is === "failed") return search.explanation.text;
  const { token } = form.get;
  return route && token ? texts.bestAnswer(amountText(route.outputAmount, token), route.adapter) : "";
}

function rate(props: BoxProps, { turned, turn: turnAround }: BoxActions): TemplateResult {
  const { route, form } = props;
  const [pay, get] = [form.pay.token, form.get.token];
  if (!route || !pay || !get) return html`<div class="rate"></div>`;
  const [input, output] = [BigInt(route.inputAmount), BigInt(route.outputAmount)];
  const text = turned
    ? `1 ${get.symbol} = ${formatRate(output, get.decimals, input, pay.decimals)} ${pay.symbol}`
    : `1 ${pay.symbol} = ${formatRate(input, pay.decimals, output, get.decimals)} ${get.symbol}`;
  return html`<div class="rate">
    <button type="button" class="plain small number" id="rate" aria-label=${texts.rateLabel(text)}
      @click=${turnAround}>${text} ${turn}</button>
    ${age(props)}</div>`;
}

function age(props: BoxProps): TemplateResult {
  if (props.stale) {
    return html`<button type="button" class="plain small" id="renew"
      @click=${() => props.again()}>${texts.askAgain}</button>`;
  }
  return html`<span class="small soft" id="countdown"
    title=${texts.countdownTitle}>${texts.secondsLeft(props.secondsLeft())}</span>`;
}
