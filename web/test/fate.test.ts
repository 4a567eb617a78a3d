// What became of a transaction, by a node that answers from a short chain.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accepted } from "../src/agreement.ts";
import { fateOf, type Trace } from "../src/fate.ts";
import type { Read } from "../src/wallet/nodes.ts";
import { A, B, T } from "./made.ts";

const call = { to: A, value: "0x5", data: "0xabcd" };
const mine = { hash: "0x01", from: B, nonce: "0x7", to: A, value: "0x5", input: "0xabcd" };
type Sent = typeof mine;

/** A node of 100 blocks: transactions by the block that they are in, -1 for none yet. */
const node =
  (sent: [number, Sent][], head = 99): Read =>
  async (method, ...params) => {
    const [first, second] = params as string[];
    if (method === "eth_blockNumber") return `0x${head.toString(16)}`;
    if (method === "eth_getTransactionByHash") return sent.find(([, { hash }]) => hash === first)?.[1] ?? null;
    if (method === "eth_getTransactionReceipt")
      return sent.some(([block, { hash }]) => hash === first && block >= 0) ? { status: "0x1" } : null;
    if (method === "eth_getBlockByNumber")
      return { transactions: sent.filter(([block]) => block === Number(first)).map(([, each]) => each) };
    assert.equal(method, "eth_getTransactionCount");
    const until = second === "latest" ? head : Number(second);
    const counted = sent.filter(([block, { from }]) => from === first && block >= 0 && block <= until);
    return `0x${Math.max(0, ...counted.map(([, { nonce }]) => Number(nonce) + 1)).toString(16)}`;
  };
const trace = (changes: Partial<Trace> = {}): Trace => ({
  hash: "0x01",
  nonce: 7,
  block: 40,
  call,
  seen: true,
  ...changes,
});
const before: [number, Sent] = [12, { ...mine, hash: "0x00", nonce: "0x6" }];

test("what a node shows is mined, or waits, with its own nonce", async () => {
  assert.equal((await fateOf(node([before, [60, mine]]), B, trace())).is, "mined");
  const known = trace({ nonce: 3, seen: false });
  assert.equal((await fateOf(node([before, [-1, mine]]), B, known)).is, "waiting");
  assert.deepEqual([known.nonce, known.seen], [7, true]);
  const bundled = trace();
  assert.equal((await fateOf(node([before, [-1, { ...mine, from: T }]]), B, bundled)).is, "waiting");
  assert.equal(bundled.nonce, undefined);
});

test("the same call in its place has replaced it, another one has cancelled it", async () => {
  for (const block of [41, 60, 99]) {
    assert.deepEqual(
      await fateOf(node([before, [block, { ...mine, hash: "0x02", input: "0xABCD0f" }]]), B, trace({ seen: false })),
      { is: "replaced", hash: "0x02" },
    );
    for (const other of [{ to: T }, { value: "0x6" }, { input: "0xabce" }]) {
      assert.deepEqual(await fateOf(node([before, [block, { ...mine, ...other, hash: "0x02" }]]), B, trace()), {
        is: "cancelled",
        hash: "0x02",
      });
    }
  }
});

test("a guess proves nothing, nor does a node that has forgotten", async () => {
  const other: [number, Sent] = [60, { ...mine, to: T, hash: "0x02" }];
  assert.equal((await fateOf(node([before, other]), B, trace({ seen: false }))).is, "gone");
  assert.equal((await fateOf(node([before, other]), B, trace({ block: undefined }))).is, "gone");
  assert.equal((await fateOf(node([before, other]), B, trace({ nonce: undefined }))).is, "unknown");
  const forgetful: Read = (method, ...params) =>
    method === "eth_getBlockByNumber" ? Promise.reject(new Error("pruned")) : node([before, other])(method, ...params);
  assert.equal((await fateOf(forgetful, B, trace())).is, "gone");
});

test("what was seen and is nowhere is missing, what was never seen is unknown", async () => {
  assert.equal((await fateOf(node([before]), B, trace())).is, "missing");
  assert.equal((await fateOf(node([before]), B, trace({ seen: false }))).is, "unknown");
});

test("a yes is for the loss that was shown, and hardly more", () => {
  const loss = (bps: number | null, worst = bps) => ({ bps, worst });
  const shown = (bps: number | null, agreed = true) => ({ shown: loss(bps), agreed });
  assert.ok(
    accepted(loss(999), null) &&
      accepted(loss(1200), shown(1156)) &&
      accepted(loss(null), shown(null)) &&
      accepted(loss(null), shown(50, false)),
  );
  for (const [now, given] of [
    [1000, null],
    [null, null],
    [1000, shown(1000, false)],
    [1257, shown(1156)],
    [1000, shown(null)],
    [null, shown(null, false)],
  ] as const)
    assert.ok(!accepted(loss(now), given));
  assert.ok(!accepted(loss(100, 1000), null));
});
