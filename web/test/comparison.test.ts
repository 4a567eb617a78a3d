import assert from "node:assert/strict";
import { test } from "node:test";
import { signatures, sorted } from "../src/views/comparison.ts";
import { route, step, token } from "./made.ts";

const paid = (amountUsd: string) => ({
  ...route().fees,
  totalUsd: amountUsd,
  breakdown: [{ ...route().fees.total, type: "gas", included: false, amountUsd }],
});
const ROUTES = [
  route({ id: "first", outputAmount: "9000000", estimatedTimeSec: 60, fees: paid("0.5") }),
  route({ id: "dear", outputAmount: "9900000", estimatedTimeSec: 20, fees: paid("2") }),
  route({ id: "cheap", outputAmount: "9000000", estimatedTimeSec: 90, fees: paid("0.1") }),
  route({ id: "unknown", outputAmount: "1" }),
];
const ids = (sort: Parameters<typeof sorted>[0], get = token("DAI")): string[] =>
  sorted(sort, get, ROUTES).map(({ id }) => id);

test("routes stand in the chosen order; equal ones, and all by default, in the service's", () => {
  assert.deepEqual(ids("best"), ["first", "dear", "cheap", "unknown"]);
  assert.deepEqual(ids("net"), ["cheap", "first", "dear", "unknown"]);
  assert.deepEqual(ids("time"), ["unknown", "dear", "first", "cheap"]);
  assert.deepEqual(ids("fees"), ["cheap", "first", "dear", "unknown"]);
});

test("without a price what arrives counts", () => {
  assert.deepEqual(ids("net", token("DAI", { priceUSD: undefined })), ["dear", "first", "cheap", "unknown"]);
});

test("approvals are counted apart from transactions", () => {
  const native = { ...step(), estimate: { ...step().estimate, approvalAddress: undefined } };
  assert.equal(signatures(route()), "You sign up to 1 approval and 1 transaction.");
  assert.equal(signatures(route({ steps: [native] })), "You sign 1 transaction.");
  assert.equal(
    signatures(route({ steps: [step(), step(), native] })),
    "You sign up to 2 approvals and 3 transactions.",
  );
});
