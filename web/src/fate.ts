// What has become of a transaction, by its place in the wallet's own order: a chain takes each place once.

import { same } from "./addresses.ts";
import type { Call } from "./api.ts";
import type { Receipt } from "./wallet/evm.ts";
import type { Read } from "./wallet/nodes.ts";

export interface Trace {
  hash?: string;
  nonce?: number;
  /** A block before it was sent. */
  block?: number;
  /** What was asked for, to know it again under another hash. */
  call?: Call;
  /** Whether a node has shown it, so that its nonce is sure. */
  seen?: boolean;
}

/**
 * "unknown": never seen, and nothing speaks against it; "missing": seen before, and the node has it no more, though its
 * place is free; "gone": its place is taken, nobody tells by what; "replaced" by the same call; "cancelled" by another.
 */
export type Fate =
  | { is: "mined"; receipt: Receipt }
  | { is: "waiting" | "unknown" | "missing" | "gone" }
  | { is: "replaced" | "cancelled"; hash: string };

interface Found {
  hash: string;
  from: string;
  nonce: string;
  to: string | null;
  value: string;
  input: string;
}

/** Finds out how a transaction stands, and notes in `trace` what was learned; throws what the node throws. */
export async function fateOf(read: Read, from: string, trace: Trace): Promise<Fate> {
  const receipt = (await read("eth_getTransactionReceipt", trace.hash)) as Receipt | null;
  if (receipt) return { is: "mined", receipt };
  const known = (await read("eth_getTransactionByHash", trace.hash)) as Found | null;
  if (known) {
    trace.seen = true;
    // What a bundler has sent for a wallet stands in the bundler's order.
    if (same(known.from, from)) trace.nonce = Number(BigInt(known.nonce));
    else delete trace.nonce;
    return { is: "waiting" };
  }
  if (trace.nonce === undefined) return { is: "unknown" };
  if ((await countOf(read, from, "latest")) <= trace.nonce) return { is: trace.seen ? "missing" : "unknown" };
  const taker = await takerOf(read, from, trace).catch(() => null);
  if (!taker) return { is: "gone" };
  if (taker.hash === trace.hash) return { is: "waiting" };
  if (trace.call && alike(taker, trace.call)) return { is: "replaced", hash: taker.hash };
  // A nonce that was only guessed says nothing of what stands in its place.
  return trace.seen ? { is: "cancelled", hash: taker.hash } : { is: "gone" };
}

const countOf = async (read: Read, from: string, block: string): Promise<number> =>
  Number(BigInt((await read("eth_getTransactionCount", from, block)) as string));
const hex = (block: number): string => `0x${block.toString(16)}`;

/** Finds the transaction that took the place: in the first block after which the wallet's count is beyond it. */
async function takerOf(read: Read, from: string, { nonce = 0, block }: Trace): Promise<Found | null> {
  let above = Number(BigInt((await read("eth_blockNumber")) as string));
  if (block === undefined || (await countOf(read, from, hex(above))) <= nonce) return null;
  for (let below = block; above - below > 1; ) {
    const middle = (above + below) >> 1;
    if ((await countOf(read, from, hex(middle))) > nonce) above = middle;
    else below = middle;
  }
  const found = (await read("eth_getBlockByNumber", hex(above), true)) as { transactions: Found[] } | null;
  return found?.transactions.find((each) => same(each.from, from) && Number(BigInt(each.nonce)) === nonce) ?? null;
}

/** Returns whether a transaction makes this call; wallets may add words of their own behind it. */
const alike = (found: Found, call: Call): boolean =>
  found.to !== null &&
  same(found.to, call.to) &&
  BigInt(found.value) === BigInt(call.value) &&
  found.input.toLowerCase().startsWith(call.data.toLowerCase());
