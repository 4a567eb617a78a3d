// Routes of one tool are told apart, and a course shows all that is done on the way.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Deed, Route, Step } from "../src/api.ts";
import { routeNames, tokensBetween } from "../src/route-names.ts";
import { waysOf } from "../src/views/route-diagram.ts";
import { A, B, route, step, T, U } from "./made.ts";

const at = (symbol: string, chainId: number) => ({
  symbol,
  chainId,
  decimals: 6,
  address: { USDC: T, DAI: U, WBTC: A }[symbol] ?? B,
});
const deed = (tool: string, from: [string, number], to: [string, number]): Deed => ({
  type: from[1] === to[1] ? "swap" : "bridge",
  tool,
  fromToken: at(...from),
  toToken: at(...to),
  fromAmount: "5000000",
  toAmount: "4000000",
});
const stepOf = (...deeds: Deed[]): Step => {
  const [first, last] = [deeds[0] as Deed, deeds.at(-1) as Deed];
  const action = { ...step().action, fromToken: first.fromToken, toToken: last.toToken, fromAmount: first.fromAmount };
  const bridge = deeds.find(({ type }) => type === "bridge");
  return step({
    type: bridge ? "bridge" : "swap",
    tool: (bridge ?? first).tool,
    action,
    estimate: { ...step().estimate, toAmount: last.toAmount, estimatedTimeSec: 12 },
    ...(deeds.length > 1 ? { includedSteps: deeds } : {}),
  });
};
const routed = (id: string, ...steps: Step[]): Route => route({ id, adapter: "ACROSS", steps });

const BEFORE = deed("ONCHAIN", ["DAI", 1], ["USDC", 1]);
const OVER = deed("ACROSS", ["USDC", 1], ["USDC", 2]);
const AFTER = deed("ONCHAIN", ["USDC", 2], ["WBTC", 2]);
const SEVERAL = routed("several", stepOf(BEFORE), stepOf(OVER), stepOf(AFTER));
const COMPOSED = routed("composed", stepOf(BEFORE, OVER, AFTER));
const BY_ETH = routed(
  "eth",
  stepOf(deed("ACROSS", ["ETH", 1], ["ETH", 2])),
  stepOf(deed("ONCHAIN", ["ETH", 2], ["WBTC", 2])),
);
const named = (...routes: Route[]): string[] => [...routeNames(routes, (key) => key.toLowerCase()).values()];

test("one route of a tool has the tool's name", () => {
  assert.deepEqual(named(SEVERAL), ["across"]);
  assert.deepEqual(named(SEVERAL, { ...BY_ETH, adapter: "RELAY" }), ["across", "relay"]);
});

test("several are told apart by the tokens between, then by their steps; never do two have one name", () => {
  const direct = routed("direct", stepOf(deed("ACROSS", ["DAI", 1], ["WBTC", 2])));
  assert.deepEqual(named(SEVERAL, direct), ["across · via USDC", "across"]);
  assert.deepEqual(named(SEVERAL, COMPOSED), ["across · via USDC · 3 steps", "across · via USDC · 1 step"]);
  const names = named(SEVERAL, { ...SEVERAL, id: "other" }, { ...SEVERAL, id: "third" }, COMPOSED);
  assert.equal(new Set(names).size, 4, names.join());
  assert.equal(names[1], "across · via USDC · 3 steps #2");
});

test("what stands at the ends is not between", () => {
  assert.deepEqual(tokensBetween(SEVERAL), ["USDC"]);
  assert.deepEqual(tokensBetween(COMPOSED), ["USDC"]);
  assert.deepEqual(tokensBetween(routed("plain", stepOf(OVER))), []);
});

test("each step is drawn and numbered; what a bridge's transaction does besides is drawn too", () => {
  const drawn = (shown: Route): (string | number)[][] =>
    waysOf(shown).map(({ deed: { tool, type }, how, number }) => [number, type, tool, how]);
  assert.deepEqual(drawn(SEVERAL), [
    [1, "swap", "ONCHAIN", "one transaction"],
    [2, "bridge", "ACROSS", "about 12 sec"],
    [3, "swap", "ONCHAIN", "one transaction"],
  ]);
  assert.deepEqual(drawn(COMPOSED), [
    [0, "swap", "ONCHAIN", "swap first, in the same transaction"],
    [0, "bridge", "ACROSS", "about 12 sec"],
    [0, "swap", "ONCHAIN", "swap on arrival, nothing to sign"],
  ]);
});
