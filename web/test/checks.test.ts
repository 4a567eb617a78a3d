import assert from "node:assert/strict";
import { test } from "node:test";
import { addressFault } from "../src/addresses.ts";
import type { Step } from "../src/api.ts";
import { approvalsHold, changed, formOf, payee, refundChanged } from "../src/checks.ts";
import { readTransfer } from "../src/history.ts";
import { A, B, chain, NATIVE, step, T, U } from "./made.ts";

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const PAY = `0xa9059cbb${"0".repeat(24)}${"b".repeat(40)}`;
const AMOUNT = 10_000_000n;

function made(
  call: object,
  {
    approval,
    token = T,
    type = "bridge",
    fees = [],
  }: { approval?: string; token?: string; type?: string; fees?: object[] } = {},
): Step {
  const usual = step();
  const estimate = { ...usual.estimate, approvalAddress: approval, fees: { ...usual.estimate.fees, breakdown: fees } };
  return step({
    type,
    estimate,
    action: { ...usual.action, fromToken: { ...usual.action.fromToken, address: token } },
    transactionRequest: { to: A, value: "0x0", data: "0x12345678", ...call },
  });
}

test("only what was agreed to has a form", () => {
  const fee = { type: "relayer", amount: "2", chainId: 1, currencyAddress: NATIVE, included: false };
  const hex = (raw: bigint): string => `0x${raw.toString(16)}`;
  const cases: [Step, string | null][] = [
    [made({}, { approval: A }), "contract"],
    [made({}), "contract"],
    [made({ value: "0x2" }, { fees: [fee] }), "contract"],
    [made({ value: "0x3" }, { fees: [fee] }), null],
    [made({ value: hex(AMOUNT + 2n) }, { token: NATIVE, fees: [fee] }), "contract"],
    [made({ value: hex(AMOUNT + 3n) }, { token: NATIVE, fees: [fee] }), null],
    [made({}, { approval: B }), null],
    [made({ to: B }), null],
    [made({ to: B }, { approval: B }), null],
    [made({ to: B, value: hex(AMOUNT) }, { token: NATIVE }), "native"],
    [made({ to: B, value: hex(AMOUNT + 2n) }, { token: NATIVE, fees: [fee] }), "native"],
    [made({ to: B, value: hex(AMOUNT + 3n) }, { token: NATIVE, fees: [fee] }), null],
    [made({ to: B, value: hex(AMOUNT + 2n) }, { token: NATIVE, fees: [{ ...fee, included: true }] }), null],
    [made({ to: B, value: "0x0" }, { token: NATIVE }), null],
    [made({ to: U, value: hex(AMOUNT) }, { token: NATIVE }), null],
    [made({ to: B, value: hex(AMOUNT) }, { token: NATIVE, type: "swap" }), null],
    [made({ to: T, data: PAY + word(AMOUNT) }), "transfer"],
    [made({ to: T, data: PAY + word(AMOUNT + 1n) }), null],
    [made({ to: T, data: PAY + word(AMOUNT) }, { approval: T }), null],
    [made({ to: T, data: PAY + word(AMOUNT), value: "0x1" }), null],
    [made({ to: T, data: `${PAY + word(AMOUNT)}00` }), null],
    [made({ to: U, data: PAY + word(AMOUNT) }), null],
    [made({ to: T, data: `0x095ea7b3${PAY.slice(10)}${word(AMOUNT)}` }), null],
    [made({ to: T, data: PAY + word(AMOUNT) }, { type: "swap" }), null],
  ];
  for (const [each, form] of cases)
    assert.equal(formOf(each, chain(), [U]), form, JSON.stringify(each.transactionRequest));
  assert.equal(formOf(made({}), chain({ rhumblineDiamond: undefined }), []), null);
  assert.equal(payee("transfer", { to: T, value: "0x0", data: PAY + word(AMOUNT) }), B);
});

test("approvals are for exactly the amount, to the one spender", () => {
  const approve = (raw: bigint, spender = A, to = T): { to: string; value: string; data: string } => ({
    to,
    value: "0x0",
    data: `0x095ea7b3${"0".repeat(24)}${spender.slice(2)}${word(raw)}`,
  });
  assert.ok(approvalsHold([approve(10n)], T, A, 10n));
  assert.ok(approvalsHold([approve(0n), approve(10n)], T, A, 10n));
  for (const bad of [
    [approve(11n)],
    [approve(2n ** 256n - 1n)],
    [approve(10n, B)],
    [approve(10n, A, U)],
    [approve(10n), approve(10n)],
    [approve(5n), approve(10n)],
    [{ ...approve(10n), value: "0x1" }],
    [{ ...approve(10n), data: `${approve(10n).data}00` }],
  ]) {
    assert.equal(approvalsHold(bad, T, A, 10n), false, JSON.stringify(bad));
  }
});

test("another step than the one that was agreed to is told", () => {
  const agreed = step();
  assert.equal(changed(agreed, step()), "");
  for (const change of [
    { fromAmount: "10000001" },
    { toAddress: A },
    { fromAddress: A },
    { toChainId: 2 },
    { toToken: { ...agreed.action.toToken, address: B } },
  ]) {
    assert.notEqual(changed(agreed, step({ action: { ...agreed.action, ...change } })), "");
  }
  assert.notEqual(changed(agreed, step({ tool: "OKX" })), "");
  const wanted = step({ action: { ...agreed.action, destinationGas: "5" } });
  assert.notEqual(changed(wanted, step()), "", "without the native money that was agreed to");
  assert.notEqual(changed(wanted, step({ destinationGas: { minAmount: "4" } })), "");
  assert.equal(changed(wanted, step({ destinationGas: { minAmount: "5" } })), "");
  const call = { target: A, calldata: "0x12ab" };
  const called = step({ action: { ...agreed.action, destinationCall: call } });
  assert.notEqual(changed(called, step()), "", "without the call that was agreed to");
  const other = { ...agreed.action, destinationCall: { ...call, target: U } };
  assert.notEqual(changed(called, step({ action: other })), "");
  const spelled = { ...agreed.action, destinationCall: { ...call, calldata: "0x12AB", gas: 5 } };
  assert.equal(changed(called, step({ action: spelled })), "");
});

test("addresses are those of their chain, and capitals are a checksum", () => {
  const wsol = "So11111111111111111111111111111111111111112";
  const vitalik = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
  for (const [type, text, sound] of [
    ["SVM", wsol, true],
    ["SVM", "1".repeat(32), true],
    ["SVM", "1".repeat(31), false],
    ["SVM", A, false],
    ["SVM", `${wsol.slice(0, -1)}0`, false],
    ["SVM", "z".repeat(44), false],
    ["EVM", A, true],
    ["EVM", vitalik, true],
    ["EVM", vitalik.toLowerCase(), true],
    ["EVM", vitalik.replace("d8dA", "d8DA"), false],
    ["EVM", wsol, false],
    ["EVM", A.slice(0, -1), false],
  ] as const)
    assert.equal(addressFault(type, text) === "", sound, text);
});

test("what is kept and is none of ours is left alone", () => {
  for (const text of [
    null,
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"id":"a","created":1,"legs":[],"amount":"1","pay":{"symbol":"A"},"get":{"symbol":"B"}}',
    '{"id":"a","created":1,"legs":[{}],"amount":"1"}',
  ])
    assert.equal(readTransfer(text), null);
});

test("a step that leaves the chain refunds whom was named", () => {
  const { action } = step();
  const pay = { ...action.fromToken };
  const leaving = (refundTo?: string): Step => step({ action: { ...action, toChainId: 2, refundTo } });
  assert.equal(refundChanged({ refundTo: A, pay }, leaving(A.toUpperCase().replace("X", "x"))), "");
  assert.notEqual(refundChanged({ refundTo: A, pay }, leaving(U)), "");
  assert.notEqual(refundChanged({ refundTo: A, pay }, leaving()), "");
  assert.equal(refundChanged({ refundTo: A, pay }, step()), "", "a swap before it refunds nobody");
  assert.equal(refundChanged({ refundTo: A, pay }, step({ action: { ...action, fromChainId: 2 } })), "");
  assert.equal(refundChanged({ pay }, leaving()), "");
});
