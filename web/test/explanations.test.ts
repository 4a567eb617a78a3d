import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../src/api.ts";
import { againAt, explain } from "../src/explanations.ts";
import type { Leg } from "../src/history.ts";
import { applyStatus } from "../src/transfer-status.ts";
import { step } from "./made.ts";

const USDC = { symbol: "USDC", decimals: 6, amount: 2_000_000n };
const CODES = [
  "NO_AVAILABLE_QUOTES",
  "AMOUNT_TOO_LOW",
  "WRONG_ADDRESS",
  "RATE_LIMIT",
  "SLIPPAGE_EXCEEDED",
  "ADAPTER_BAD_REQUEST",
  "ADAPTER_UNAUTHORIZED",
  "ADAPTER_INTERNAL",
  "VALIDATION_ERROR",
  "NOT_FOUND",
  "UNKNOWN",
  "UNREACHABLE",
  "SLOW",
  "MALFORMED",
];

test("every error of the API has a sentence of its own", () => {
  const said = CODES.map((code) => explain(new ApiError(code, "raw words", 400), USDC).text);
  assert.equal(new Set(said).size, CODES.length);
  for (const text of said) assert.ok(text.length > 20 && !text.includes("raw words"), text);
});

test("what mends an error is offered", () => {
  const low = new ApiError("AMOUNT_TOO_LOW", "", 422, {
    minimum: "1200000000000",
    adapters: [{ adapter: "X", kind: "below_minimum", reason: "too low", minimum: "1" }],
  });
  const words = explain(low, USDC);
  assert.deepEqual(words.remedy, { kind: "amount", text: "Try 1,200,000 USDC", amount: "1200000" });
  assert.equal(words.refusals.length, 1);
  const only = new ApiError("AMOUNT_TOO_LOW", "", 422, {
    adapters: [
      { adapter: "X", kind: "below_minimum", reason: "", minimum: "9" },
      { adapter: "Y", kind: "below_minimum", reason: "", minimum: "7" },
    ],
  });
  assert.equal((explain(only, USDC).remedy as { amount: string }).amount, "0.000007");
  const dry = new ApiError("NO_AVAILABLE_QUOTES", "", 422, {
    adapters: [{ adapter: "X", kind: "no_route", reason: "" }],
  });
  assert.equal((explain(dry, USDC).remedy as { amount: string }).amount, "1");
  assert.equal(explain(new ApiError("SLIPPAGE_EXCEEDED", ""), USDC).remedy?.kind, "slippage");
  assert.equal(explain(new ApiError("WRONG_ADDRESS", ""), USDC).remedy?.kind, "receiver");
  assert.deepEqual(explain(new ApiError("RATE_LIMIT", "", 429, {}, 5), USDC).remedy, { kind: "wait", until: 5 });
  assert.deepEqual(explain(new ApiError("UNKNOWN", "", 503, {}, 7), USDC).remedy, { kind: "wait", until: 7 });
});

test("an outage and too many requests have headlines of their own, and a time", () => {
  const now = Date.now();
  const headlines = new Map([
    [new ApiError("RATE_LIMIT", "", 429, {}, now + 9000), "Too many requests"],
    [new ApiError("UNREACHABLE", ""), "The service is not available"],
    [new ApiError("SLOW", ""), "The service is not available"],
    [new ApiError("UNKNOWN", "", 503), "The service is not available"],
    [new ApiError("MALFORMED", "", 502), "The service is not available"],
    [new ApiError("ADAPTER_INTERNAL", "", 502), "The sources do not answer"],
    [new ApiError("NO_AVAILABLE_QUOTES", "", 422), "No route"],
    [new ApiError("MALFORMED", "", 200), "No route"],
    [new ApiError("UNKNOWN", "", 500), "No route"],
  ]);
  for (const [error, headline] of headlines) {
    assert.equal(explain(error, USDC).headline, headline);
    assert.equal(againAt(error, 0) === null, headline === "No route", error.code);
  }
  assert.equal(explain(new ApiError("RATE_LIMIT", "", 429), USDC, 77).again, 77);
});

test("what the service says of when to come back holds; else it is asked ever more seldom", (t) => {
  const now = 1_800_000_000_000;
  t.mock.timers.enable({ apis: ["Date"], now });
  assert.equal(againAt(new ApiError("RATE_LIMIT", "", 429, {}, 12), 5), 12);
  const waits = [0, 1, 2, 3, 4, 9].map((before) => (againAt(new ApiError("SLOW", ""), before) ?? 0) - now);
  assert.deepEqual(waits, [5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  assert.equal(againAt(new Error("a fault of the page"), 0), null);
});

test("hostile words stay words", () => {
  for (const details of [{ adapters: "x" }, { message: 5 }, { minimum: "1e9" }, { minimum: -1 }, { adapters: [{}] }]) {
    assert.ok(explain(new ApiError("AMOUNT_TOO_LOW", "", 422, details as never), USDC).text);
  }
});

test("the service's word ends a leg, and tells of a replaced transaction", () => {
  const word = {
    transactionId: null,
    sourceTxHash: "0xbb",
    destTxHash: null,
    status: "bridge_pending",
    outputToken: null,
    outputAmountRaw: null,
  };
  const leg = (): Leg => ({ state: "sent", plan: step(), minimum: "1", expected: "1", hash: "0xaa" });
  const moved = leg();
  applyStatus(moved, word);
  assert.deepEqual([moved.state, moved.hash, moved.replaced], ["left", "0xbb", "0xaa"]);
  for (const [status, state] of [
    ["success", "done"],
    ["refunded", "refunded"],
    ["recovered", "recovered"],
    ["bridge_failed", "failed"],
    ["refund_pending", "left"],
    ["unknown", "left"],
  ]) {
    const each = leg();
    applyStatus(each, {
      ...word,
      sourceTxHash: "0xAA",
      status: status ?? "",
      outputAmountRaw: "12",
      destTxHash: "0xcc",
    });
    assert.deepEqual([each.state, each.replaced, each.received, each.destination], [state, undefined, "12", "0xcc"]);
  }
});
