// What was begun from here: signed by one tab, kept, followed to its end, and taken over from other tabs.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Api } from "../src/api.ts";
import { Stopped } from "../src/execution.ts";
import type { Leg, Transfer } from "../src/history.ts";
import { Transfers } from "../src/transfers.ts";
import { catalog, FakeApi, FakeWallet, HASH, noStream, settled, status, storage, transfer } from "./fakes.ts";
import { chain, step } from "./made.ts";

const KEY = "rhumbline-swap/transfer/t";
const TERMS = { agrees: () => true };
const page = new EventTarget();
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
});

/** Tells the page of what another tab has written, as browsers do. */
const written = (key: string, newValue: string | null): boolean =>
  page.dispatchEvent(Object.assign(new Event("storage"), { key, newValue }));

function made(kept: Storage | null = storage(), chains = [chain()]) {
  const [api, wallet] = [new FakeApi(), new FakeWallet()];
  const ended: string[] = [];
  const told: (string | boolean | undefined)[][] = [];
  const watcher = {
    changed: () => undefined,
    sent: ({ hash }: Leg, later: boolean) => void told.push([hash, later]),
    ended: (_: Transfer, leg: Leg) => void ended.push(leg.state),
  };
  const around = { wallet: () => wallet.wallet, sponsor: () => null };
  const transfers = new Transfers(api as unknown as Api, catalog(chains), kept, watcher, around, noStream);
  const left = new AbortController();
  const sign = (whole: Transfer): Promise<Leg> => transfers.sign(whole, wallet.wallet, TERMS, left.signal);
  return { api, wallet, transfers, ended, told, left, sign, kept };
}

const legOf = (whole: Transfer | null): Leg => (whole?.legs[0] ?? assert.fail()) as Leg;
const stored = (kept: Storage | null): Transfer => JSON.parse(kept?.getItem(KEY) ?? "") as Transfer;

test("what was sent is shown, kept and followed to its end", async () => {
  const { api, wallet, transfers, ended, sign, kept } = made();
  wallet.allowance = 10n ** 9n;
  wallet.receipts.set(HASH, { status: "0x1", logs: [] });
  api.statuses = [status("success")];
  await sign(transfer());
  assert.equal(transfers.current?.id, "t");
  for (let turn = 0; turn < 50 && !ended.length; turn += 1) await new Promise(setImmediate);
  assert.deepEqual([ended, legOf(stored(kept)).state], [["done"], "done"]);
});

test("that it is sent is told once: at once, or when what nobody waited for is found", async () => {
  const at = made();
  at.wallet.allowance = 10n ** 9n;
  at.api.statuses = [status("success")];
  await at.sign(transfer());
  for (let turn = 0; turn < 50 && !at.ended.length; turn += 1) await new Promise(setImmediate);
  assert.deepEqual(at.told, [[HASH, false]]);

  const later = made();
  later.wallet.allowance = 10n ** 9n;
  later.wallet.refusal = new Error("no connection");
  later.api.changes = { transactionId: "0xid", expiresAt: "2999-01-01T00:00:00Z" };
  await assert.rejects(later.sign(transfer()), /gave no clear answer/);
  assert.deepEqual(later.told, []);
  later.transfers.stop();
  const again = made(later.kept);
  again.api.statuses = [status("success")];
  again.transfers.start();
  for (let turn = 0; turn < 50 && !again.ended.length; turn += 1) await new Promise(setImmediate);
  assert.deepEqual([again.told, again.ended], [[[HASH, true]], ["done"]]);
  const third = made(later.kept);
  third.transfers.start();
  assert.deepEqual(third.told, [], "nor by a page that is opened later");
});

test("what never began is forgotten", async () => {
  const { wallet, transfers, sign, kept } = made();
  wallet.refusal = { code: 4001 };
  await assert.rejects(sign(transfer()), { code: 4001 });
  assert.deepEqual([transfers.current, kept?.getItem(KEY)], [null, null]);
});

test("a step that another tab has signed is not sent twice", async () => {
  const { wallet, transfers, sign, kept } = made();
  const whole = transfer();
  transfers.history.put(whole);
  const other = transfer();
  Object.assign(legOf(other), { state: "sent", hash: HASH });
  kept?.setItem(KEY, JSON.stringify(other));
  await assert.rejects(sign(whole), (error) => error instanceof Stopped && /signed already/.test(error.message));
  assert.deepEqual(wallet.sent, []);
});

test("a step of a chain that is served no more is not signed", async () => {
  await assert.rejects(made(storage(), []).sign(transfer()), /not served any more/);
});

test("a wallet that hangs is left, and the step is as it was", async () => {
  const { wallet, transfers, left, sign } = made();
  const whole = transfer();
  wallet.reach = () => new Promise(() => undefined);
  const signing = sign(whole);
  await settled();
  left.abort(new Stopped("left"));
  await assert.rejects(signing, /left/);
  assert.deepEqual([legOf(whole).state, transfers.current], ["ready", null]);
});

test("what was begun works without storage, and goes on with the element's next attributes", async () => {
  const first = made(null);
  await first.sign(transfer());
  const next = made(null);
  next.transfers.inherit(first.transfers);
  assert.equal(legOf(next.transfers.history.get("t")).hash, HASH);
  first.transfers.stop();
});

test("a page that comes back goes on with what is under way, and lets an approval be given again", async () => {
  const kept = storage();
  kept.setItem(KEY, JSON.stringify(transfer({ legs: [{ ...legOf(transfer()), state: "approving" }] })));
  const moving = transfer({
    id: "u",
    created: 2,
    legs: [{ ...legOf(transfer()), state: "sent", hash: HASH, transactionId: "0xid" }],
  });
  kept.setItem(`${KEY.slice(0, -1)}u`, JSON.stringify(moving));
  kept.setItem(`${KEY.slice(0, -1)}v`, JSON.stringify(transfer({ id: "v", api: "https://another" })));
  const { api, transfers } = made(kept);
  transfers.start();
  await settled();
  assert.equal(transfers.current?.id, "u");
  assert.deepEqual([legOf(transfers.history.get("t")).state, api.asked], ["ready", 1]);
  assert.equal(transfers.history.get("v"), null, "another service's are not shown");
  transfers.stop();
});

test("what another tab does is seen here", async () => {
  const { api, transfers, kept } = made();
  transfers.start();
  const whole = transfer({}, [step()]);
  transfers.history.put(whole);
  transfers.current = whole;
  const sent = transfer({ legs: [{ ...legOf(whole), state: "sent", hash: HASH, transactionId: "0xid" }] });
  written(KEY, JSON.stringify(sent));
  await settled();
  assert.equal(transfers.current, whole, "whoever holds it holds it on");
  assert.deepEqual([legOf(whole).hash, api.asked], [HASH, 1]);
  written(KEY, "{");
  written("another", "{}");
  assert.equal(legOf(transfers.current).hash, HASH);
  kept?.removeItem(KEY);
  written(KEY, null);
  assert.deepEqual([transfers.current, transfers.history.get("t")], [null, null]);
  transfers.stop();
});
