// What an answer would have a wallet do, and to whom: nothing is signed that is none of these.

import { NATIVE, same } from "./addresses.ts";
import type { Call, Chain, Step } from "./api.ts";
import type { Transfer } from "./history.ts";
import { texts } from "./texts.ts";
import { word } from "./wallet/evm.ts";

const TRANSFER = "0xa9059cbb";
const APPROVE = "0x095ea7b3";

/**
 * "contract" calls the contract that /v1/chains names, and approves to no other. The other forms are a bridge's own,
 * and are sent without any approval: "native" sends native money, what is paid and the fee that was told; "transfer" is
 * a plain transfer of what is paid, to a deposit address. None sends more native money than is paid, with the fee that
 * was told.
 */
export type CallForm = "contract" | "native" | "transfer";

export function diamondOf(chain: Chain): string | null {
  const found = Object.entries(chain).find(([name]) => name.endsWith("Diamond"))?.[1];
  return typeof found === "string" ? found : null;
}

/**
 * Tells the form of a populated step; `listed` are the addresses of its chain's tokens. Null where nothing may be sent.
 */
export function formOf(step: Step, chain: Chain, listed: readonly string[]): CallForm | null {
  const call = step.transactionRequest;
  if (!call) return null;
  const { approvalAddress } = step.estimate;
  const [amount, sent, token] = [BigInt(step.action.fromAmount), BigInt(call.value), step.action.fromToken.address];
  if (sent > (same(token, NATIVE) ? amount : 0n) + nativeFee(step)) return null;
  const diamond = diamondOf(chain);
  if (diamond && same(diamond, call.to)) return !approvalAddress || same(diamond, approvalAddress) ? "contract" : null;
  if (step.type !== "bridge" || approvalAddress || step.approvals?.length) return null;
  if (same(token, NATIVE)) {
    return sent > 0n && !listed.some((address) => same(address, call.to)) ? "native" : null;
  }
  const plain =
    call.data.length === 138 && call.data.startsWith(TRANSFER) && BigInt(`0x${call.data.slice(74)}`) <= amount;
  return plain && sent === 0n && same(token, call.to) ? "transfer" : null;
}

/** Returns whom a form pays: the contract that is called, or the deposit address. */
export function payee(form: CallForm, { to, data }: Call): string {
  return form === "transfer" ? `0x${data.slice(34, 74)}` : to;
}

/** Returns whether the approvals are for exactly the amount and this spender, or take an older one back. */
export function approvalsHold(approvals: Call[], token: string, spender: string, amount: bigint): boolean {
  return (
    approvals.every((call) => same(call.to, token) && BigInt(call.value) === 0n && approved(call, spender) !== null) &&
    approvals
      .map((call) => approved(call, spender))
      .every((raw, place) => raw === (place === approvals.length - 1 ? amount : 0n))
  );
}

/** Returns how much a call approves to the spender; null where it does anything else. */
export function approved({ data }: Call, spender: string): bigint | null {
  const head = APPROVE + word(spender);
  return data.length === 138 && data.toLowerCase().startsWith(head) ? BigInt(`0x${data.slice(74)}`) : null;
}

/** Sums what the bridge takes in native money beside the amount, as the answer's fees tell. */
export function nativeFee(step: Step): bigint {
  const items = step.estimate.fees.breakdown;
  return items
    .filter(
      (item) =>
        item.type === "relayer" &&
        !item.included &&
        item.chainId === step.action.fromChainId &&
        same(item.currencyAddress, NATIVE),
    )
    .reduce((sum, item) => sum + BigInt(item.amount), 0n);
}

const callOf = ({ destinationCall: call }: Step["action"]): string =>
  call ? `${call.target} ${call.calldata}`.toLowerCase() : "";

/** Says why a step that was quoted anew is not what was agreed to; "" where it is. */
export function changed(agreed: Step, now: Step): string {
  const [before, after] = [agreed.action, now.action];
  const alike =
    before.fromAmount === after.fromAmount &&
    before.fromChainId === after.fromChainId &&
    before.toChainId === after.toChainId &&
    same(before.fromToken.address, after.fromToken.address) &&
    same(before.toToken.address, after.toToken.address) &&
    same(before.fromAddress, after.fromAddress) &&
    same(before.toAddress, after.toAddress) &&
    same(before.refundTo ?? "", after.refundTo ?? "") &&
    same(callOf(before), callOf(after)) &&
    agreed.tool === now.tool &&
    BigInt(now.destinationGas?.minAmount ?? 0) >= BigInt(before.destinationGas ?? 0);
  return alike ? "" : texts.answerChanged;
}

/** Says so where a step that leaves the origin's chain would refund another wallet than was named; "" where not. */
export function refundChanged({ refundTo, pay }: Pick<Transfer, "refundTo" | "pay">, { action }: Step): string {
  const leaves = action.fromChainId === pay.chainId && action.toChainId !== pay.chainId;
  return !refundTo || !leaves || same(action.refundTo ?? "", refundTo) ? "" : texts.answerChanged;
}
