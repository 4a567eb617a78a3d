// The formatter breaks no line within a template, a style or a comment: this says where one is too long.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const LONGEST = 120;

test("no line is longer than what the formatter permits", () => {
  const paths = ["src", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  const long = paths
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .map((line, place) => ({ at: `${path}:${place + 1}`, line })),
    )
    .filter(({ line }) => line.length > LONGEST);
  assert.deepEqual(
    long.map(({ at }) => at),
    [],
  );
});
