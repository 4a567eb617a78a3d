import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dollars,
  formatAmount,
  formatBps,
  formatDollars,
  formatRate,
  lossBps,
  parseAmount,
  plainAmount,
  readDecimal,
  shareOf,
  shortAmount,
} from "../src/money.ts";

test("amounts are exact whatever their size, both ways", () => {
  let seed = 7n;
  for (let turn = 0; turn < 500; turn += 1) {
    seed = (seed * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    const raw = (seed ** 4n % 2n ** BigInt((turn % 255) + 1)) + 1n;
    const decimals = turn % 37;
    assert.equal(parseAmount(plainAmount(raw, decimals), decimals), raw);
    assert.equal(formatAmount(raw, decimals).replaceAll(",", ""), plainAmount(raw, decimals));
  }
});

test("what is no amount is a fault that says what to remedy", () => {
  for (const [text, decimals, says] of [
    ["", 6, /Enter an amount/],
    [".", 6, /Write digits only, such as 1,234.5/],
    ["1e30", 18, /Write digits only/],
    ["1e-18", 18, /Write digits only/],
    ["-1", 6, /Write digits only/],
    ["$5", 6, /Write digits only/],
    ["1,23,4", 6, /commas or points are misplaced/],
    ["0", 6, /more than 0/],
    ["1.1234567", 6, /6 decimal places/],
    ["1.5", 0, /no decimal places/],
    [`1${"0".repeat(200)}`, 6, /more than any token/],
    [(2n ** 256n).toString(), 0, /more than any token/],
  ] as const)
    assert.throws(() => parseAmount(text, decimals), says);
  assert.equal(parseAmount("0.000000000000000001", 18), 1n);
  assert.equal(parseAmount(`1${"0".repeat(30)}`, 18), 10n ** 48n);
  assert.equal(parseAmount("1.50000000000", 6), 1_500_000n);
});

test("a short amount is cut off and never rounded up", () => {
  assert.equal(shortAmount(1_999_999_999n, 9), "1.99999");
  assert.equal(shortAmount(123_456_789_999n, 4), "12,345,678.99");
  assert.equal(shortAmount(1n, 18), "0.000000000000000001");
  assert.equal(shortAmount(5_000_000n, 6), "5");
});

test("dollars are rounded down, and are none without a price", () => {
  assert.equal(dollars(1_999_999n, 6, "1"), 1_999_999n);
  assert.equal(dollars(1n, 18, "3000"), 0n);
  assert.equal(dollars(10n ** 18n, 18, "2999.9999999"), 2_999_999_999n);
  for (const price of [undefined, "", "0", "-1", "NaN", "1e5"]) assert.equal(dollars(1n, 6, price), null);
  assert.equal(formatDollars(1_234_567_899_999n), "$1,234,567.89");
  assert.equal(formatDollars(9_999n), "<$0.01");
  assert.equal(formatDollars(-1_500_000n), "−$1.50");
});

test("a loss is rounded up and a gain is below 0", () => {
  assert.equal(lossBps(10_000n, 9_000n), 1000);
  assert.equal(lossBps(1_000_000n, 900_001n), 1000);
  assert.equal(lossBps(1_000_000n, 999_999n), 1);
  assert.equal(lossBps(100n, 110n), -1000);
  assert.equal(lossBps(0n, 5n), 0);
  assert.equal(formatBps(1150), "11.5%");
  assert.equal(formatBps(1000), "10%");
});

test("decimals, shares and rates are cut off", () => {
  assert.equal(readDecimal("0.1156", 4), 1156n);
  assert.equal(readDecimal("-0.00019", 4), -1n);
  assert.equal(readDecimal("1e3", 4), null);
  assert.equal(shareOf(7n, 50n), 3n);
  assert.equal(formatRate(3_000_000_000n, 6, 10n ** 18n, 18), "0.000333333");
  assert.equal(formatRate(0n, 6, 1n, 6), "0");
});
