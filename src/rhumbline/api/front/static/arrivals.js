// What arrives at a wallet, as a chain's own node tells: logged transfers of a token, or the growth of native money.

import { NATIVE, same, word } from "./target.js";

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
// What public nodes answer at once without complaint.
const RANGE = 400n;
// Behind a load balancer some nodes lag, and the newest blocks may be exchanged.
const OVERLAP = 12n;

const hex = (number) => `0x${number.toString(16)}`;
const max = (a, b) => (a > b ? a : b);

/**
 * Watches for one payment of `token` to `owner` after block `since` (the head, where none is given), of `least` to `most`
 * raw units; `call` is a node. Answers a function that looks again: `{raw, block, hash}`, or null while nothing is there;
 * `hash` is null where no plain transaction of that block explains it. Throws what the node throws.
 */
export async function watch({ call, token, owner, least, most, since }) {
  const begin = since ?? BigInt(await call("eth_blockNumber"));
  if (!same(token, NATIVE)) return tokenWatch({ call, token, owner, least, most, begin });
  const balance = async (block) => BigInt(await call("eth_getBalance", owner, hex(block)));
  return nativeWatch({ call, owner, least, most, begin, balance, before: await balance(begin) });
}

function tokenWatch({ call, token, owner, least, most, begin }) {
  let from = begin + 1n;
  return async () => {
    const head = BigInt(await call("eth_blockNumber"));
    while (from <= head) {
      const to = from + RANGE < head ? from + RANGE : head;
      const logs = await call("eth_getLogs", { address: token, fromBlock: hex(from), toBlock: hex(to), topics: [TRANSFER, null, `0x${word(owner)}`] });
      for (const log of logs) {
        const raw = log.topics.length === 3 ? BigInt(log.data) : 0n;
        if (raw >= least && raw <= most) return { raw, block: BigInt(log.blockNumber), hash: log.transactionHash };
      }
      if (to === head) {
        from = max(begin + 1n, head - OVERLAP);
        return null;
      }
      from = to + 1n;
    }
    return null;
  };
}

function nativeWatch({ call, owner, least, most, begin, balance, before }) {
  let low = begin;
  return async () => {
    const head = BigInt(await call("eth_blockNumber"));
    if (head <= low) return null;
    const now = await balance(head);
    if (now - before < least) {
      low = max(begin, head - OVERLAP);
      return null;
    }
    const block = await crossed(balance, before + least, low, head);
    return { raw: now - before, block, hash: await paying(call, owner, least, most, block) };
  };
}

/** Finds a block at whose end the balance has come to `wanted`, where it had not at the end of the one before. */
async function crossed(balance, wanted, below, above) {
  let [low, high] = [below, above];
  try {
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if ((await balance(middle)) >= wanted) high = middle;
      else low = middle;
    }
    return high;
  } catch {
    // Not every node keeps old balances; then it is known that it arrived, and not when.
    return null;
  }
}

async function paying(call, owner, least, most, block) {
  if (block === null) return null;
  const { transactions } = await call("eth_getBlockByNumber", hex(block), true);
  const found = transactions.find(({ to, value }) => to && same(to, owner) && BigInt(value) >= least && BigInt(value) <= most);
  return found?.hash ?? null;
}
