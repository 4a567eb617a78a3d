// From a chosen step to a transaction: what is sent, in which order, and what stops it before anything is.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Api } from "../src/api.ts";
import { type ExecutionTask, executeStep, PriceMoved, Stopped, Unsure } from "../src/execution.ts";
import type { Leg, Transfer } from "../src/history.ts";
import { APPROVED, approval, FakeApi, FakeWallet, HASH, transfer } from "./fakes.ts";
import { A, B, chain, step } from "./made.ts";

const CALL = { to: A, value: "0x0", data: "0x12345678" };
const AMOUNT = 10_000_000n;
const approving = { ...step(), approvals: [approval(0n), approval(AMOUNT)], transactionId: "0xid" };

interface Begun {
  task: ExecutionTask;
  api: FakeApi;
  wallet: FakeWallet;
  leg: Leg;
  left: AbortController;
  /** The states that were kept. */
  states: string[];
}

function begun(changes: object = {}, whole: Transfer = transfer(), leg = whole.legs.at(-1) as Leg): Begun {
  const [api, wallet, left] = [new FakeApi(), new FakeWallet(), new AbortController()];
  api.changes = { transactionId: "0xid", ...changes };
  const states: string[] = [];
  const task = {
    api: api as unknown as Api,
    wallet: wallet.wallet,
    chain: chain(),
    transfer: whole,
    leg,
    listed: [],
    terms: { agrees: () => true },
    keep: () => void states.push(leg.state),
    signal: left.signal,
  };
  return { task, api, wallet, leg, left, states };
}

test("what is approved already is sent at once, and its place in the wallet's order is noted", async () => {
  const { task, wallet, leg, states } = begun(approving);
  wallet.allowance = AMOUNT;
  await executeStep(task);
  assert.deepEqual(
    wallet.sent.map((call) => (call as typeof CALL).data),
    [CALL.data],
  );
  assert.deepEqual(states, ["signing", "sent"]);
  assert.deepEqual([leg.hash, leg.nonce, leg.block, leg.call], [HASH, 7, 100, CALL]);
  assert.deepEqual([leg.transactionId, leg.minimum, leg.expected], ["0xid", "9950000", "9990000"]);
});

test("an approval is for exactly the amount, and is in a block before anything else is sent", async () => {
  const { task, wallet, leg, states } = begun(approving);
  await executeStep(task);
  // Nothing is there to be taken back, so the approval of 0 is left out.
  assert.deepEqual(
    wallet.sent.map((call) => (call as typeof CALL).data),
    [approval(AMOUNT).data, CALL.data],
  );
  assert.deepEqual(states, ["approving", "approving", "ready", "signing", "sent"]);
  assert.equal(leg.approvalHash, APPROVED);
});

test("an older approval is taken back first", async () => {
  const { task, wallet } = begun(approving);
  wallet.allowance = 5n;
  await executeStep(task);
  assert.deepEqual(
    wallet.sent.map((call) => (call as typeof CALL).data),
    [approval(0n).data, approval(AMOUNT).data, CALL.data],
  );
});

test("a wallet that batches is asked once", async () => {
  const { task, wallet, leg } = begun(approving);
  wallet.batching = true;
  await executeStep(task);
  assert.deepEqual(wallet.sent, [[approval(AMOUNT), CALL]]);
  assert.deepEqual([leg.batch, leg.hash, leg.state], ["batch", undefined, "sent"]);
});

test("a later step begins with what the one before has brought", async () => {
  const whole = transfer({}, [step(), step()]);
  const [first] = whole.legs as [Leg, Leg];
  Object.assign(first, { state: "done", received: "7" });
  const { task, api } = begun({}, whole);
  await executeStep(task);
  assert.deepEqual(api.contexts, [
    { senderAddress: B, receiverAddress: B, previousStepReceivedAmount: "7", permits: true },
  ]);
  delete first.received;
  const least = begun({}, transfer({ legs: [first, { ...first, state: "ready" }] }));
  await executeStep(least.task);
  assert.equal(least.api.contexts[0]?.previousStepReceivedAmount, "9950000", "nothing but the minimum is sure");
});

test("nothing is sent that is not what was agreed to", async () => {
  const { action, estimate } = step();
  const fell = { estimate: { ...estimate, toAmountMin: "9949999" } };
  const reverted = { estimate: { ...estimate, simulation: { executionStatus: "REVERTED", reason: "too late" } } };
  const cases: [object, RegExp][] = [
    [{ tool: "OKX" }, /no longer the one you agreed to/],
    [{ action: { ...action, fromAmount: "10000001" } }, /no longer the one you agreed to/],
    [fell, /fell below/],
    [{ transactionRequest: { ...CALL, to: B } }, /another contract/],
    [{ ...approving, approvals: [approval(AMOUNT + 1n)] }, /another contract/],
    [{ transactionRequest: undefined }, /another contract/],
    [reverted, /would revert this transaction now \(too late\)/],
  ];
  for (const [changes, says] of cases) {
    const { task, wallet, leg } = begun(changes);
    await assert.rejects(executeStep(task), (error: Error) => error instanceof Stopped && says.test(error.message));
    assert.deepEqual([wallet.sent, leg.state], [[], "ready"], String(says));
  }
  const { task } = begun(fell);
  await assert.rejects(executeStep(task), (error) => error instanceof PriceMoved && error.fell);
  await executeStep({ ...task, terms: { ...task.terms, least: "9949999" } });
});

test("nothing is sent that loses more than was agreed to, that cannot be paid or that would revert", async () => {
  const cases: [(begun: Begun) => void, RegExp][] = [
    [({ task }) => void Object.assign(task, { terms: { agrees: () => false } }), /loses more/],
    [
      ({ task }) => void Object.assign(task.leg, { plan: step({ action: { ...step().action, fromAddress: A } }) }),
      /begun with/,
    ],
    [({ wallet }) => void Object.assign(wallet, { balance: AMOUNT - 1n }), /less than 10 USDC/],
    [({ wallet }) => void Object.assign(wallet, { native: 0n }), /needs 0.0+1 ETH on One/],
    [
      ({ wallet }) => void Object.assign(wallet, { reverts: "no pool" }),
      /would revert this transaction now \(no pool\)/,
    ],
    [({ left }) => left.abort(), /stopped waiting/],
  ];
  for (const [change, says] of cases) {
    const one = begun({ transactionRequest: { ...CALL, gas: { gasLimit: "10", maxFeePerGas: "1" } } });
    change(one);
    await assert.rejects(executeStep(one.task), (error: Error) => error instanceof Stopped && says.test(error.message));
    assert.deepEqual(one.wallet.sent, [], String(says));
  }
});

test("what was declined may be sent again; what may have been sent may not", async () => {
  const declined = begun();
  declined.wallet.refusal = { code: 4001, message: "no" };
  await assert.rejects(executeStep(declined.task), { code: 4001 });
  assert.deepEqual([declined.leg.state, declined.leg.sentAt], ["ready", undefined]);
  const unclear = begun();
  unclear.wallet.refusal = { code: -32603, message: "Request expired" };
  await assert.rejects(
    executeStep(unclear.task),
    (error: Error) => error instanceof Unsure && /expired/.test(error.message),
  );
  assert.equal(unclear.leg.state, "signing");
});
