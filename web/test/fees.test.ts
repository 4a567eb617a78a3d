import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fee } from "../src/api.ts";
import { feeLines } from "../src/views/fees.ts";
import { T, U } from "./made.ts";

const fee = (type: string, amount: string, changes: Partial<Fee> = {}): Fee => ({
  type,
  amount,
  currencySymbol: "USDC",
  currencyAddress: T,
  chainId: 1,
  decimals: 6,
  ...changes,
});

test("each kind of fee is one line, with its amounts by token and what they are worth together", () => {
  const ether = { currencySymbol: "WETH", currencyAddress: U, decimals: 18 };
  assert.deepEqual(
    feeLines([
      fee("app", "900000", { amountUsd: "0.9" }),
      fee("lp", "1500000", { amountUsd: "1.5" }),
      fee("lp", "1000000000000000000", { ...ether, amountUsd: "3000.25" }),
      fee("lp", "500000", { currencyAddress: T.toUpperCase().replace("0X", "0x"), amountUsd: "0.5" }),
    ]),
    [
      { type: "app", usd: 900_000n, amounts: ["0.9 USDC"] },
      { type: "lp", usd: 3_002_250_000n, amounts: ["2 USDC", "1 WETH"] },
    ],
  );
});

test("what the service takes and what the integrator takes are both to be seen", () => {
  const fees = [fee("app", "1000000", { amountUsd: "1" }), fee("app", "20000000", { amountUsd: "20" })];
  assert.deepEqual(feeLines(fees), [{ type: "app", usd: 21_000_000n, amounts: ["1 USDC", "20 USDC"] }]);
});

test("without one of the prices there are amounts alone; the same token on another chain is another", () => {
  assert.deepEqual(feeLines([fee("gas", "1000000", { amountUsd: "1" }), fee("gas", "1000000", { chainId: 10 })]), [
    { type: "gas", usd: null, amounts: ["1 USDC", "1 USDC"] },
  ]);
  assert.deepEqual(feeLines([]), []);
});
