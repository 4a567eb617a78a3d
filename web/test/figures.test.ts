import assert from "node:assert/strict";
import { test } from "node:test";
import { mostOf, reserveOf } from "../src/form.ts";
import { changeOf } from "../src/loss.ts";
import { lossText } from "../src/views/loss.ts";
import { chain, form, NATIVE, route, token } from "./made.ts";

const ETHER = 10n ** 18n;
const native = (priceUSD?: string) => token("ETH", { address: NATIVE, decimals: 18, priceUSD });
const paying = (amount: string, id = 8453, priceUSD: string | undefined = "3000") => {
  const here = chain({ id });
  return form({ pay: { chain: here, token: native(priceUSD) }, amount });
};
const costing = (amount: bigint, gas: bigint) => {
  const fee = { ...route().fees.total, type: "gas", chainId: 8453, amount: gas.toString(), included: false };
  const [first] = route().steps;
  assert.ok(first);
  const fees = { ...route().fees, breakdown: [fee] };
  return route({ inputAmount: amount.toString(), steps: [{ ...first, estimate: { ...first.estimate, fees } }] });
};

test("percent and dollars speak of the same: what comes against what is paid", () => {
  const gas = { ...route().fees.total, type: "gas", included: false, amountUsd: "900" };
  assert.equal(changeOf(form(), route({ fees: { ...route().fees, breakdown: [gas] } })), 10);
  assert.equal(changeOf(form(), route({ outputAmount: "11000000" })), -1000);
  const unpriced = form({ get: { chain: chain(), token: token("NEW", { priceUSD: undefined }) } });
  assert.equal(changeOf(unpriced, route()), null);
});

test("no loss is above all of the value", () => {
  assert.match(lossText({ bps: 8_430_000, worst: 8_430_000 }), /^You lose all of the value: the fees are worth more/);
  assert.match(lossText({ bps: 9_000, worst: 12_000 }), /^You lose 90% of the value, and up to 100% if/);
  assert.match(lossText({ bps: -20, worst: 50 }), /^You lose 0% of the value, and up to 0.5% if/);
});

test("what is kept of native money before there is a route is a reserve of one digit", () => {
  for (const [id, price, kept] of [
    [8453, "3000", 4n * 10n ** 14n],
    [1, "3000", 7n * 10n ** 15n],
    [137, "0.5", 2n * ETHER],
    [8453, undefined, 10n ** 16n],
    [8453, "0", 10n ** 16n],
  ] as const)
    assert.equal(reserveOf(chain({ id }), native(price)), kept);
});

test("all of a balance can be paid, but for what native money needs for the network", () => {
  assert.equal(mostOf(form(), null, 77n), 77n);
  assert.equal(mostOf(paying(""), null, ETHER), ETHER - 4n * 10n ** 14n);
  assert.equal(mostOf(paying(""), null, 5n * 10n ** 14n), 25n * 10n ** 13n);
  assert.equal(mostOf(paying("0.5"), costing(ETHER / 2n, 10n ** 15n), ETHER), ETHER - 2n * 10n ** 15n);
  assert.equal(mostOf(paying("0.5"), costing(ETHER / 2n, ETHER), ETHER), 0n);
});

test("asked twice for all of it, the answer is the same while it leaves enough", () => {
  const reserved = paying("0.9996");
  for (const [gas, most] of [
    [10n ** 13n, ETHER - 4n * 10n ** 14n],
    [4n * 10n ** 14n, ETHER - 4n * 10n ** 14n],
    [10n ** 15n, ETHER - 2n * 10n ** 15n],
  ] as const)
    assert.equal(mostOf(reserved, costing(ETHER - 4n * 10n ** 14n, gas), ETHER), most);
  const again = paying("0.998");
  for (const gas of [9n * 10n ** 14n, 10n ** 15n, 11n * 10n ** 14n])
    assert.equal(mostOf(again, costing(998n * 10n ** 15n, gas), ETHER), 998n * 10n ** 15n);
});
