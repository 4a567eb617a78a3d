// The two sides of a swap: what is paid and what is received.

import { html, nothing, type TemplateResult } from "lit";
import type { Chain, Route, Step } from "../api.ts";
import type { Wallet } from "../connection.ts";
import { amountFault, amountOf, type Form, isNative, nativeNeed, type Side, type SideName } from "../form.ts";
import { lossOf, WARN_BPS, YES_BPS } from "../loss.ts";
import { dollars, formatAmount, formatBps, formatDollars, plainAmount, shareOf, shortAmount } from "../money.ts";
import type { Search } from "../route-requests.ts";
import * as texts from "../texts.ts";
import { inputOf, logo } from "./fragments.ts";
import { down, flip } from "./icons.ts";

export interface AmountsProps {
  readonly api: { base: string };
  readonly ready: boolean;
  readonly form: Form;
  readonly search: Search;
  readonly route: Route | null;
  readonly warned: Step | null;
  readonly wallet: Pick<Wallet, "chainType"> | null;
  readonly balance: bigint | null;
  payable(chain: Chain | null): boolean;
  edit(changes: Partial<Form>): void;
  flip(): void;
}

type PickToken = (side: SideName) => void;

const SHARES = [25n, 50n] as const;

export function amounts(props: AmountsProps, pick: PickToken): TemplateResult {
  const { form } = props;
  const fault = amountFault(form);
  const flippable = props.payable(form.get.chain);
  return html`
    <div class="side">
      <div class="side-top"><label for="amount">${texts.youPay}</label>${shares(props)}</div>
      <div class="side-main">
        <input id="amount" class="amount" inputmode="decimal" autocomplete="off" placeholder="0" maxlength="120"
          .value=${form.amount} aria-invalid=${fault ? "true" : "false"} aria-describedby="amount-fault"
          @input=${(event: Event) => props.edit({ amount: inputOf(event).value })}>
        ${token(props, "pay", pick)}
      </div>
      <div class="side-foot">
        <span class="soft" id="pay-usd">${worth(form.pay, amountOf(form))}</span>${balance(props)}
      </div>
      <p class="fault" id="amount-fault">${fault}</p>
    </div>
    <div class="flip">
      <button type="button" id="flip" aria-label=${texts.flipSides} aria-disabled=${String(!flippable)}
        @click=${() => props.flip()}>${flip}</button>
    </div>
    <div class="side">
      <div class="side-top"><span class="label">${texts.youReceive}</span></div>
      <div class="side-main">
        ${output(props)}
        ${token(props, "get", pick)}
      </div>
      <div class="side-foot">${received(props)}</div>
    </div>`;
}

function token({ api, form, ready }: AmountsProps, side: SideName, pick: PickToken): TemplateResult {
  const { chain, token: chosen } = form[side];
  return html`<button type="button" class="token" id="${side}-token" aria-haspopup="dialog"
      aria-disabled=${String(!ready)} @click=${() => ready && pick(side)}>
    <span class="hide">${side === "pay" ? texts.tokenToPay : texts.tokenToReceive}</span>
    ${chosen ? logo(api.base, chosen) : nothing}
    <span class="token-text"><strong>${chosen?.symbol ?? texts.choose}</strong>
      <span class="where">${chain?.name ?? ""}</span></span>
    ${down}
  </button>`;
}

const worth = ({ token: chosen }: Side, raw: bigint | null): string => {
  const value = chosen && raw !== null ? dollars(raw, chosen.decimals, chosen.priceUSD) : null;
  return value === null ? "" : formatDollars(value);
};

function balance({ form, wallet, balance: raw }: AmountsProps): TemplateResult | typeof nothing {
  const { token: chosen } = form.pay;
  if (!wallet || !chosen || wallet.chainType !== form.pay.chain?.chainType) return nothing;
  if (raw === null) return html`<span class="small soft">${texts.balance("…")}</span>`;
  const [whole, short] = [formatAmount(raw, chosen.decimals), shortAmount(raw, chosen.decimals)];
  return html`<span class="small soft" id="balance" title=${whole}>${texts.balance(short)}</span>`;
}

function shares(props: AmountsProps): TemplateResult | typeof nothing {
  const { form, wallet, balance: raw } = props;
  const { token: chosen } = form.pay;
  if (!wallet || !chosen || raw === null) return nothing;
  const pay = (amount: bigint) => () => props.edit({ amount: plainAmount(amount, chosen.decimals) });
  return html`<span class="shares">
    ${SHARES.map(
      (percent) => html`<button type="button" class="share" aria-label=${texts.payShare(percent)}
        @click=${pay(shareOf(raw, percent))}>${percent} %</button>`,
    )}
    <button type="button" class="share" id="max" @click=${pay(most(props, raw))}>${texts.max}</button>
  </span>`;
}

/** Returns all of a balance, less what the network's fee may take where it is paid in the same money. */
function most({ form, route }: AmountsProps, raw: bigint): bigint {
  if (!isNative(form.pay)) return raw;
  const fee = route ? nativeNeed(form, route).need - BigInt(route.inputAmount) : raw / 100n;
  const kept = 2n * fee;
  return raw > kept ? raw - kept : 0n;
}

function output({ route, search, form }: AmountsProps): TemplateResult {
  if (search.is === "asking") return html`<span class="amount skeleton" id="output" aria-busy="true">…</span>`;
  const { token: chosen } = form.get;
  const text = route && chosen ? shortAmount(BigInt(route.outputAmount), chosen.decimals, 9) : "0";
  const look = `amount ${route ? "" : "soft"} ${text.length > 9 ? "long" : ""}`;
  return html`<output class=${look} title=${text} id="output" for="amount"
    data-raw=${route?.outputAmount ?? ""}>${text}</output>`;
}

function received({ route, form, warned }: AmountsProps): TemplateResult {
  if (!route) return html`<span class="soft">&nbsp;</span>`;
  const value = worth(form.get, BigInt(route.outputAmount));
  return html`<span class="soft" id="get-usd">${value}${change(lossOf(form, route, warned).bps)}</span>`;
}

/** What is lost or gained, as a percentage in brackets. */
function change(bps: number | null): TemplateResult | string {
  if (bps === null) return "";
  if (bps < WARN_BPS) return ` (${formatBps(-bps)})`;
  return html`<strong class=${bps >= YES_BPS ? "bad" : "mind"}> (−${formatBps(bps)})</strong>`;
}
