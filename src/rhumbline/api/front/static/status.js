// How a transfer stands by the service's own word. Asked ever more seldom: a page that follows one for hours stays far
// below what the public tier allows an address.

import { ask } from "./service.js";

const FIRST_MS = 3000;
const GROWTH = 1.3;
const LONGEST_MS = 120_000;

/** Makes a function that answers the service's last word about a transaction, null before there is any; it asks when that is due. */
export function wordOf(transactionId) {
  let wait = FIRST_MS;
  let due = Date.now() + wait;
  let last = null;
  return async () => {
    if (Date.now() < due) return last;
    wait = Math.min(wait * GROWTH, LONGEST_MS);
    due = Date.now() + wait;
    try {
      last = (await ask(`/v1/status/${transactionId}`)).body;
    } catch {
      // Not seen yet, or not to be had just now: the next word is as good.
    }
    return last;
  };
}
