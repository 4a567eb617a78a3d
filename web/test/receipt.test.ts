// What a transfer has cost, and whether it is the same as another one.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fee } from "../src/api.ts";
import { newLeg, type Transfer } from "../src/history.ts";
import { isSame, networkFee, paidFees } from "../src/receipt.ts";
import { feesOf, gasOf } from "../src/views/comparison.ts";
import { initials } from "../src/views/fragments.ts";
import { A, B, NATIVE, route, step, T, token, U } from "./made.ts";

const fee = (type: string, amount: string, chainId = 1): Fee => ({
  type,
  amount,
  currencySymbol: "ETH",
  currencyAddress: NATIVE,
  chainId,
  decimals: 18,
  amountUsd: "1",
});
const ETH = token("ETH", { address: NATIVE, decimals: 18, priceUSD: "3000" });

test("what the network took is what the chain's receipt says, with an L2's own fee", () => {
  assert.equal(networkFee({ gasUsed: "0x5208", effectiveGasPrice: "0x3b9aca00" }), "21000000000000");
  assert.equal(networkFee({ gasUsed: "0x5208", effectiveGasPrice: "0x1", l1Fee: "0x64" }), "21100");
  for (const receipt of [{}, { gasUsed: "0x1" }, { gasUsed: "x", effectiveGasPrice: "0x1" }]) {
    assert.equal(networkFee(receipt), undefined);
  }
});

test("what was paid replaces what was estimated, of its own chain alone", () => {
  const leg = newLeg(step());
  leg.plan.estimate.fees.breakdown = [fee("app", "5"), fee("gas", "900"), fee("gas", "800", 10)];
  const types = (legs: (typeof leg)[]): string[] =>
    paidFees(legs, () => ETH).map(({ type, amount }) => `${type} ${amount}`);
  assert.deepEqual(types([leg]), ["app 5", "gas 900", "gas 800"]);
  leg.networkFee = "1000000000000000";
  assert.deepEqual(types([leg]), ["app 5", "gas 800", "networkPaid 1000000000000000"]);
  assert.equal(paidFees([leg], () => ETH).at(-1)?.amountUsd, "3.000000");
  // Without the chain nothing is known of its money.
  assert.deepEqual(paidFees([leg], () => null).length, 3);
});

test("the same is the same two tokens and the same amount", () => {
  const pay = token("USDC");
  const get = token("DAI", { address: U });
  const transfer = { pay, get, amount: "10000000" } as unknown as Transfer;
  assert.ok(isSame(transfer, { pay, get, amount: 10_000_000n }));
  assert.ok(
    isSame(transfer, { pay: { ...pay, address: T.toUpperCase().replace("0X", "0x") }, get, amount: 10_000_000n }),
  );
  const others = [
    { pay, get, amount: 10_000_001n },
    { pay, get, amount: null },
    { pay: { ...pay, chainId: 10 }, get, amount: 10_000_000n },
    { pay, get: { ...get, address: A }, amount: 10_000_000n },
    { pay, get: null, amount: 10_000_000n },
  ];
  for (const other of others) assert.ok(!isSame(transfer, other));
});

test("what the network takes stands apart from all other fees", () => {
  const fees = { ...route().fees, totalUsd: "7.5", breakdown: [fee("app", "1"), fee("gas", "2"), fee("gas", "3", 10)] };
  assert.deepEqual([gasOf(route({ fees })), feesOf(route({ fees }))], [2_000_000n, 5_500_000n]);
  const unpriced = { ...fees, breakdown: [{ ...fee("gas", "2"), amountUsd: undefined }] };
  assert.deepEqual([gasOf(route({ fees: unpriced })), feesOf(route({ fees: unpriced }))], [null, null]);
  assert.equal(B.length, 42);
});

test("a drawn logo says first letters of words, or the beginning of one", () => {
  const said = {
    USDC: "USDC",
    USDT: "USDT",
    "Sandbox A": "SA",
    "NEAR Intents": "NI",
    WETH9X: "WETH",
    "<b>": "b",
    "¥": "-",
  };
  for (const [name, text] of Object.entries(said)) assert.equal(initials(name), text);
});
