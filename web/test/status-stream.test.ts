// What the service tells by itself: followed as long as it comes, and asked for where it does not.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Api } from "../src/api.ts";
import type { Leg } from "../src/history.ts";
import { StatusStream } from "../src/status-stream.ts";
import { follow } from "../src/transfer-status.ts";
import { FakeApi, FakeStream, FakeWallet, HASH, settled, status, transfer } from "./fakes.ts";
import { chain, step } from "./made.ts";

const [HEARTBEAT, BEGIN] = [": still here\n\n", "retry: 2000\n\n"];

interface Service {
  /** The streams that were opened, in their order. */
  streams: FakeStream[];
  /** How it answers the next ones that ask for a stream; it opens one where this is null. */
  refusal: Response | null;
  open: (id: string, signal: AbortSignal) => Promise<Response>;
}

function service(): Service {
  const made: Service = {
    streams: [],
    refusal: null,
    open: async (_, signal) => {
      const stream = new FakeStream(signal);
      made.streams.push(stream);
      return made.refusal ?? stream.response;
    },
  };
  return made;
}

/** Lets time go on; streams take turns of the event loop, which promises alone do not. */
async function after(context: TestContext, milliseconds: number): Promise<void> {
  for (let passed = 0; passed <= milliseconds; passed += 500) {
    context.mock.timers.tick(passed ? 500 : 0);
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await settled();
  }
}

function clock(context: TestContext): void {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  context.mock.method(Math, "random", () => 0);
}

async function followed(context: TestContext, told: Service, state = "left"): Promise<[FakeApi, Leg, () => boolean]> {
  clock(context);
  const [api, wallet] = [new FakeApi(), new FakeWallet()];
  const whole = transfer({}, [step({ type: "bridge" })]);
  const leg = whole.legs[0] as Leg;
  Object.assign(leg, { state, hash: HASH, transactionId: "0xid", sentAt: Date.now() });
  let ended = false;
  const task = {
    api: api as unknown as Api,
    open: told.open,
    places: { open: 0 },
    transfer: whole,
    reader: async () => wallet.read,
    calls: () => null,
    chain: chain(),
    keep: () => undefined,
    signal: new AbortController().signal,
  };
  void follow(task).then(() => {
    ended = true;
  });
  await after(context, 0);
  return [api, leg, () => ended];
}

test("a transfer ends by what is told, and the service is never asked", async (context) => {
  const told = service();
  const [api, leg, ended] = await followed(context, told);
  const [stream] = told.streams as [FakeStream];
  void stream.send(BEGIN);
  void stream.tell("transaction.status", status("bridge_pending", { destTxHash: "0xdd" }));
  await after(context, 30_000);
  assert.deepEqual([leg.state, leg.destination], ["left", "0xdd"]);
  for (let minute = 0; minute < 10; minute += 1) {
    void stream.send(HEARTBEAT);
    await after(context, 30_000);
  }
  // Cut in the middle of a character.
  const word = JSON.stringify({ data: status("success", { substatus: "für" }) });
  const last = new TextEncoder().encode(`event: transaction.final\ndata: ${word}\n\n`);
  const place = last.indexOf(0xc3) + 1;
  void stream.sendBytes(last.slice(0, place));
  void stream.sendBytes(last.slice(place));
  await after(context, 0);
  assert.deepEqual([leg.state, leg.substatus, ended(), api.asked, told.streams.length], ["done", "für", true, 0, 1]);
  assert.equal(stream.isRead, false);
});

test("a chain is read until the service has seen it, without asking the service", async (context) => {
  const told = service();
  const [api, leg] = await followed(context, told, "sent");
  void told.streams[0]?.send(BEGIN);
  await after(context, 20_000);
  assert.deepEqual([leg.state, api.asked], ["sent", 0]);
  void told.streams[0]?.tell("transaction.seen", status("bridge_pending"));
  await after(context, 0);
  assert.deepEqual([leg.state, api.asked], ["left", 0]);
});

test("what is cut off is asked for, until it is told again", async (context) => {
  const told = service();
  const [api, leg] = await followed(context, told);
  void told.streams[0]?.tell("transaction.status", status("bridge_pending"));
  await after(context, 30_000);
  void told.streams[0]?.send(HEARTBEAT);
  await after(context, 15_000);
  api.statuses = [status("bridge_pending", { destTxHash: "0xaa" })];
  await told.streams[0]?.cut();
  await after(context, 500);
  assert.deepEqual([api.asked, leg.destination, told.streams.length], [1, "0xaa", 1]);
  await after(context, 3000);
  assert.equal(told.streams.length, 2);
  void told.streams[1]?.tell("transaction.status", status("bridge_pending", { destTxHash: "0xbb" }));
  await after(context, 0);
  const { asked } = api;
  await after(context, 30_000);
  assert.deepEqual([api.asked, leg.destination], [asked, "0xbb"]);
});

test("what is cut off as soon as it begins is opened ever more seldom", async (context) => {
  const told = service();
  const [api] = await followed(context, told);
  for (let second = 0; second < 600; second += 1) {
    await told.streams
      .at(-1)
      ?.cut()
      .catch(() => undefined);
    await after(context, 500);
  }
  assert.ok(told.streams.length <= 7, String(told.streams.length));
  assert.ok(api.asked <= 30, String(api.asked));
});

test("who falls silent is left, and asked for", async (context) => {
  const told = service();
  const [api] = await followed(context, told);
  void told.streams[0]?.send(BEGIN);
  await after(context, 35_000);
  assert.deepEqual([api.asked, told.streams[0]?.isRead], [0, true]);
  await after(context, 6000);
  assert.equal(told.streams[0]?.isRead, false);
  assert.ok(api.asked > 0);
});

test("what does not come through is tried again ever more seldom, and asked for meanwhile", async (context) => {
  const told = service();
  const [api, leg, ended] = await followed(context, told);
  await after(context, 9000);
  assert.ok(api.asked >= 3, String(api.asked));
  await after(context, 15 * 60_000);
  assert.ok(told.streams.length >= 4 && told.streams.length <= 8, String(told.streams.length));
  assert.ok(told.streams.slice(0, -1).every(({ isRead }) => !isRead));
  api.statuses = [status("success")];
  await after(context, 60_000);
  assert.deepEqual([leg.state, ended()], ["done", true]);
});

for (const [what, refusal, again] of [
  ["404", new Response("", { status: 404 }), 1],
  ["204", new Response(null, { status: 204 }), 1],
  ["a page of a proxy", new Response("<p>", { headers: { "content-type": "text/html" } }), 1],
  ["429 for a minute", new Response("", { status: 429, headers: { "retry-after": "60" } }), 3],
  ["503", new Response("", { status: 503 }), 4],
] as const) {
  test(`refused by ${what}, the service is asked`, async (context) => {
    const told = service();
    told.refusal = refusal;
    const [api, , ended] = await followed(context, told);
    assert.equal(api.asked, 1);
    await after(context, 150_000);
    assert.deepEqual([told.streams.length, ended()], [again, false]);
    assert.ok(api.asked >= 12 && api.asked <= 20, String(api.asked));
  });
}

test("a page that nobody looks at leaves its connection to others", async (context) => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const turn = (hidden: boolean): void => {
    page.visibilityState = hidden ? "hidden" : "visible";
    page.dispatchEvent(new Event("visibilitychange"));
  };
  Object.assign(globalThis, { document: page });
  context.after(() => Reflect.deleteProperty(globalThis, "document"));
  const told = service();
  const [api, leg] = await followed(context, told);
  void told.streams[0]?.tell("transaction.status", status("bridge_pending"));
  await after(context, 0);
  turn(true);
  await after(context, 60_000);
  assert.deepEqual([told.streams.length, told.streams[0]?.isRead], [1, false]);
  const { asked } = api;
  assert.ok(asked > 0);
  turn(false);
  await after(context, 0);
  void told.streams[1]?.tell("transaction.final", status("refunded"));
  await after(context, 0);
  assert.deepEqual([leg.state, api.asked], ["refunded", asked]);
});

test("only two are open at once, and one that waits takes the place of one that has ended", async (context) => {
  clock(context);
  const [told, places] = [service(), { open: 0 }];
  const left = [1, 2, 3].map(() => new AbortController());
  const streams = left.map(({ signal }) => new StatusStream(told.open, places, signal));
  for (const each of streams) each.follow("0xid");
  await after(context, 0);
  assert.deepEqual([told.streams.length, places.open, streams[2]?.isOpening], [2, 2, false]);
  left[0]?.abort();
  await after(context, 3000);
  assert.deepEqual([told.streams.length, places.open], [3, 2]);
  for (const each of left) each.abort();
  await after(context, 3000);
  assert.equal(places.open, 0);
});

test("what a reorganisation has removed is not seen any more", async (context) => {
  clock(context);
  const told = service();
  const stream = new StatusStream(told.open, { open: 0 }, new AbortController().signal);
  stream.follow("0xid");
  await after(context, 0);
  void told.streams[0]?.tell("transaction.status", status("bridge_pending"));
  await after(context, 0);
  assert.equal(stream.word?.status, "bridge_pending");
  void told.streams[0]?.tell("transaction.withdrawn", status("bridge_pending"));
  await after(context, 0);
  assert.equal(stream.word, null);
});
