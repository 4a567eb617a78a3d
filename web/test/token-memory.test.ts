import assert from "node:assert/strict";
import { test } from "node:test";
import { TokenMemory } from "../src/token-memory.ts";
import { A, B, token } from "./made.ts";

/** What a browser keeps, which may refuse. */
function shelfOf(kept: Record<string, string> = {}, full = false): Storage {
  return {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, text: string) => {
      if (full) throw new Error("full");
      kept[key] = text;
    },
  } as unknown as Storage;
}

const symbols = (memory: TokenMemory): string[] => memory.list("recent").map(({ symbol }) => symbol);

test("the last six tokens are kept, the latest first and none twice", () => {
  const kept: Record<string, string> = {};
  const memory = new TokenMemory(shelfOf(kept));
  for (const place of [1, 2, 3, 4, 5, 6, 7, 3]) memory.chosen(token(`T${place}`, { chainId: place }));
  assert.deepEqual(symbols(memory), ["T3", "T7", "T6", "T5", "T4", "T2"]);
  assert.deepEqual(symbols(new TokenMemory(shelfOf(kept))), symbols(memory));
});

test("a favourite is one by its chain and address, until it is none", () => {
  const memory = new TokenMemory(shelfOf());
  memory.toggle(token("USDC", { address: A }));
  assert.equal(memory.isFavourite(token("USDC", { address: A.toUpperCase().replace("0X", "0x") })), true);
  assert.equal(memory.isFavourite(token("USDC", { address: B })), false);
  assert.equal(memory.isFavourite(token("USDC", { address: A, chainId: 10 })), false);
  memory.toggle(token("USDC", { address: A }));
  assert.deepEqual(memory.list("favourites"), []);
});

test("without a storage, or with a full one, it lasts as long as the page", () => {
  for (const storage of [null, shelfOf({}, true)]) {
    const memory = new TokenMemory(storage);
    memory.chosen(token("USDC"));
    memory.toggle(token("DAI", { address: A }));
    assert.deepEqual([symbols(memory), memory.isFavourite(token("DAI", { address: A }))], [["USDC"], true]);
  }
});

test("what is kept and is none of ours is left out", () => {
  for (const text of ["{", "null", "7", "[null, 7, {}]", '[{"chainId":"1","address":"a","symbol":"b"}]'])
    assert.deepEqual(symbols(new TokenMemory(shelfOf({ "rhumbline-swap/tokens/recent": text }))), []);
});
