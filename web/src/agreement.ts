// Which loss of value was agreed to, and whether what is to be signed now keeps to it.

import { type Loss, needsYes } from "./loss.ts";

/** A loss as it was shown, and whether somebody has said yes to it. */
export interface ShownLoss {
  shown: Loss;
  agreed: boolean;
  /** The minimum that was said yes to, where it is not the plan's. */
  least?: string;
}

/** The network's fee moves between two answers; no more than this is taken for that. */
const SLACK_BPS = 100;

const most = ({ bps, worst }: Loss): number => Math.max(bps ?? 0, worst ?? 0);

/** Returns whether a step may go to the wallet: it needs no confirmation, or loses no more than was confirmed. */
export function accepted(now: Loss, before: ShownLoss | null): boolean {
  if (now.bps !== null && !needsYes(now)) return true;
  if (!before) return false;
  // Of a token on no list the form knows more than the lists do; the minimum holds in any case.
  if (now.bps === null) return before.agreed || !needsYes(before.shown);
  return before.agreed && before.shown.bps !== null && most(now) <= most(before.shown) + SLACK_BPS;
}
