// What becomes of a transfer that was sent: by a node's receipts and the service's word, asked ever more seldom.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Api, ApiError } from "../src/api.ts";
import type { Leg } from "../src/history.ts";
import { type FollowTask, follow } from "../src/transfer-status.ts";
import { FakeApi, FakeWallet, HASH, noStream, settled, status, transfer } from "./fakes.ts";
import { A, B, chain, step, T, U } from "./made.ts";

const MINUTE = 60_000;
const topic = (address: string): string => `0x${address.slice(2).padStart(64, "0")}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

interface Watched {
  api: FakeApi;
  wallet: FakeWallet;
  leg: Leg;
  left: AbortController;
  kept: () => number;
  ended: () => boolean;
  /** Lets time go on. */
  after: (milliseconds: number) => Promise<void>;
}

async function watched(
  context: TestContext,
  changes: Partial<Leg> = {},
  { type = "swap", task = {} }: { type?: string; task?: Partial<FollowTask> } = {},
  prepare: (api: FakeApi, wallet: FakeWallet) => void = () => undefined,
): Promise<Watched> {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const [api, wallet, left] = [new FakeApi(), new FakeWallet(), new AbortController()];
  prepare(api, wallet);
  const whole = transfer({}, [step({ type })]);
  const leg = whole.legs[0] as Leg;
  Object.assign(leg, { state: "sent", hash: HASH, transactionId: "0xid", sentAt: Date.now() }, changes);
  let [kept, ended] = [0, false];
  const following = follow({
    api: api as unknown as Api,
    open: noStream,
    places: { open: 0 },
    transfer: whole,
    reader: async () => wallet.read,
    calls: () => (id) => wallet.read("wallet_getCallsStatus", id),
    chain: chain(),
    keep: () => {
      kept += 1;
    },
    signal: left.signal,
    ...task,
  });
  void following.then(() => {
    ended = true;
  });
  await settled();
  const after = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 500) {
      context.mock.timers.tick(500);
      await settled();
    }
  };
  return { api, wallet, leg, left, kept: () => kept, ended: () => ended, after };
}

const mined = (changes: object = {}): object => ({ status: "0x1", logs: [], ...changes });

test("a swap that is in a block has brought what its logs say to the receiver", async (context) => {
  const log = { address: U.toUpperCase().replace("X", "x"), topics: [TRANSFER, topic(A), topic(B)], data: "0x5" };
  const others = [
    { ...log, address: T },
    { ...log, topics: [TRANSFER, topic(B), topic(A)] },
    { ...log, topics: [] },
  ];
  const { leg, after, ended } = await watched(context, {}, {}, (api, wallet) => {
    wallet.receipts.set(HASH, mined({ logs: [log, log, ...others] }));
    api.statuses = [status("bridge_pending"), status("success")];
  });
  assert.deepEqual([leg.state, leg.received], ["left", "10"]);
  await after(2000);
  assert.deepEqual([leg.state, ended()], ["done", true]);
});

test("what the chain reverts has failed, and nobody is asked about it", async (context) => {
  const { api, leg, ended } = await watched(context, {}, {}, (_, wallet) => {
    wallet.receipts.set(HASH, mined({ status: "0x0" }));
  });
  assert.deepEqual([leg.state, leg.reverted, api.asked, ended()], ["failed", true, 0, true]);
});

test("the service's word ends a transfer to another chain", async (context) => {
  const { api, leg, after, ended } = await watched(context, {}, { type: "bridge" }, (api) => {
    api.statuses = [status("bridge_pending")];
  });
  assert.equal(leg.state, "left");
  await after(MINUTE);
  assert.ok(!ended());
  api.statuses = [status("refunded", { outputAmountRaw: "3", destTxHash: "0xdd" })];
  await after(2 * MINUTE);
  assert.deepEqual([leg.state, leg.received, leg.destination, ended()], ["refunded", "3", "0xdd", true]);
});

test("a status that nobody knows keeps a transfer on its way", async (context) => {
  const { leg } = await watched(context, {}, {}, (api) => {
    api.statuses = [status("constructor")];
  });
  assert.equal(leg.state, "left");
});

test("the service is asked ever more seldom", async (context) => {
  const { api, after } = await watched(context);
  await after(MINUTE);
  const first = api.asked;
  assert.ok(first >= 8 && first <= 16, String(first));
  await after(10 * MINUTE);
  assert.ok(api.asked - first >= 9 && api.asked - first <= 14, String(api.asked - first));
});

test("what nobody has seen long after its end was never sent, but what may be waiting is followed", async (context) => {
  const end = { expiresAt: new Date(1_000_000 + MINUTE).toISOString() };
  const unsigned = await watched(context, { ...end, state: "signing", hash: undefined });
  await unsigned.after(2 * MINUTE);
  assert.equal(unsigned.leg.state, "signing");
  await unsigned.after(3 * MINUTE);
  assert.deepEqual([unsigned.leg.state, unsigned.ended()], ["dropped", true]);
});

test("a service that is out of reach drops nothing", async (context) => {
  const end = { expiresAt: new Date(1_000_000).toISOString() };
  const { leg, after } = await watched(context, end, {}, (api) => {
    api.statusError = new ApiError("UNREACHABLE", "");
  });
  await after(10 * MINUTE);
  assert.equal(leg.state, "sent");
});

test("a batch is known by its first hash", async (context) => {
  const { leg, kept } = await watched(context, { hash: undefined, batch: "batch" });
  assert.deepEqual([leg.hash, kept() > 0], [HASH, true]);
});

test("a transaction on Solana is in a block once its signature is confirmed", async (context) => {
  let found: object | null = null;
  const task = { chain: chain({ chainType: "SVM" }), reader: async () => async () => ({ value: [found] }) };
  const { leg, after } = await watched(context, {}, { task });
  found = { err: null, confirmationStatus: "processed" };
  await after(2000);
  assert.equal(leg.state, "sent");
  found = { err: null, confirmationStatus: "confirmed" };
  await after(4000);
  assert.equal(leg.state, "left");
});

test("nobody is asked once nobody looks any more", async (context) => {
  const { api, left, ended, after } = await watched(context);
  left.abort();
  await settled();
  const { asked } = api;
  await after(MINUTE);
  assert.deepEqual([ended(), api.asked], [true, asked]);
});
