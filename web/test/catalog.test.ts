// Which chains can be paid from, as far as a page is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Api } from "../src/api.ts";
import { Catalog } from "../src/catalog.ts";

const CHAINS = [{ id: 1, served: true }, { id: 10, served: false }, { id: 56 }, { id: 99, served: true }];
const TOOLS = { exchanges: [{ supportedChains: ["1"] }], bridges: [{ supportedChains: ["1", "10", "56"] }] };

const loaded = async (told: number[], own: number[]): Promise<Catalog> => {
  const api = { chains: async () => CHAINS, tools: async () => TOOLS, payers: async () => told } as unknown as Api;
  const catalog = new Catalog(api);
  await catalog.load([], own);
  return catalog;
};

const ids = (chains: { id: number }[]): number[] => chains.map(({ id }) => id);

test("where nobody names who can pay, the chains that are served can; older services do not say", async () => {
  const catalog = await loaded([], []);
  assert.deepEqual(ids(catalog.chains), [1, 10, 56]);
  assert.deepEqual(ids(catalog.payers), [1, 56]);
});

test("what the page or the service names counts alone", async () => {
  assert.deepEqual(ids((await loaded([10], [])).payers), [10]);
  assert.deepEqual(ids((await loaded([10], [56])).payers), [56]);
});
