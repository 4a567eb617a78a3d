// What is chosen beyond pair and amount: who is refunded, a tip, who pays the network, a call on arrival. Pure.

import { addressFault } from "./addresses.ts";
import type { DestinationCall, Extras, Sponsor } from "./extras.ts";
import { type Form, isOnSolana } from "./form.ts";

/** Tips that are offered, in lamports. */
export const TIPS = ["10000", "100000", "1000000"] as const;

/** What the page around the element has chosen. */
export interface PageChoices {
  readonly call?: DestinationCall | null;
  readonly sponsor?: Sponsor | null;
}

/** Returns whether a bridge takes part, which may be held to whom it refunds. */
export const takesRefund = ({ pay, get }: Pick<Form, "pay" | "get">): boolean =>
  Boolean(pay.chain && get.chain) && pay.chain?.id !== get.chain?.id;

/** Returns whom the form names for refunds; "" for the wallet that pays. */
export const refundOf = (form: Form): string => (takesRefund(form) ? (form.refundTo ?? "").trim() : "");

/** Says what is wrong with that address; "" while nothing is. */
export function refundFault(form: Form): string {
  const text = refundOf(form);
  return text && addressFault(form.pay.chain?.chainType ?? "EVM", text);
}

/** Returns what a transfer is held to of the choices. */
export const kept = (form: Form): { refundTo?: string; tip?: string } => ({
  ...(refundOf(form) && { refundTo: refundOf(form) }),
  ...(isOnSolana(form) && form.tip && { tip: form.tip }),
});

/** Writes the choices as a part of a question. */
export function choicesOf(form: Form, { call, sponsor }: PageChoices): Extras {
  const refundTo = refundOf(form);
  return {
    ...(refundTo && { refundTo }),
    ...(isOnSolana(form) && form.tip && { jitoTip: form.tip }),
    ...(isOnSolana(form) && sponsor && { feePayer: sponsor.address }),
    // It is the page's wish wherever the form leads: where it cannot be, the service says so.
    ...(call && { destinationCall: call }),
  };
}
