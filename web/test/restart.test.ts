import assert from "node:assert/strict";
import { test } from "node:test";
import { Restart } from "../src/restart.ts";

const away = { refused: "The service does not answer", ready: false };
const asked = { refused: "", ready: false };
const there = { refused: "", ready: true };

test("a service that is away is asked again, ever more seldom, and soon again once it was there", () => {
  const restart = new Restart();
  let now = 0;
  for (const wait of [5000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    assert.equal(restart.due(away, now), false);
    assert.equal(restart.at, now + wait);
    assert.equal(restart.due(away, now + wait - 1), false);
    now += wait;
    assert.equal(restart.due(away, now), true);
    assert.equal(restart.due(asked, now), false);
    assert.equal(restart.at, null);
  }
  assert.equal(restart.due(there, now), false);
  assert.equal(restart.due(away, now), false);
  assert.equal(restart.at, now + 5000);
});
