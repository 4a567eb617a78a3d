// The two sides of a swap: what is paid and what is received.

import { html, nothing, type TemplateResult } from "lit";
import type { Chain, Route, Token } from "../api.ts";
import {
  amountFault,
  type Form,
  fixedOf,
  isLocked,
  mostOf,
  paidOf,
  type Side,
  type SideName,
  understood,
} from "../form.ts";
import { formatPercent } from "../locale.ts";
import { changeOf, WARN_BPS, YES_BPS } from "../loss.ts";
import { dollars, formatAmount, formatBps, formatDollars, shareOf, shortAmount, typedAmount } from "../money.ts";
import type { Search } from "../route-requests.ts";
import { texts } from "../texts.ts";
import { chainLogo, inputOf, logo } from "./fragments.ts";
import { down, flip } from "./icons.ts";

export interface AmountsProps {
  readonly api: { base: string };
  readonly ready: boolean;
  readonly form: Form;
  readonly search: Search;
  /** About what arrives, in raw units, while routes are asked for. */
  readonly about: string | null;
  readonly route: Route | null;
  readonly wallet: object | null;
  readonly balance: bigint | null;
  payable(chain: Chain | null): boolean;
  edit(changes: Partial<Form>): void;
  flip(): void;
}

type PickToken = (side: SideName) => void;

const SHARES = [25n, 50n] as const;

export function amounts(props: AmountsProps, pick: PickToken): TemplateResult {
  const { form } = props;
  const flippable = props.payable(form.get.chain) && !form.locked?.length;
  return html`
    <div class="side">
      <div class="side-top"><label for="amount">${texts.youPay}</label>${shares(props)}</div>
      <div class="side-main">
        ${field(props, "pay", "amount")}
        ${token(props, "pay", pick)}
      </div>
      <div class="side-foot">
        <span class="soft" id="pay-usd">${worth(form.pay, paidOf(form, props.route))}</span>${balance(props)}
      </div>
      ${remark(form, "pay", "amount")}
    </div>
    <div class="flip">
      <button type="button" id="flip" aria-label=${texts.flipSides} aria-disabled=${String(!flippable)}
        @click=${() => props.flip()}>${flip}</button>
    </div>
    <div class="side">
      <div class="side-top"><label for="output">${texts.youReceive}</label></div>
      <div class="side-main">
        ${field(props, "get", "output")}
        ${token(props, "get", pick)}
      </div>
      <div class="side-foot">${received(props)}</div>
      ${remark(form, "get", "output")}
    </div>`;
}

/** An amount that can be typed on either side: on the one it stays as typed, on the other it is what was answered. */
function field(props: AmountsProps, side: SideName, id: string): TemplateResult {
  const { form, route, search } = props;
  const fixed = fixedOf(form) === side;
  const asking = !fixed && search.is === "asking";
  const fault = fixed && amountFault(form) !== "";
  const look = `${asking && !props.about ? "skeleton" : route || fixed ? "" : "soft"} ${long(props)}`;
  return html`<input id=${id} class="amount ${look}" inputmode="decimal" autocomplete="off" placeholder="0"
    maxlength="120" .value=${fixed ? form.amount : asking ? aboutText(props, side) : answeredText(props, side)}
    title=${fixed ? nothing : asking ? texts.aboutSoMuch : answeredText(props, side)}
    data-raw=${rawOf(route, side)} aria-busy=${String(asking)} aria-invalid=${String(fault)}
    aria-describedby="${id}-fault"
    @input=${(event: Event) => props.edit({ amount: inputOf(event).value, fixed: side })}>`;
}

const rawOf = (route: Route | null, side: SideName): string =>
  (side === "pay" ? route?.inputAmount : route?.outputAmount) ?? "";

/** What is wrong with the amount that was typed on a side, or how it was understood. */
function remark(form: Form, side: SideName, id: string): TemplateResult {
  const fixed = fixedOf(form) === side;
  const [fault, read] = fixed ? [amountFault(form), understood(form)] : ["", ""];
  const [kept, note] = [side === "pay" || fixed ? "kept" : "", html`<span class="soft" id="${id}-read">${read}</span>`];
  return html`<p class="fault ${kept}" id="${id}-fault" role="status">${fault || note}</p>`;
}

function token({ api, form, ready }: AmountsProps, side: SideName, pick: PickToken): TemplateResult {
  const { chain, token: chosen } = form[side];
  const open = ready && !isLocked(form, side);
  return html`<button type="button" class="token" id="${side}-token" aria-haspopup="dialog"
      aria-disabled=${String(!open)} @click=${() => open && pick(side)}>
    <span class="hide">${side === "pay" ? texts.tokenToPay : texts.tokenToReceive}</span>
    ${chosen ? logo(api.base, chosen) : nothing}
    <span class="token-text"><strong>${chosen?.symbol ?? texts.choose}</strong>
      <span class="where">${chain ? chainLogo(api.base, chain, 14) : nothing}${chain?.name ?? ""}</span></span>
    ${isLocked(form, side) ? nothing : down}
  </button>`;
}

const worth = ({ token: chosen }: Side, raw: bigint | null): string => {
  const value = chosen && raw !== null ? dollars(raw, chosen.decimals, chosen.priceUSD) : null;
  return value === null ? "" : formatDollars(value);
};

function balance({ form, wallet, balance: raw }: AmountsProps): TemplateResult | typeof nothing {
  const { token: chosen } = form.pay;
  if (!wallet || !chosen) return nothing;
  if (raw === null) return html`<span class="small soft">${texts.balance("…")}</span>`;
  const [whole, short] = [formatAmount(raw, chosen.decimals), shortAmount(raw, chosen.decimals)];
  return html`<span class="small soft" id="balance" title=${whole}>${texts.balance(short)}</span>`;
}

function shares(props: AmountsProps): TemplateResult | typeof nothing {
  const { form, wallet, balance: raw } = props;
  const { token: chosen } = form.pay;
  if (!wallet || !chosen || raw === null) return nothing;
  const pay = (amount: bigint) => () => props.edit({ amount: typedAmount(amount, chosen.decimals), fixed: "pay" });
  return html`<span class="shares">
    ${SHARES.map(
      (
        percent,
      ) => html`<button type="button" class="share" aria-label=${texts.payShare(formatPercent(percent.toString()))}
        @click=${pay(shareOf(raw, percent))}>${formatPercent(percent.toString())}</button>`,
    )}
    ${max(props, raw, chosen)}
  </span>`;
}

/** Offers all of a balance; of native money what the network's fee leaves of it, and says how much that keeps. */
function max(props: AmountsProps, raw: bigint, { decimals, symbol }: Token): TemplateResult {
  const most = mostOf(props.form, props.route, raw);
  const kept = raw - most;
  const said = kept ? texts.maxLess(`${shortAmount(kept, decimals)} ${symbol}`) : texts.max;
  return html`<button type="button" class="share" id="max" aria-label=${said} title=${said}
    @click=${() => props.edit({ amount: typedAmount(most, decimals), fixed: "pay" })}>${texts.max}</button>`;
}

/** Writes what a route says of a side, what is paid to the unit; "" while nothing is known. */
function answeredText({ route, form }: AmountsProps, side: SideName): string {
  const { token: chosen } = form[side];
  if (!route || !chosen) return "";
  const raw = BigInt(rawOf(route, side));
  return side === "get" ? shortAmount(raw, chosen.decimals, 9) : typedAmount(raw, chosen.decimals);
}

/** Writes about what arrives while routes are asked for. */
function aboutText({ about, form }: AmountsProps, side: SideName): string {
  const { token: chosen } = form[side];
  return about && chosen && side === "get" ? `≈ ${shortAmount(BigInt(about), chosen.decimals)}` : "…";
}

/** Both figures have the same size: a smaller one where one of them is long. */
function long(props: AmountsProps): string {
  const other = answeredText(props, fixedOf(props.form) === "pay" ? "get" : "pay");
  const most = Math.max(props.form.amount.length, other.length);
  return most > 14 ? "longest" : most > 9 ? "long" : "";
}

function received({ route, form }: AmountsProps): TemplateResult {
  if (!route) return html`<span class="soft">&nbsp;</span>`;
  const value = worth(form.get, BigInt(route.outputAmount));
  return html`<span class="soft" id="get-usd"><bdi dir="ltr">${value}${change(changeOf(form, route))}</bdi></span>
    ${fixedOf(form) === "get" && form.get.token ? expected(route, form.get.token) : nothing}`;
}

/** What is expected to arrive where only the least is typed: it is more. */
const expected = ({ outputAmount }: Route, { decimals, symbol }: Token): TemplateResult =>
  html`<span class="small soft" id="expected" title=${texts.expectedRule}>${texts.expected(
    `${shortAmount(BigInt(outputAmount), decimals, 9)} ${symbol}`,
  )}</span>`;

/** What is lost or gained, as a percentage in brackets. */
function change(bps: number | null): TemplateResult | string {
  if (bps === null) return "";
  if (bps < WARN_BPS) return ` (${formatBps(-bps)})`;
  return html`<strong class=${bps >= YES_BPS ? "bad" : "mind"}> (−${formatBps(bps)})</strong>`;
}
