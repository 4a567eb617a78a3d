import assert from "node:assert/strict";
import { test } from "node:test";
import { nearness, poolName, shareText, sourceName } from "../src/views/pools.ts";
import { hop, poolPlan } from "./made.ts";

test("pools have the names that people know", () => {
  for (const [key, name] of [
    ["UNISWAP_V3", "Uniswap V3"],
    ["UNISWAP_V2", "Uniswap V2"],
    ["PANCAKESWAP_V3", "PancakeSwap V3"],
    ["AERODROME", "Aerodrome"],
    ["CURVE_STABLE_NG", "Curve Stable NG"],
    ["LIDO_WSTETH", "Lido wstETH"],
  ] as const)
    assert.equal(sourceName(key), name);
  for (const [fee, name] of [
    ["0.0005", "Uniswap V3 0.05%"],
    ["0.01", "Uniswap V3 1%"],
    ["0.000001", "Uniswap V3 0.0001%"],
    ["0", "Uniswap V3"],
  ] as const)
    assert.equal(poolName({ ...hop("A", "B", 1), fee }), name);
});

test("shares are tenths of a percent", () => {
  assert.deepEqual([1000, 499, 5, 0].map(shareText), ["100%", "49.9%", "0.5%", "<0.1%"]);
});

test("how close to the best it is, is rounded up", () => {
  const of = (gapBps: number): string => nearness(poolPlan([hop("A", "B", 1)], { netBound: { amount: "1", gapBps } }));
  assert.equal(of(0), "The best possible over these pools");
  assert.equal(of(0.0001), "Within 0.0001% of the best possible over these pools");
  assert.equal(of(0.01), "Within 0.0001% of the best possible over these pools");
  assert.equal(of(0.0101), "Within 0.0002% of the best possible over these pools");
  assert.equal(of(1.1), "Within 0.011% of the best possible over these pools");
  assert.equal(of(0.57), "Within 0.0057% of the best possible over these pools");
  assert.equal(of(123.4567), "Within 1.2346% of the best possible over these pools");
});

test("without anything left after the network fee, the share is of what comes before it", () => {
  const plan = poolPlan([hop("A", "B", 1)], { netOutputAmount: "-5", netBound: { amount: "0", gapBps: 0 } });
  assert.equal(nearness(plan), "Within 0.0025% of the best possible over these pools");
});
