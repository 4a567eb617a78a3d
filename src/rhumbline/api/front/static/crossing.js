// A transfer to another chain after it was sent: looked for on the chains themselves, and by what the service says of it.
// Only what is seen is said.

import { formatAmount } from "./amounts.js";
import { watch } from "./arrivals.js";
import { nodeOf } from "./nodes.js";
import { wordOf } from "./status.js";

const FIRST_LOOK_MS = 1000;
const LAST_LOOK_MS = 15_000;
// The price ages while a node is awaited.
const LOOKOUT_MS = 5000;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Begins to watch the destination before anything is sent; null where this page cannot look there. */
export async function lookout({ there, get, quote, receiver }) {
  const call = nodeOf(there);
  if (!call) return null;
  const least = BigInt(quote.minOutputAmount ?? quote.outputAmount);
  try {
    // Far more than was promised is somebody else's payment.
    const watching = watch({ call, token: get.address, owner: receiver, least, most: 2n * BigInt(quote.outputAmount) });
    return await Promise.race([watching, sleep(LOOKOUT_MS).then(() => null)]);
  } catch {
    return null;
  }
}

/** Watches the origin for a refund: what comes back is the input less fees, so half of it at the least. */
async function refunds({ chain, pay, quote, sender }, block) {
  const call = nodeOf(chain);
  const amount = BigInt(quote.inputAmount);
  try {
    return call && (await watch({ call, token: pay.address, owner: sender, least: amount / 2n, most: amount, since: block }));
  } catch {
    return null;
  }
}

/**
 * Follows a transfer until it has arrived or come back, or `wanted()` says no; `arrivals` is the lookout's, `block` the
 * one that it left in. Answers "arrived", "refunded", "failed", "unseen" (nobody can be asked) or "left".
 */
export async function follow(trip, { arrivals, block, wanted, log }) {
  const { chain, there, pay, get, quote } = trip;
  const why = there.chainType === "EVM" ? `No public node of ${there.name} answers this page` : `This page cannot look at ${there.name}`;
  if (!arrivals && !quote.transactionId) {
    log("arrive", "doing", `On its way with ${quote.adapter}. ${why}, so it cannot tell when it arrives: look there in your wallet`);
    return "unseen";
  }
  const word = quote.transactionId ? wordOf(quote.transactionId) : async () => null;
  const back = await refunds(trip, block);
  const began = Date.now();
  let said = "";
  for (let wait = FIRST_LOOK_MS; wanted(); wait = Math.min(wait * 1.3, LAST_LOOK_MS)) {
    let words, blind = false;
    // A node that does not answer hides nothing that the service can tell.
    const look = (looking) => looking?.().catch(() => { blind = true; return null; });
    try {
      const arrived = await look(arrivals);
      if (arrived) {
        log("arrive", "done", `${seen(arrived, get)} arrived on ${there.name}${at(arrived)}`, arrived.hash, there);
        return "arrived";
      }
      const returned = await look(back);
      if (returned) {
        log("arrive", "failed", `Refunded, as it seems: nothing arrived on ${there.name}, and ${seen(returned, pay)} came back to you on ${chain.name}${at(returned)}`, returned.hash, chain);
        return "refunded";
      }
      const end = ended(await word(), trip);
      if (end) {
        // What a node shows says more: in which block it came.
        const seenNow = end.name === "arrived" ? await arrivals?.().catch(() => null) : null;
        if (seenNow) log("arrive", "done", `${seen(seenNow, get)} arrived on ${there.name}${at(seenNow)}`, seenNow.hash, there);
        else log("arrive", ...end.line);
        return end.name;
      }
      words = arrivals ? underWay(trip, Date.now() - began) : `On its way with ${quote.adapter}. ${why}, so it goes by what the service sees`;
      if (blind) words = `On its way with ${quote.adapter}, but a public node does not answer just now, so ${quote.transactionId ? "it goes by what the service sees" : "this page sees nothing. It asks again"}`;
    } catch {
      words = `On its way with ${quote.adapter}, but neither a public node nor the service answers just now. It asks again`;
    }
    // Read out by screen readers, so only when there is news.
    if (words !== said) log("arrive", "doing", words);
    said = words;
    await sleep(wait);
  }
  return "left";
}

/** Tells an end that the service knows of; null while there is none. */
function ended(word, { there, get, quote, chain }) {
  if (word?.status === "success" || word?.status === "recovered") {
    const got = word.outputToken ?? { ...get, amountRaw: word.outputAmountRaw };
    const sum = got.amountRaw ? `${formatAmount(BigInt(got.amountRaw), got.decimals)} ${got.symbol} ` : "";
    return { name: "arrived", line: ["done", `${sum || "It has "}arrived on ${there.name}, as the service sees it`, word.destTxHash ?? undefined, there] };
  }
  if (word?.status === "refunded") return { name: "refunded", line: ["failed", `Refunded, as the service sees it: nothing arrived on ${there.name}`, word.destTxHash ?? undefined, chain] };
  if (word?.status === "bridge_failed") return { name: "failed", line: ["failed", `It failed, as ${quote.adapter} says: nothing arrived on ${there.name}`] };
  return null;
}

function underWay({ there, quote }, elapsedMs) {
  const expected = quote.estimatedTimeSec ?? 0;
  const late = elapsedMs > Math.max(3 * expected, 120) * 1000;
  const words = `On its way with ${quote.adapter}: nothing has arrived on ${there.name} yet`;
  return late ? `${words}, ${expected ? `though about ${expected} s were estimated` : "and it takes long"}. The transfer goes on without this page` : `${words}. You may leave this page; the transfer goes on without it`;
}

const seen = ({ raw }, token) => `${formatAmount(raw, token.decimals)} ${token.symbol}`;

function at({ block, hash }) {
  if (block === null) return "; which block brought it, its node does not tell";
  return hash ? ` in block ${block}` : ` in block ${block}; no plain transaction of that block did it, so there is no hash to show`;
}
