import assert from "node:assert/strict";
import { test } from "node:test";
import type { Api, Chain, Token } from "../src/api.ts";
import { Catalog } from "../src/catalog.ts";
import { chosenToken, EMPTY, type Form, type SideName, sameToken } from "../src/form.ts";
import { firstForm, readLink, sidesOf, type Wanted } from "../src/links.ts";
import { setLocale } from "../src/locale.ts";
import { parseAmount } from "../src/money.ts";
import { A, B, chain, NATIVE, T, token, U } from "./made.ts";

test("a link fills tokens and amount, and nothing else", () => {
  assert.deepEqual(readLink("?from=8453:USDC&to=1:ETH&amount=100&receiver=0x1&fee=0.1&slippage=50"), {
    from: { chainId: 8453, token: "USDC" },
    to: { chainId: 1, token: "ETH" },
    amount: "100",
  });
  // The field says what is wrong with it.
  assert.deepEqual(readLink("?from=<b>&to=1:&amount=1e5"), { from: null, to: null, amount: "1e5" });
  assert.equal(readLink(`?amount=${"9".repeat(500)}`).amount.length, 120);
});

test("the point of a link stands before decimals everywhere; what people write is read as it is there", () => {
  setLocale("de");
  try {
    assert.deepEqual(
      ["1.234", "1,234", "1.234,5", "1,234.5", " 7 ", ".5"].map((text) => {
        const { amount } = readLink(`?amount=${encodeURIComponent(text)}`);
        return [amount, parseAmount(amount, 6)];
      }),
      [
        ["1,234", 1_234_000n],
        ["1,234", 1_234_000n],
        ["1.234,5", 1_234_500_000n],
        ["1,234.5", 1_234_500_000n],
        ["7", 7_000_000n],
        [",5", 500_000n],
      ],
    );
  } finally {
    setLocale("en");
  }
  assert.equal(parseAmount(readLink("?amount=1,234").amount, 6), 1_234_000_000n);
  assert.equal(parseAmount(readLink("?amount=1.234").amount, 6), 1_234_000n);
});

const tool = (key: string) => ({ key, name: key, supportedChains: ["1"] });

/** A service with one chain, of which these tokens are listed. */
async function catalogOf(symbols: string[], exchanges: string[] = []): Promise<Catalog> {
  const addresses: Record<string, string> = { ETH: NATIVE, USDC: T, DAI: A, WBTC: B };
  const api = {
    chains: async () => [chain({ served: true })],
    tools: async () =>
      exchanges.length
        ? { exchanges: exchanges.map(tool), bridges: [tool("Z")] }
        : { exchanges: [tool("X")], bridges: [] },
    facts: async () => ({ payers: [], receipts: "" }),
    tokens: async () => ({ 1: symbols.map((symbol) => token(symbol, { address: addresses[symbol] ?? U })) }),
  };
  const catalog = new Catalog(api as unknown as Api);
  await catalog.load([], []);
  return catalog;
}

test("a link fills what is not locked, the page around the rest, and the receiver is the page's alone", async () => {
  const catalog = await catalogOf(["USDC", "ETH", "DAI", "WBTC"]);
  const [from, to] = ["WBTC", "USDC"].map((symbol) => ({ chainId: 1, token: symbol })) as [Wanted, Wanted];
  const preset = { from, to, amount: "1.5", receiver: B };
  const filled = async (link: string, locked: SideName[] = []) => {
    const { pay, get, amount, receiver, receiverShown } = await firstForm(catalog, { link, preset, locked });
    return [pay.token?.symbol, get.token?.symbol, amount, receiver, receiverShown];
  };
  assert.deepEqual(await filled(""), ["WBTC", "USDC", "1.5", B, true]);
  assert.deepEqual(await filled("?from=1:DAI&amount=7&receiver=0x1"), ["DAI", "USDC", "7", B, true]);
  assert.deepEqual(await filled("?from=1:DAI&to=1:ETH", ["pay"]), ["WBTC", "ETH", "1.5", B, true]);
  setLocale("de");
  assert.equal((await filled(""))[2], "1,5");
  setLocale("en");
});

test("what a page locks stays, on either side, and cannot be turned around", async () => {
  const catalog = await catalogOf(["USDC", "ETH", "DAI"]);
  const here = catalog.chains[0] as Chain;
  const [usdc, dai] = (await Promise.all(["USDC", "DAI"].map((name) => catalog.find(here, name)))) as [Token, Token];
  const form: Form = { ...EMPTY, pay: { chain: here, token: dai }, get: { chain: here, token: usdc }, locked: ["get"] };
  const offered = { bridged: false, payable: () => true };
  assert.equal(chosenToken(form, "get", { chain: here, token: dai }, offered), null);
  const same = { chain: here, token: usdc };
  assert.deepEqual(chosenToken(form, "pay", same, offered), { pay: same });
  assert.deepEqual(chosenToken({ ...form, locked: [] }, "pay", same, offered), { pay: same, get: form.pay });
});

test("tools that a page does not name are not asked", async () => {
  const asked = async (tools: string[]) => {
    const catalog = await catalogOf(["USDC"], ["X", "Y"]);
    await catalog.load([], [], tools);
    return catalog.filters;
  };
  assert.deepEqual(await asked([]), {});
  assert.deepEqual(await asked(["X"]), { includeExchanges: "X", excludeBridges: "Z" });
  assert.deepEqual(await asked(["Z", "Y"]), { includeExchanges: "Y", includeBridges: "Z" });
  assert.deepEqual(await asked(["Z"]), { excludeExchanges: "X,Y", includeBridges: "Z" });
});

test("what is usual is never the same token on both sides", async () => {
  for (const [listed, search, pay, get] of [
    [["ETH", "USDC", "DAI"], "", "USDC", "ETH"],
    [["ETH", "USDC", "DAI"], "?from=1:ETH", "ETH", "USDC"],
    [["ETH", "USDC", "DAI"], "?to=1:USDC", "ETH", "USDC"],
    [["ETH", "USDC", "DAI"], "?from=ETH&to=USDC", "ETH", "USDC"],
    [["ETH", "DAI"], "", "ETH", "DAI"],
    [["DAI", "WBTC"], "?to=DAI", "WBTC", "DAI"],
    [["ETH"], "", "ETH", undefined],
    [["ETH", "USDC"], "?from=ETH&to=ETH", "ETH", "ETH"],
  ] as const) {
    const sides = await sidesOf(await catalogOf([...listed]), readLink(search));
    assert.deepEqual([sides.pay.token?.symbol, sides.get.token?.symbol], [pay, get], `${listed} ${search}`);
    assert.equal(sameToken(sides.pay.token, sides.get.token), search === "?from=ETH&to=ETH");
  }
});
