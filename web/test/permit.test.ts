// A signature in place of an approval: what is signed, what is sent with it, and what goes the other way.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Api, Step } from "../src/api.ts";
import type { Permit } from "../src/calls.ts";
import { type ExecutionTask, executeStep, Stopped } from "../src/execution.ts";
import type { Leg } from "../src/history.ts";
import { permitHolds } from "../src/permit.ts";
import { approval, FakeApi, FakeWallet, transfer } from "./fakes.ts";
import { A, B, chain, step, T, U } from "./made.ts";

const AMOUNT = 10_000_000n;
const WORD = "0".repeat(64);
const TAIL = "7".repeat(128);
const PLAIN = { to: A, value: "0x0", data: `0x12345678${WORD.repeat(3)}${TAIL}` };
const ROOM = "0".repeat(192);
const CALLDATA = { to: A, value: "0x0", data: `0x87654321${WORD.repeat(5)}${TAIL}${WORD}${ROOM}` };
const [R, PARITY] = ["5".repeat(128), "1b"];
const members = (text: string) =>
  text.split(",").map((each) => ({ type: each.split(" ")[0] as string, name: each.split(" ")[1] as string }));
const OF_TOKEN: Permit = {
  kind: "EIP2612",
  typedData: {
    types: {
      EIP712Domain: members("string name,string version,uint256 chainId,address verifyingContract"),
      Permit: members("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
    },
    primaryType: "Permit",
    domain: { name: "USD Coin", version: "2", chainId: 1, verifyingContract: T },
    message: { owner: B, spender: A, value: String(AMOUNT), nonce: "0", deadline: "9" },
  },
  calldata: CALLDATA,
  gasLimit: "0x30d40",
};
const PERMIT2: Permit = {
  ...OF_TOKEN,
  kind: "PERMIT2",
  typedData: {
    types: {
      EIP712Domain: members("string name,uint256 chainId,address verifyingContract"),
      PermitWitnessTransferFrom: members(
        "TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness",
      ),
      TokenPermissions: members("address token,uint256 amount"),
      Order: members(
        "bytes32 receiver,uint256 destinationChainId,bytes32 outputToken,uint256 minOutput,bytes32 callHash",
      ),
    },
    primaryType: "PermitWitnessTransferFrom",
    domain: { name: "Permit2", chainId: 1, verifyingContract: "0x000000000022D473030F116dDEE9F6B43aC78BA3" },
    message: { permitted: { token: T, amount: String(AMOUNT) }, spender: A, nonce: "1", deadline: "9", witness: {} },
  },
};
const permitting = (permit: Permit): Step => step({ transactionRequest: PLAIN, permit });

function begun(permit: Permit): { task: ExecutionTask; api: FakeApi; wallet: FakeWallet; leg: Leg } {
  const [api, wallet, whole] = [new FakeApi(), new FakeWallet(), transfer()];
  api.changes = { transactionId: "0xid", transactionRequest: PLAIN, approvals: [approval(AMOUNT)], permit };
  const leg = whole.legs.at(-1) as Leg;
  const task = {
    api: api as unknown as Api,
    wallet: wallet.wallet,
    chain: chain(),
    transfer: whole,
    leg,
    listed: [],
    terms: { agrees: () => true },
    keep: () => undefined,
    signal: new AbortController().signal,
  };
  return { task, api, wallet, leg };
}

for (const permit of [OF_TOKEN, PERMIT2]) {
  test(`${permit.kind}: one signature, and one transaction with it`, async () => {
    const { task, wallet, leg } = begun(permit);
    wallet.signature = `0x${R}${PARITY}`;
    await executeStep(task);
    assert.deepEqual(wallet.typed, [permit.typedData]);
    const data = `${CALLDATA.data.slice(0, -192)}${R}${PARITY}${"0".repeat(62)}`;
    assert.deepEqual(wallet.sent, [{ ...CALLDATA, data }]);
    assert.deepEqual([leg.state, leg.call?.data, leg.permit], ["sent", data, undefined]);
  });
}

test("a last byte that is counted from 0 is what contracts expect", async () => {
  const { task, wallet } = begun(OF_TOKEN);
  wallet.signature = `0x${R}01`;
  await executeStep(task);
  assert.equal((wallet.sent[0] as { data: string }).data.slice(-64, -62), "1c");
});

for (const [why, signature] of [
  ["does not know such data", Object.assign(new Error("unknown"), { code: 4200 })],
  ["signs as a contract", `0x${"ab".repeat(96)}`],
  ["answers nothing", null],
] as const) {
  test(`a wallet that ${why} approves`, async () => {
    const { task, wallet } = begun(OF_TOKEN);
    wallet.signature = signature;
    await executeStep(task);
    assert.deepEqual(
      wallet.sent.map((call) => (call as { data: string }).data),
      [approval(AMOUNT).data, PLAIN.data],
    );
  });
}

test("who declines is asked for nothing else, and the next time for an approval", async () => {
  const { task, api, wallet, leg } = begun(OF_TOKEN);
  wallet.signature = Object.assign(new Error("no"), { code: 4001 });
  await assert.rejects(executeStep(task), { code: 4001 });
  assert.deepEqual([wallet.sent, leg.state, leg.permit], [[], "ready", undefined]);
  delete api.changes.permit;
  await executeStep(task);
  assert.deepEqual([api.contexts.map((each) => each.permits), wallet.sent.length], [[true, undefined], 2]);
});

test("what is allowed already, and a wallet that batches, need no signature", async () => {
  const allowed = begun(OF_TOKEN);
  allowed.wallet.allowance = AMOUNT;
  await executeStep(allowed.task);
  const batching = begun(OF_TOKEN);
  batching.wallet.batching = true;
  await executeStep(batching.task);
  assert.deepEqual([...allowed.wallet.typed, ...batching.wallet.typed], []);
});

test("a permit for anything else than the step stops everything", async () => {
  const [token, whole] = [OF_TOKEN.typedData, PERMIT2.typedData];
  const wrong: Permit[] = [
    ...[{ spender: U }, { owner: U }, { value: "10000001" }].map((each) => ({
      ...OF_TOKEN,
      typedData: { ...token, message: { ...token.message, ...each } },
    })),
    ...[{ chainId: 2 }, { verifyingContract: U }].map((each) => ({
      ...OF_TOKEN,
      typedData: { ...token, domain: { ...token.domain, ...each } },
    })),
    { ...OF_TOKEN, kind: "PERMIT2" },
    { ...OF_TOKEN, kind: "constructor" },
    { ...PERMIT2, typedData: { ...whole, domain: { ...whole.domain, verifyingContract: U } } },
    { ...PERMIT2, typedData: { ...whole, message: { ...whole.message, spender: U } } },
    {
      ...PERMIT2,
      typedData: { ...whole, message: { ...whole.message, permitted: { token: U, amount: String(AMOUNT) } } },
    },
    {
      ...PERMIT2,
      typedData: { ...whole, types: { ...whole.types, Order: members("address a,uint256 b") } },
    },
    { ...OF_TOKEN, calldata: { ...CALLDATA, to: U } },
    { ...OF_TOKEN, calldata: { ...CALLDATA, value: "0x1" } },
    { ...OF_TOKEN, calldata: { ...CALLDATA, data: CALLDATA.data.replace("77", "78") } },
    { ...OF_TOKEN, calldata: { ...CALLDATA, data: `${CALLDATA.data.slice(0, -1)}1` } },
  ];
  assert.ok(permitHolds(permitting(OF_TOKEN), chain(), B) && permitHolds(permitting(PERMIT2), chain(), B));
  for (const permit of wrong) {
    const { task, wallet } = begun(permit);
    await assert.rejects(executeStep(task), Stopped);
    assert.deepEqual([wallet.typed, wallet.sent], [[], []]);
  }
});
