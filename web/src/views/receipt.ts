// The end of a transfer: what was sent and received, at which rate, for which fees, and a link to share.

import { html, nothing, type TemplateResult } from "lit";
import { same } from "../addresses.ts";
import type { Chain, StepToken, Token } from "../api.ts";
import type { Catalog } from "../catalog.ts";
import { type Leg, legOf, type Transfer } from "../history.ts";
import { formatRate } from "../money.ts";
import { paidFees } from "../receipt.ts";
import { texts } from "../texts.ts";
import { feeLine, feeLines } from "./fees.ts";
import { chainLogo, logo } from "./fragments.ts";
import { amountText } from "./quantities.ts";

export interface ReceiptProps {
  readonly api: { base: string };
  readonly catalog: Pick<Catalog, "chain" | "described" | "listed" | "receipts">;
}

const nativeOf =
  ({ catalog }: ReceiptProps) =>
  (chainId: number): Token | null => {
    const native = catalog.chain(chainId)?.nativeToken;
    if (!native) return null;
    return catalog.listed(chainId).find(({ address }) => same(address, native.address)) ?? native;
  };

export function receipt(props: ReceiptProps, transfer: Transfer): TemplateResult | typeof nothing {
  const leg = legOf(transfer);
  if (leg.state !== "done") return nothing;
  const { pay, get, amount } = transfer;
  const { catalog } = props;
  const rate = leg.received
    ? `1 ${pay.symbol} = ${formatRate(BigInt(amount), pay.decimals, BigInt(leg.received), get.decimals)} ${get.symbol}`
    : "";
  const side = (title: string, token: StepToken, text: string, chain: Chain | null): TemplateResult => html`<div>
    <p class="label">${title}</p>
    <p class="sum">${logo(props.api.base, catalog.described(token), 28)}<bdi class="number">${text}</bdi></p>
    <p class="small soft at">${chain ? chainLogo(props.api.base, chain) : nothing}
      ${texts.onChain(chain?.name ?? String(token.chainId))}</p>
  </div>`;
  const got = leg.received ? amountText(leg.received, get) : get.symbol;
  return html`<section class="receipt" aria-label=${texts.receiptTitle}>
    <div class="receipt-sides">
      ${side(texts.sent, pay, amountText(amount, pay), catalog.chain(pay.chainId))}
      ${side(texts.received, get, got, catalog.chain(get.chainId))}
    </div>
    <table class="fees"><tbody>
      ${rate ? html`<tr><th scope="row">${texts.rate}</th><td class="end number">${rate}</td></tr>` : nothing}
      ${feeLines(paidFees(transfer.legs, nativeOf(props))).map(feeLine)}
    </tbody></table>
    ${share(props, transfer.legs)}
  </section>`;
}

/** The page of the last leg that can be shown around. */
function share({ catalog: { receipts } }: ReceiptProps, legs: readonly Leg[]): TemplateResult | typeof nothing {
  const id = legs
    .map(({ transactionId }) => transactionId)
    .filter(Boolean)
    .at(-1);
  if (!receipts || !id) return nothing;
  const page = `${receipts}${id}`;
  const copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement;
    await navigator.clipboard.writeText(page);
    button.textContent = texts.copied;
  };
  const copyButton = html`<button type="button" class="plain small copy" @click=${copy}>${texts.copyLink}</button>`;
  return html`<p class="share"><a href=${page} target="_blank" rel="noreferrer">${texts.shareReceipt}</a>
    ${navigator.clipboard ? copyButton : nothing}</p>`;
}
