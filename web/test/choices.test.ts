// What is chosen beyond pair and amount, and where it has no place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOf, kept, refundFault, takesRefund } from "../src/choices.ts";
import { A, chain, form, token, U } from "./made.ts";

const there = { chain: chain({ id: 2 }), token: token("USDC", { chainId: 2 }) };
const solana = { chain: chain({ id: 3, chainType: "SVM" }), token: token("USDC", { chainId: 3 }) };
const sponsor = { address: "So1", sign: () => Promise.reject(new Error("unasked")) };
const call = { target: U, calldata: "0x" };

test("a refund address is asked for where a bridge takes part, in the form of the chain that is left", () => {
  const named = { refundTo: ` ${A} ` };
  assert.deepEqual(choicesOf(form({ ...named, get: there }), {}), { refundTo: A });
  assert.deepEqual(kept(form({ ...named, get: there })), { refundTo: A });
  assert.deepEqual(choicesOf(form(named), {}), {}, "one chain refunds nobody");
  assert.ok(takesRefund(form({ get: solana })) && takesRefund(form({ pay: solana, get: there })));
  assert.ok(!takesRefund(form({ get: { ...there, chain: null } })));
  assert.match(refundFault(form({ get: solana, refundTo: "So1" })), /40 hexadecimal digits/);
  assert.match(refundFault(form({ pay: solana, get: there, refundTo: A })), /base58/);
  assert.equal(refundFault(form({ refundTo: "So1" })), "");
});

test("tip and sponsor are for what is paid from Solana, a call is the page's wish everywhere", () => {
  const tipped = form({ tip: "10000", pay: solana });
  assert.deepEqual(choicesOf(tipped, { sponsor }), { jitoTip: "10000", feePayer: "So1" });
  assert.deepEqual(kept(tipped), { tip: "10000" });
  assert.deepEqual(choicesOf(form({ tip: "10000" }), { sponsor, call }), { destinationCall: call });
  assert.deepEqual(choicesOf(form({ tip: "" }), { call: null, sponsor: null }), {});
});
