// The two sides of a swap: what is paid and what is received.

import { html, nothing, type TemplateResult } from "lit";
import { dollars, formatAmount, formatBps, formatDollars, plainAmount, shareOf, shortAmount } from "../money.ts";
import type { Session } from "../session.ts";
import { amountFault, amountOf, isNative, lossOf, nativeNeed, type Side, WARN_BPS } from "../state.ts";
import { logo } from "./draw.ts";
import { down, flip } from "./icons.ts";

const SHARES = [25n, 50n] as const;

export function amounts(session: Session, pick: (side: "pay" | "get") => void): TemplateResult {
  const { form } = session;
  return html`
    <div class="side">
      <div class="side-top"><label for="amount">You pay</label>${shares(session)}</div>
      <div class="side-main">
        <input id="amount" class="amount" inputmode="decimal" autocomplete="off" placeholder="0" maxlength="120" .value=${form.amount}
          aria-invalid=${amountFault(form) ? "true" : "false"} aria-describedby="amount-fault"
          @input=${(event: InputEvent) => session.edit({ amount: (event.target as HTMLInputElement).value })}>
        ${token(session, "pay", form.pay, pick)}
      </div>
      <div class="side-foot"><span class="soft" id="pay-usd">${worth(form.pay, amountOf(form))}</span>${balance(session)}</div>
      <p class="fault" id="amount-fault">${amountFault(form)}</p>
    </div>
    <div class="flip"><button type="button" id="flip" aria-label="Swap the two sides" aria-disabled=${String(!session.payable(form.get.chain))} @click=${() => session.flip()}>${flip}</button></div>
    <div class="side">
      <div class="side-top"><span class="label">You receive</span></div>
      <div class="side-main">
        ${output(session)}
        ${token(session, "get", form.get, pick)}
      </div>
      <div class="side-foot">${received(session)}</div>
    </div>`;
}

function token(session: Session, name: "pay" | "get", { chain, token: chosen }: Side, pick: (side: "pay" | "get") => void): TemplateResult {
  const label = name === "pay" ? "Token to pay with" : "Token to receive";
  return html`<button type="button" class="token" id="${name}-token" aria-haspopup="dialog" aria-disabled=${String(!session.ready)} @click=${() => session.ready && pick(name)}>
    <span class="hide">${label}: </span>${chosen ? logo(session.api.base, chosen) : nothing}
    <span class="token-text"><strong>${chosen?.symbol ?? "Choose"}</strong> <span class="where">${chain?.name ?? ""}</span></span>
    ${down}
  </button>`;
}

const worth = ({ token: chosen }: Side, raw: bigint | null): string => {
  const value = chosen && raw !== null ? dollars(raw, chosen.decimals, chosen.priceUSD) : null;
  return value === null ? "" : formatDollars(value);
};

function balance({ form, wallet, balance: raw }: Session): TemplateResult | typeof nothing {
  const { token: chosen } = form.pay;
  if (!wallet || !chosen || wallet.chainType !== form.pay.chain?.chainType) return nothing;
  if (raw === null) return html`<span class="small soft">Balance …</span>`;
  return html`<span class="small soft" id="balance" title=${formatAmount(raw, chosen.decimals)}>Balance ${shortAmount(raw, chosen.decimals)}</span>`;
}

function shares(session: Session): TemplateResult | typeof nothing {
  const { form, wallet, balance: raw } = session;
  const { token: chosen } = form.pay;
  if (!wallet || !chosen || raw === null) return nothing;
  return html`<span class="shares">
    ${SHARES.map((percent) => html`<button type="button" class="share" aria-label="Pay ${percent} % of the balance" @click=${() => session.edit({ amount: plainAmount(shareOf(raw, percent), chosen.decimals) })}>${percent} %</button>`)}
    <button type="button" class="share" id="max" @click=${() => session.edit({ amount: plainAmount(most(session, raw), chosen.decimals) })}>Max</button>
  </span>`;
}

/** All of a balance, less what the network's fee may take where it is paid in the same money. */
export function most(session: Session, raw: bigint): bigint {
  if (!isNative(session.form.pay)) return raw;
  const { route, form } = session;
  const fee = route ? nativeNeed(form, route).need - BigInt(route.inputAmount) : raw / 100n;
  const kept = 2n * fee;
  return raw > kept ? raw - kept : 0n;
}

function output(session: Session): TemplateResult {
  const { route, asking, form } = session;
  if (asking.is === "asking") return html`<span class="amount skeleton" id="output" aria-busy="true">…</span>`;
  const raw = route ? BigInt(route.outputAmount) : null;
  const text = raw !== null && form.get.token ? shortAmount(raw, form.get.token.decimals, 9) : "0";
  return html`<output class="amount ${raw === null ? "soft" : ""} ${text.length > 9 ? "long" : ""}" title=${text} id="output" for="amount" data-raw=${route?.outputAmount ?? ""}>${text}</output>`;
}

function received(session: Session): TemplateResult {
  const { route, form } = session;
  if (!route) return html`<span class="soft">&nbsp;</span>`;
  const { bps } = lossOf(form, route, session.warned);
  const said = bps === null ? "" : bps >= WARN_BPS ? html`<strong class=${bps >= 1000 ? "bad" : "mind"}> (−${formatBps(bps)})</strong>` : html` (${formatBps(-bps)})`;
  return html`<span class="soft" id="get-usd">${worth(form.get, BigInt(route.outputAmount))}${said}</span>`;
}
