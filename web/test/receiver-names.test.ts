import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { Form } from "../src/form.ts";
import { isName, lookUpName, ReceiverNames, type ResolveName } from "../src/receiver-names.ts";
import { chain, form, token } from "./made.ts";

const ALICE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BOB = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const answers =
  (answer: unknown): ResolveName =>
  async () =>
    answer as never;
/** Lets what waits for promises go on. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test("a name has labels between dots", () => {
  for (const text of ["a.eth", "pay.a.eth", "0xabc.eth", "é.eth"]) assert.ok(isName(text), text);
  for (const text of ["", "a", ".eth", "a.", "a..eth", "a b.eth", ALICE, "0x", `${"a".repeat(252)}.eth`])
    assert.ok(!isName(text), text);
});

test("what a page resolves is believed only as somebody's address", async () => {
  assert.deepEqual(await lookUpName(answers({ name: "a.eth", address: ALICE.toLowerCase() }), "A.eth", 1), {
    name: "a.eth",
    address: ALICE,
  });
  assert.deepEqual(await lookUpName(answers({ address: ALICE }), "a.eth", 1), { name: "a.eth", address: ALICE });
  for (const address of [
    "",
    "0x",
    `0x${"0".repeat(40)}`,
    `${ALICE}00`,
    ALICE.replace("A", "a"),
    undefined,
    null,
    7,
    {},
  ])
    await assert.rejects(
      lookUpName(answers({ name: "a.eth", address }), "a.eth", 1),
      /names no address/,
      String(address),
    );
  for (const answer of [undefined, null, "a", ALICE, 7])
    await assert.rejects(lookUpName(answers(answer), "a.eth", 1), /names no address/);
  await assert.rejects(
    lookUpName(
      async () => {
        throw new Error("in words");
      },
      "a.eth",
      1,
    ),
    /in words/,
  );
});

test("a page that never answers is not waited for", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const waiting = assert.rejects(
    lookUpName(() => new Promise(() => undefined), "a.eth", 1),
    /in time/,
  );
  context.mock.timers.tick(15_000);
  await waiting;
});

test("the last name counts, and the form has its address", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const known: Record<string, string> = { "a.eth": ALICE, "b.eth": BOB };
  const asked: string[] = [];
  const resolve: ResolveName = async (name, chainId) => {
    asked.push(`${name}:${chainId}`);
    return { name, address: known[name] ?? "" };
  };
  const receivers = mock.fn((_: string) => undefined);
  const names = new ReceiverNames(() => resolve, receivers);
  const typed = (receiver: string, changes: Partial<Form> = {}): Form => names.follow(form({ receiver, ...changes }));
  assert.equal(typed("a.eth").receiver, "a.eth");
  assert.equal(typed("b.eth").receiver, "b.eth");
  context.mock.timers.tick(450);
  await settled();
  assert.deepEqual(asked, ["b.eth:1"]);
  assert.deepEqual(
    receivers.mock.calls.map((call) => call.arguments),
    [[BOB]],
  );
  assert.equal(typed(BOB).receiver, BOB);
  assert.equal(typed("b.eth").receiver, BOB, "the same name is not asked for again");
  const there = { get: { chain: chain({ id: 2 }), token: token("DAI") } };
  assert.equal(typed(BOB, there).receiver, "b.eth", "another chain has its own address");
  context.mock.timers.tick(450);
  await settled();
  assert.deepEqual(asked, ["b.eth:1", "b.eth:2"]);
  const solana = { get: { chain: chain({ id: 3, chainType: "SVM" }), token: token("SOL") } };
  assert.equal(typed(BOB, solana).receiver, "b.eth");
  assert.equal(names.lookup, null, "Solana's addresses are not looked up");
  assert.equal(typed(ALICE).receiver, ALICE);
  assert.equal(names.lookup, null);
  typed("c.eth");
  context.mock.timers.tick(450);
  await settled();
  assert.equal((names.lookup as { refused: string } | null)?.refused, "This name names no address");
});

test("without a page that resolves, a name is no receiver", () => {
  const names = new ReceiverNames(
    () => undefined,
    () => assert.fail("nothing is looked up"),
  );
  assert.equal(names.follow(form({ receiver: "a.eth" })).receiver, "a.eth");
  assert.equal(names.lookup, null);
});
