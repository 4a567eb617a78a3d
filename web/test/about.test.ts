// About what arrives, said while routes are late.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Api, RouteQuery } from "../src/api.ts";
import { RouteRequests } from "../src/route-requests.ts";

const SOON_MS = 0;
const LATE_MS = 400;

/** Asks for routes that come when the test says so; tells what was said, in its order. */
function awaitingRoutes(context: TestContext, query: Partial<RouteQuery> = {}) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const said: string[] = [];
  let release = (): void => undefined;
  const api = {
    routes: () =>
      new Promise((resolve) => {
        release = () => resolve([]);
      }),
    about: async () => ({ outputAmount: "99" }),
  } as unknown as Api;
  const requests = new RouteRequests(api, {
    query: () => query as RouteQuery,
    asking: () => undefined,
    about: ({ outputAmount }) => said.push(outputAmount),
    answered: () => said.push("routes"),
    failed: () => said.push("failed"),
    stale: () => undefined,
  });
  context.after(() => requests.stop());
  const pass = async (milliseconds: number): Promise<void> => {
    context.mock.timers.tick(milliseconds);
    await new Promise(setImmediate);
  };
  return { requests, said, pass, release: () => release() };
}

test("it is asked for where routes are late, and not where they are there", async (context) => {
  const { requests, said, pass, release } = awaitingRoutes(context);
  requests.changed(SOON_MS);
  await pass(SOON_MS);
  await pass(LATE_MS - 1);
  assert.deepEqual(said, []);
  await pass(1);
  assert.deepEqual(said, ["99"]);
  release();
  await pass(0);
  requests.changed(SOON_MS);
  await pass(SOON_MS);
  release();
  await pass(0);
  await pass(LATE_MS);
  assert.deepEqual(said, ["99", "routes", "routes"]);
});

test("it is not asked for where what arrives was typed, nor said of another question", async (context) => {
  const exact = awaitingRoutes(context, { tradeType: "EXACT_OUTPUT" });
  exact.requests.changed(SOON_MS);
  await exact.pass(SOON_MS);
  await exact.pass(LATE_MS);
  assert.deepEqual(exact.said, []);
  context.mock.timers.reset();
  const { requests, said, pass } = awaitingRoutes(context);
  requests.changed(SOON_MS);
  await pass(SOON_MS);
  requests.stop();
  await pass(LATE_MS);
  assert.deepEqual(said, []);
});
