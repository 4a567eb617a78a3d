// Which chains can be paid from, as far as a page is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Api } from "../src/api.ts";
import { Catalog } from "../src/catalog.ts";

const CHAINS = [{ id: 1, served: true }, { id: 10, served: false }, { id: 56 }, { id: 99, served: true }];
const TOOLS = {
  exchanges: [{ key: "OKX", name: "OKX DEX", supportedChains: ["1"] }],
  bridges: [{ key: "RELAY", name: "Re\u202elay", supportedChains: ["1", "10", "56"] }],
};

const loaded = async (told: number[], own: number[]): Promise<Catalog> => {
  const facts = async () => ({ payers: told, receipts: "https://service.example/tx/" });
  const api = { chains: async () => CHAINS, tools: async () => TOOLS, facts } as unknown as Api;
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

test("tools have the names that people know, and their keys where there is none", async () => {
  const catalog = await loaded([], []);
  assert.deepEqual(
    ["OKX", "RELAY", "OTHER"].map((key) => catalog.toolName(key)),
    ["OKX DEX", "Relay", "OTHER"],
  );
});
