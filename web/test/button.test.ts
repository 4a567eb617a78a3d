import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "../src/api.ts";
import { buttonOf } from "../src/button.ts";
import { complete, queryOf, receiverOf, slippageOf } from "../src/form.ts";
import { lossOf, needsYes } from "../src/loss.ts";
import { chain, facts, form, NATIVE, route, step, token, U } from "./made.ts";

const NONE = { all: () => [] };
const says = (changes: Parameters<typeof facts>[0], text: string | RegExp, disabled: boolean): void => {
  const button = buttonOf(facts(changes));
  assert.match(button.text, typeof text === "string" ? new RegExp(`^${text}$`) : text);
  assert.equal(button.disabled, disabled, button.text);
};

test("the one button says what is next", () => {
  says({}, "Approve and swap", false);
  says({ ready: false }, /Loading/, true);
  says({ busy: "Confirm in your wallet…" }, /Confirm/, true);
  says({ form: form({ amount: "" }) }, "Enter an amount", true);
  says({ form: form({ amount: "1e3" }) }, "Enter an amount", true);
  says({ account: null, connections: NONE }, "Connect wallet", false);
  says({ account: null }, "Connect a wallet for One", false);
  says({ search: { is: "asking" } }, /Looking for routes/, true);
  says({ search: { is: "asking" }, account: null, connections: NONE }, "Connect wallet", false);
  says({ form: form({ slippage: "50" }) }, "Check the slippage", true);
  says({ account: { address: "", name: "", chainType: "EVM", chainId: 2n } }, "Switch to One", false);
  says({ form: form({ get: form().pay }) }, /two different/, true);
});

test("across types of chain the connected wallet there receives, unless another address is typed", () => {
  const there = { chain: chain({ id: 9, chainType: "SVM", name: "Nine" }), token: token("SOL", { chainId: 9 }) };
  const [evm, svm] = [
    { address: "0xw", name: "W", chainType: "EVM" as const, chainId: 1n },
    { address: "So1", name: "S", chainType: "SVM" as const, chainId: null },
  ];
  const crossing = form({ get: there });
  says({ form: crossing, receiving: null }, "Enter a receiver on Nine", true);
  says({ form: crossing, receiving: svm }, "Approve and transfer", false);
  assert.deepEqual(
    [receiverOf(crossing, svm), receiverOf(crossing, null), receiverOf(crossing, evm)],
    ["So1", "", ""],
    "a wallet of another type of chain receives nothing",
  );
  assert.equal(receiverOf({ ...crossing, receiver: " typed " }, svm), "typed");
  assert.equal(receiverOf(form(), evm), "", "on one type of chain it is the sender");
  assert.ok(complete(crossing, svm) && !complete(crossing));
});

test("a wallet that cannot pay is never led to send", () => {
  says({ balance: 9_999_999n }, "Not enough USDC", true);
  says({ balance: null }, /Looking at your balance/, true);
  says({ balance: null, account: { address: "", name: "", chainType: "EVM", chainId: 2n } }, "Switch to One", false);
  const gas = {
    type: "gas",
    amount: "500",
    chainId: 1,
    currencySymbol: "ETH",
    currencyAddress: NATIVE,
    decimals: 18,
    included: false,
  };
  const costly = step();
  costly.estimate.fees.breakdown.push(gas);
  says({ route: route({ steps: [costly] }), native: 499n }, /Not enough ETH for the network/, true);
  says({ route: route({ steps: [costly] }), native: 500n }, "Approve and swap", false);
  const sponsored = step();
  sponsored.estimate.fees.breakdown.push({ ...gas, paidBy: "So1" });
  says({ route: route({ steps: [sponsored] }), native: 0n }, "Approve and swap", false);
  const paid = { pay: { chain: chain(), token: token("ETH", { address: NATIVE, decimals: 6 }) } };
  says(
    { form: form(paid), route: route({ steps: [costly] }), native: 10_000_499n },
    /Not enough ETH for the network/,
    true,
  );
  says({ form: form(paid), route: route({ steps: [costly] }), native: 10_000_500n }, "Approve and swap", false);
});

test("nothing is asked while a refund address is none", () => {
  const there = { chain: chain({ id: 2 }), token: token("USDC", { chainId: 2 }) };
  says({ form: form({ get: there, refundTo: "0x12" }) }, "Check the refund address", true);
  says({ form: form({ get: there, refundTo: U }) }, "Approve and transfer", false);
  says({ form: form({ refundTo: "0x12" }) }, "Approve and swap", false);
});

test("a loss of a tenth takes a deliberate yes", () => {
  const losing = (output: string, least: string): Route => route({ outputAmount: output, minOutputAmount: least });
  says({ route: losing("9000000", "9000000") }, "Confirm the loss first", true);
  says({ route: losing("9000000", "9000000"), agreed: true }, "Approve and swap", false);
  says({ route: losing("9001000", "9001000") }, "Approve and swap", false);
  says({ route: losing("9900000", "8999999") }, "Confirm the loss first", true);
  const unpriced = form({ get: { chain: chain(), token: token("NEW", { address: U, priceUSD: undefined }) } });
  says({ form: unpriced }, "Confirm the loss first", true);
  says({ form: unpriced, warned: step({ priceImpact: "0.02" }) }, "Approve and swap", false);
  assert.deepEqual(lossOf(form(), route(), step({ priceImpact: "0.1156" })), { bps: 1156, worst: 1156 });
  const gas = (amountUsd?: string) => ({
    ...route().fees,
    breakdown: [{ ...route().fees.total, type: "gas", included: false, amountUsd }],
  });
  assert.deepEqual(lossOf(form(), route({ fees: gas("0.5") }), null), { bps: 510, worst: 550 });
  says({ route: route({ fees: gas("1") }) }, "Confirm the loss first", true);
  says({ route: route({ fees: gas() }) }, "Confirm the loss first", true);
  assert.equal(needsYes({ bps: 999, worst: 999 }), false);
  assert.equal(needsYes({ bps: -50, worst: -20 }), false);
});

test("a question has what was chosen and no more", () => {
  const asked = queryOf(form(), "0xs", "", {});
  assert.deepEqual(asked, {
    senderAddress: "0xs",
    originChainId: 1,
    destinationChainId: 1,
    originCurrency: `0x${"c".repeat(40)}`,
    destinationCurrency: `0x${"d".repeat(40)}`,
    amount: "10000000",
    slippageMode: "auto",
  });
  assert.equal(queryOf(form({ slippage: "0.5" }), "0xs", "", { fee: 0.1 })?.slippage, 0.005);
  assert.equal(queryOf(form(), "0xs", "", { fee: 0.1 })?.fee, undefined);
  assert.equal(queryOf(form(), "0xs", "0xr", {})?.receiverAddress, "0xr");
  assert.equal(queryOf(form({ priority: "high" }), "0xs", "", {})?.priority, undefined);
  const solana = { chain: chain({ chainType: "SVM" }), token: token("USDC") };
  assert.equal(queryOf(form({ priority: "high", pay: solana }), "s", "", {})?.priority, "high");
  assert.equal(queryOf(form({ pay: solana }), "s", "", {})?.priority, undefined);
  const [there, ether] = [chain({ id: 2 }), token("ETH", { address: NATIVE, chainId: 2 })];
  const abroad = { gas: true, get: { chain: there, token: token("USDC", { chainId: 2 }) } };
  assert.equal(queryOf(form(abroad), "0xs", "", {})?.destinationGas, "auto");
  assert.equal(queryOf(form({ gas: true }), "0xs", "", {})?.destinationGas, undefined, "not on one chain");
  const native = { gas: true, get: { chain: there, token: ether } };
  const alien = { chain: chain({ id: 3, chainType: "SVM" }), token: token("USDC", { chainId: 3 }) };
  assert.equal(queryOf(form({ ...abroad, pay: alien }), "s", "", {})?.destinationGas, "auto", "from Solana too");
  assert.equal(queryOf(form({ gas: true, get: alien }), "0xs", "", {})?.destinationGas, undefined, "not to Solana");
  assert.equal(queryOf(form({ ...abroad, fixed: "get" }), "0xs", "", {})?.destinationGas, undefined);
  assert.equal(queryOf(form(native), "0xs", "", {})?.destinationGas, undefined, "not where it arrives anyway");
  assert.ok(complete(form()));
  assert.ok(!complete(form({ slippage: "60" })), "nothing is asked with another slippage than what stands there");
  for (const text of ["", "0", "50", "abc", "-1", "1e1"]) assert.equal(slippageOf(text), null, text);
});
