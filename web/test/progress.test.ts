import assert from "node:assert/strict";
import { test } from "node:test";
import type { Leg } from "../src/history.ts";
import { headline } from "../src/views/progress.ts";
import { step } from "./made.ts";

const names = { toolName: (key: string): string => (key === "RELAY" ? "Relay" : key) };
const bridge = (estimatedTimeSec?: number) => {
  const plan = step({ type: "bridge", tool: "RELAY" });
  return { ...plan, action: { ...plan.action, toChainId: 10 }, estimate: { ...plan.estimate, estimatedTimeSec } };
};
const said = (changes: Partial<Leg>): string =>
  headline(names, { state: "ready", plan: bridge(120), minimum: "1", expected: "1", ...changes });

test("the headline says what is waited for, and by whom", () => {
  assert.equal(said({}), "Your turn: sign the transfer by Relay");
  assert.equal(said({ state: "approving" }), "Your turn: approve in your wallet");
  assert.equal(said({ state: "approving", approvalHash: "0x1" }), "Waiting for the approval to be confirmed");
  assert.equal(said({ state: "signing" }), "Your turn: sign in your wallet");
  assert.equal(said({ state: "sent" }), "Waiting for the network to confirm it");
  assert.equal(said({ state: "left" }), "Waiting for Relay, usually 2 minutes");
  assert.equal(said({ state: "left", plan: bridge(45) }), "Waiting for Relay, usually 45 seconds");
  assert.equal(said({ state: "left", plan: bridge(1) }), "Waiting for Relay, usually 1 second");
  assert.equal(said({ state: "left", plan: bridge() }), "Waiting for Relay");
  assert.equal(said({ state: "left", plan: step() }), "Confirmed: reading how much arrived");
  assert.equal(said({ state: "done" }), "Arrived");
  assert.equal(said({ state: "refunded" }), "Refunded");
  assert.equal(said({ state: "failed" }), "Failed");
});
