// Sends what was agreed to, and tells each step in a list.

import { securePage } from "./addresses.js";
import { formatAmount } from "./amounts.js";
import { make, shorten } from "./dom.js";
import { follow } from "./crossing.js";
import { PriceMoved, sail } from "./voyage.js";
import { walletError } from "./wallets.js";

/** Makes `log(name, state, text, hash, chain)`: one line a step, its hash linked where the chain has a secure explorer. */
function logbook(list, home) {
  const lines = new Map();
  return (name, state, text, hash, chain = home) => {
    list.hidden = false;
    if (!lines.has(name)) list.append(lines.set(name, make("li")).get(name));
    const explorer = securePage(chain.blockExplorerUrls ?? "") && chain.blockExplorerUrls.replace(/\/$/, "");
    const link = hash && explorer ? make("a", { href: `${explorer}/tx/${hash}`, rel: "noreferrer", target: "_blank", text: shorten(hash) }) : null;
    lines.get(name).className = state;
    lines.get(name).replaceChildren(make("span", {}, `${text} `, link ?? (hash ? make("code", { text: hash }) : null)));
  };
}

/** Answers the bridge's own page of a transfer, as a link; null where the answer names none that is https. */
export function bridgePage(quote, hash) {
  const text = String(quote.bridgeScan?.url ?? "");
  if (text.includes("{txHash}") && !hash) return null;
  const page = securePage(text.replaceAll("{txHash}", hash ?? ""));
  return page && make("a", { href: page.href, rel: "noreferrer", target: "_blank", text: `${quote.adapter}'s own page of it, at ${page.host}` });
}

/**
 * Goes: `again` asks the same question anew, `list` takes the steps, `integrator` is whom it counts for, `landed` is called
 * when no more is asked of the wallet, `sent` when the transaction is in a block. Answers whether it was sent. A transfer is followed for as long as the list is shown.
 */
export async function go({ wallet, trip, again, list, integrator, landed, sent }) {
  const log = logbook(list, trip.chain);
  let done;
  try {
    done = await sail({ wallet, chain: trip.chain, trip, again, log });
  } catch (error) {
    log("failed", "failed", error instanceof PriceMoved ? "The price fell below what you agreed to. Nothing was sent: ask again" : walletError(error));
    return false;
  } finally {
    landed();
  }
  sent();
  const { quote, hash, receipt, arrivals } = done;
  log("id", "done", `${integrator ? `${integrator} sees it in the portal; its` : "Its"} tracking ID is`, quote.transactionId);
  if (trip.crossing) {
    Object.assign(list.dataset, { state: "under way", title: `${formatAmount(quote.inputAmount, trip.pay.decimals)} ${trip.pay.symbol} to ${trip.there.name}` });
    const page = bridgePage(quote, hash);
    if (page) list.append(make("li", { class: "done" }, make("span", {}, page)));
    const voyage = { ...trip, quote, receiver: trip.receiver ?? wallet.address };
    await follow(voyage, { arrivals, block: BigInt(receipt.blockNumber), wanted: () => list.isConnected, log });
  }
  return true;
}
