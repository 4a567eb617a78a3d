import assert from "node:assert/strict";
import { test } from "node:test";
import { type Diagram, diagramOf } from "../src/pool-layout.ts";
import { type PoolHop, sharesOf } from "../src/pool-plan.ts";
import { hop, manyPlans } from "./made.ts";

/** The radius of a number's circle. */
const RADIUS = 8;
/** Pixels in a hundredth of the width, where the page is narrowest. */
const NARROWEST = 2.6;

function laidOut(hops: PoolHop[]): Diagram {
  const diagram = diagramOf(hops, sharesOf(hops));
  assert.ok(diagram);
  return diagram;
}

test("tokens stand in columns by the longest way from the input, bands go from one to the other", () => {
  const { bars, bands } = laidOut([hop("A", "B", 60), hop("A", "C", 40), hop("B", "C", 60)]);
  assert.deepEqual(
    bars.map(({ address, x }) => [address, x]),
    [
      ["A", 0],
      ["B", 50],
      ["C", 100],
    ],
  );
  assert.deepEqual(
    bands.map(({ points }) => points.map(({ x }) => x)),
    [
      [0, 50],
      [0, 50, 100],
      [50, 100],
    ],
  );
  assert.deepEqual(
    bands.map(({ thickness }) => Math.round(thickness * 10) / 10),
    [28.8, 19.2, 28.8],
  );
});

test("a share too small to see is a thin band", () => {
  const { bands } = laidOut([hop("A", "B", 999_999), hop("A", "B", 1)]);
  assert.equal(bands[1]?.thickness, 1.5);
});

test("pools beside each other do not cross, and their numbers stand in one line", () => {
  const { bands } = laidOut([hop("A", "B", 1), hop("A", "B", 5), hop("A", "B", 3)]);
  const at = (end: 0 | -1): number[] => bands.map(({ points }) => points.at(end)?.y ?? 0);
  assert.deepEqual(at(0), at(-1));
  assert.deepEqual(
    at(0).toSorted((a, b) => a - b),
    at(0),
  );
  assert.deepEqual(new Set(bands.map(({ badge }) => badge.x)), new Set([50]));
});

test("hops that are in no order are not laid out", () => {
  assert.equal(diagramOf([hop("A", "B", 1), hop("C", "D", 1)], [1000, 1000]), null);
  assert.equal(diagramOf([hop("A", "B", 1), hop("B", "A", 1)], [1000, 1000]), null);
  assert.equal(diagramOf([hop("A", "A", 1)], [1000]), null);
});

test("whatever the plan, nothing overlaps: bars, their names, bands where they end, and numbers", () => {
  let touching = 0;
  for (const hops of manyPlans(300)) {
    const { height, bars, bands } = laidOut(hops);
    for (const { x, top, height: tall } of bars) {
      // Its name stands above it.
      assert.ok(top >= 24 && top + tall <= height, `${top}, ${tall}, ${height}`);
      for (const other of bars) {
        if (other.x === x && other.top > top) assert.ok(other.top >= top + tall + 24);
      }
    }
    for (const end of [0, -1]) {
      const ends = bands.map(({ points, thickness }) => ({ ...(points.at(end) ?? { x: 0, y: 0 }), thickness }));
      for (const [place, one] of ends.entries()) {
        assert.ok(one.y - one.thickness / 2 >= 0 && one.y + one.thickness / 2 <= height);
        for (const other of ends.slice(place + 1)) {
          if (other.x !== one.x) continue;
          assert.ok(Math.abs(other.y - one.y) >= (one.thickness + other.thickness) / 2);
        }
      }
    }
    touching += bands.filter(({ badge }, place) =>
      bands
        .slice(place + 1)
        .some((other) => Math.hypot((other.badge.x - badge.x) * NARROWEST, other.badge.y - badge.y) < 2 * RADIUS),
    ).length;
  }
  assert.equal(touching, 0);
});
