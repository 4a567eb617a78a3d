import assert from "node:assert/strict";
import { test } from "node:test";
import { amountFault, amountOf, complete, EMPTY, type Form, mostOf, paidOf, queryOf } from "../src/form.ts";
import { linkTo, readLink } from "../src/links.ts";
import { isSame } from "../src/receipt.ts";
import { sorted } from "../src/views/comparison.ts";
import { A, chain, route, T, token } from "./made.ts";

const pay = { chain: chain({}), token: token("DAI", { decimals: 18, address: A }) };
const get = { chain: chain({}), token: token("USDC", { decimals: 6, address: T }) };
const form: Form = { ...EMPTY, pay, get, amount: "2.5", fixed: "get" };

test("an amount that was typed on the other side is what is to arrive", () => {
  assert.equal(amountOf(form), 2_500_000n);
  const query = queryOf(form, "0x1", "", {});
  assert.deepEqual([query?.amount, query?.tradeType], ["2500000", "EXACT_OUTPUT"]);
  const plain = queryOf({ ...form, fixed: "pay" }, "0x1", "", {});
  assert.deepEqual([plain?.amount, plain && "tradeType" in plain], ["2500000000000000000", false]);
  assert.ok(complete(form));
  assert.equal(amountFault({ ...form, amount: "0.1234567" }) === "", false);
  assert.equal(amountFault({ ...form, amount: "0.1234567", fixed: "pay" }), "");
});

test("what is paid for it is what the route says", () => {
  const answered = route({ inputAmount: "2600000000000000000" });
  assert.equal(paidOf(form, null), null);
  assert.equal(paidOf(form, answered), 2_600_000_000_000_000_000n);
  assert.equal(paidOf({ ...form, fixed: "pay" }, answered), 2_500_000_000_000_000_000n);
  assert.equal(mostOf(form, answered, 7n), 7n);
});

test("a link keeps the side", () => {
  const link = linkTo("https://page.example/", form);
  assert.equal(new URL(link).searchParams.get("receive"), "2.5");
  assert.equal(new URL(link).searchParams.has("amount"), false);
  assert.deepEqual([readLink(new URL(link).search).amount, readLink(new URL(link).search).fixed], ["2.5", "get"]);
  assert.equal(readLink("?amount=1&receive=2").fixed, undefined);
});

test("the same output on its way is the same again, whatever it took", () => {
  const transfer = { pay: pay.token, get: get.token, amount: "2600000000000000000", wanted: "2500000" };
  const asked = (fixed: "pay" | "get", amount: bigint) =>
    isSame(transfer as unknown as Parameters<typeof isSame>[0], { pay: pay.token, get: get.token, amount, fixed });
  assert.ok(asked("get", 2_500_000n));
  assert.ok(asked("pay", 2_600_000_000_000_000_000n));
  assert.equal(asked("get", 2_600_000n), false);
});

test("for one output what is taken counts, with the costs beside it", () => {
  const beside = (amountUsd: string) => ({
    ...route().fees,
    breakdown: [{ ...route().fees.total, type: "gas", included: false, amountUsd }],
  });
  const routes = [
    route({ id: "more", inputAmount: "3000000000000000000", fees: beside("0.1") }),
    route({ id: "less", inputAmount: "2000000000000000000", fees: beside("0.1") }),
    route({ id: "dear", inputAmount: "1000000000000000000", fees: beside("50") }),
  ];
  const order = sorted("net", get.token, routes, token("DAI", { decimals: 18, priceUSD: "1" }));
  assert.deepEqual(
    order.map(({ id }) => id),
    ["less", "more", "dear"],
  );
});
