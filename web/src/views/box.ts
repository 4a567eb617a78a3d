// The swap box: the form, and beside it what was answered and what is under way.

import { html, nothing, type TemplateResult } from "lit";
import { buttonOf, type Facts } from "../button.ts";
import { fixedOf, type SideName } from "../form.ts";
import type { Transfer } from "../history.ts";
import { formatDuration, formatTime } from "../locale.ts";
import { formatRate } from "../money.ts";
import { texts } from "../texts.ts";
import type { VisitState } from "../visit.ts";
import { type AmountsProps, amounts } from "./amounts.ts";
import { type ChoicesProps, pageChoices } from "./choices.ts";
import { type ComparisonProps, comparison } from "./comparison.ts";
import { type CoverageProps, coverage } from "./coverage.ts";
import { afterwards, type EndingsProps, repeatNote } from "./endings.ts";
import { gasOption } from "./gas-option.ts";
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
    ChoicesProps,
    ComparisonProps,
    CoverageProps,
    EndingsProps,
    LossProps,
    ProgressProps,
    ReceiverProps,
    RefusalActions,
    SettingsProps {
  // These are in more than one of the above.
  readonly api: AmountsProps["api"];
  readonly form: Facts["form"];
  readonly endings: EndingsProps["endings"];
  readonly catalog: ProgressProps["catalog"];
  readonly wallet: AmountsProps["wallet"];
  readonly receiving: Facts["receiving"];
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
  /** When a service that is away is asked again, in milliseconds of the page's clock; null where it is not. */
  restartAt: number | null;
  pick(side: SideName): void;
  /** Offers to connect a wallet for the chain that is paid to. */
  connectReceiver(): void;
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
      ${receiver(props, actions.connectReceiver)}
      ${settings(props)}${gasOption(props)}${pageChoices(props)}
      <button type="submit" class="main wide" id="go" aria-disabled=${String(button.disabled)}>${button.text}</button>
      ${stopWaiting(props, "")}
      ${lossNote(props)}
      ${repeatNote(props)}
      ${props.problem ? html`<p class="note bad" role="alert" id="said">${props.problem}</p>` : nothing}
      ${props.refused ? refused(props, actions.restartAt) : nothing}
      <p class="hide" role="status" id="status">${status(props)}</p>
    </form>
    <div class="answer">${answer(props, actions)}</div>
  </div>`;
}

function answer(props: BoxProps, { focus }: BoxActions): TemplateResult {
  const { search, form } = props;
  const { current } = props.transfers;
  const empty = search.is === "idle" && !form.amount.trim() && !current;
  return html`${current ? progress(props, current, afterwards(props, current)) : nothing}
    ${search.is === "failed" ? refusal(search.explanation, props, focus) : comparison(props)}
    ${empty ? html`<p class="soft empty">${texts.emptyForm}</p>${coverage(props)}` : nothing}`;
}

const asksAt = (at: number): string => texts.askedAgainAt(formatTime(new Date(at)));

/** Why nothing can be chosen; where the service is away, until when it is left alone. */
const refused = (props: BoxProps, restartAt: number | null): TemplateResult =>
  html`<div class="note bad"><p role="alert">
      ${props.refused === texts.noChains ? nothing : html`<strong>${texts.outage}</strong><br>`}${props.refused}</p>
    ${restartAt === null ? nothing : html`<p class="small" id="restart">${asksAt(restartAt)}</p>`}
    <button type="button" @click=${() => void props.start()}>${texts.tryAgain}</button></div>`;

/** What is read out of an answer. */
function status({ route, form, search, catalog }: BoxProps): string {
  if (search.is === "failed") return search.explanation.text;
  const [{ token }, raw] = fixedOf(form) === "pay" ? [form.get, route?.outputAmount] : [form.pay, route?.inputAmount];
  return route && token && raw ? texts.bestAnswer(amountText(raw, token), catalog.toolName(route.adapter)) : "";
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
      @click=${turnAround}><bdi>${text}</bdi> ${turn}</button>
    ${age(props)}</div>`;
}

function age(props: BoxProps): TemplateResult {
  if (props.stale) {
    return html`<button type="button" class="plain small" id="renew"
      @click=${() => props.again()}>${texts.askAgain}</button>`;
  }
  return html`<span class="small soft" id="countdown"
    title=${texts.countdownTitle}>${formatDuration(props.secondsLeft(), "second", "narrow")}</span>`;
}
