import assert from "node:assert/strict";
import { test } from "node:test";
import { apportion, gasCounted, sharesOf, WHOLE } from "../src/pool-plan.ts";
import { hop, manyPlans, poolPlan } from "./made.ts";

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

test("parts add up to the whole, and the largest remainders gain", () => {
  assert.deepEqual(apportion(1000, [1n, 1n, 1n]), [334, 333, 333]);
  assert.deepEqual(apportion(1000, [9_996n, 4n]), [1000, 0]);
  assert.deepEqual(apportion(1000, [9_994n, 6n]), [999, 1]);
  assert.deepEqual(apportion(10, [0n, 0n]), [0, 0]);
  assert.deepEqual(apportion(0, [5n, 5n]), [0, 0]);
  assert.deepEqual(apportion(1000, [2n ** 255n, 2n ** 255n]), [500, 500]);
});

test("shares are of all that is paid, and agree at every token", () => {
  const hops = [hop("A", "B", 750), hop("A", "C", 250), hop("B", "C", 30), hop("B", "C", 10)];
  assert.deepEqual(sharesOf(hops), [750, 250, 563, 187]);
  assert.deepEqual(sharesOf([hop("A", "B", 5)]), [WHOLE]);
  for (const plan of manyPlans(300)) {
    const shares = sharesOf(plan);
    const at = (side: "tokenIn" | "tokenOut", token: string): number =>
      sum(plan.map((each, place) => (each[side].address === token ? (shares[place] ?? 0) : 0)));
    const tokens = new Set(plan.map(({ tokenIn }) => tokenIn.address));
    for (const token of tokens) assert.equal(at("tokenIn", token), token === "T0" ? WHOLE : at("tokenOut", token));
  }
});

test("the network fee is not counted where it costs more than what comes", () => {
  assert.equal(gasCounted(poolPlan([hop("A", "B", 5)])), true);
  for (const netOutputAmount of ["0", "-12"]) {
    assert.equal(gasCounted(poolPlan([hop("A", "B", 5)], { netOutputAmount })), false);
  }
});
