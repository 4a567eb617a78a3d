import assert from "node:assert/strict";
import { test } from "node:test";
import { displayable } from "../src/catalog.ts";
import { sameWay } from "../src/route-requests.ts";
import { route, step, token } from "./made.ts";

test("a token's name cannot pass for other words", () => {
  const { symbol, name, address } = displayable(token("\u202eCDSU\u200b", { name: `${"n".repeat(65)}` }));
  assert.deepEqual([symbol, name, address], ["CDSU", `${"n".repeat(64)}…`, token("").address]);
  assert.equal(displayable(token("USD₮0")).symbol, "USD₮0");
  assert.equal(displayable(token("W".repeat(32))).symbol, "W".repeat(32));
});

test("what was chosen is found again in a new answer by the way that it goes", () => {
  const search = {
    is: "answered" as const,
    at: 0,
    routes: [route({ id: "a" }), route({ id: "b", adapter: "ACROSS" })],
  };
  const several = route({ id: "c", adapter: "ACROSS", steps: [step(), step({ tool: "ACROSS" })] });
  const again = route({ id: "d", adapter: "ACROSS" });
  assert.equal(sameWay(search, "b", [several, again])?.id, "d");
  assert.equal(sameWay(search, "b", [several]), undefined);
  assert.equal(sameWay(search, null, [again]), undefined);
  assert.equal(sameWay({ is: "asking" }, "b", [again]), undefined);
});
