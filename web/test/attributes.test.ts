// What a page says by attributes: what is followed, and that nothing is left out without a word.

import assert from "node:assert/strict";
import { test } from "node:test";
import { servedFaults } from "../src/attribute-checks.ts";
import { apiOf, type Options, readAttributes } from "../src/attributes.ts";
import { EMPTY } from "../src/form.ts";
import { A, chain, token } from "./made.ts";

const read = (given: Record<string, string>): { options: Options | null; faults: string[] } => {
  const element = {
    getAttribute: (name: string) => given[name] ?? null,
    hasAttribute: (name: string) => name in given,
  };
  // Here: what draws looks for a document when it is loaded.
  const before = { document: globalThis.document, location: globalThis.location };
  Object.assign(globalThis, {
    document: { baseURI: "https://site/" },
    location: { search: "?integrator=linked&from=1:DAI" },
  });
  const { options, faults } = readAttributes(element as unknown as Element);
  Object.assign(globalThis, before);
  return { options, faults: faults.map(({ code, attributes, value }) => `${code} ${attributes.join("+")} ${value}`) };
};

test("what is as it should be is followed, without a word", () => {
  const { options, faults } = read({
    api: "/rhumbline",
    chains: "1, 2",
    payers: "1",
    tokens: "1:USDC 2:0xAbC",
    tools: "onchain ACROSS",
    integrator: "acme",
    fee: "0.005",
    from: "1:USDC",
    to: "2:ETH",
    amount: "12.5",
    receiver: A,
    locked: "to",
  });
  assert.deepEqual(faults, []);
  assert.deepEqual(options, {
    api: "https://site/rhumbline",
    chains: [1, 2],
    payers: [1],
    tokens: ["1:USDC", "2:0xAbC"],
    tools: ["ONCHAIN", "ACROSS"],
    integrator: "acme",
    fee: 0.005,
    link: "",
    preset: { from: { chainId: 1, token: "USDC" }, to: { chainId: 2, token: "ETH" }, amount: "12.5", receiver: A },
    locked: ["get"],
    walletConnect: undefined,
  });
});

test("a fee without an integrator, or one that is none, is said", () => {
  const share = (given: Record<string, string>) => {
    const { options, faults } = read({ api: "/", ...given });
    return [options?.integrator, options?.fee, ...faults];
  };
  assert.deepEqual(share({ fee: "0.01" }), [undefined, undefined, "CONTRADICTION fee+integrator 0.01"]);
  assert.deepEqual(share({ fee: "0.2", integrator: "acme" }), ["acme", undefined, "INVALID fee 0.2"]);
  assert.deepEqual(share({ fee: "1 %", integrator: "acme" }), ["acme", undefined, "INVALID fee 1 %"]);
  assert.deepEqual(share({ fee: "0", integrator: "acme" }), ["acme", undefined, "INVALID fee 0"]);
  assert.deepEqual(share({ fee: "0.01", integrator: "a company" }), [
    ...[undefined, undefined],
    ...["INVALID integrator a company", "CONTRADICTION fee+integrator 0.01"],
  ]);
  assert.deepEqual(share({ fee: "0.01", links: "" }), ["linked", 0.01]);
});

test("attributes that contradict each other, or that nobody understands, are said", () => {
  const said = (given: Record<string, string>): string[] => read({ api: "/", ...given }).faults;
  assert.deepEqual(said({ api: "javascript:alert(1)" }), ["INVALID api javascript:alert(1)"]);
  assert.deepEqual(said({ chains: "1 base", payers: "1e3", tokens: "USDC" }), [
    ...["INVALID chains base", "INVALID payers 1e3", "INVALID tokens USDC"],
  ]);
  assert.deepEqual(said({ from: "1:usdc", to: "1:USDC" }), ["CONTRADICTION from+to USDC"]);
  assert.deepEqual(said({ chains: "1", payers: "2", tokens: "3:X", from: "4:A", to: "5:B" }), [
    ...["CONTRADICTION payers+chains 2", "CONTRADICTION tokens+chains 3", "CONTRADICTION from+chains 4"],
    ...["CONTRADICTION to+chains 5", "CONTRADICTION from+payers 4"],
  ]);
  assert.deepEqual(said({ locked: "from amount" }), ["INVALID locked amount", "CONTRADICTION locked+from from"]);
  assert.deepEqual(said({ amount: "1,5", receiver: "bob.eth", from: "<b>" }), [
    ...["INVALID from <b>", "INVALID amount 1,5", "INVALID receiver bob.eth"],
  ]);
});

test("a script that an application bundles needs an address", () => {
  assert.deepEqual([apiOf(null, "", "https://site/"), apiOf(" ", "", "https://site/")], [null, null]);
  assert.equal(apiOf(null, "https://service/x.js", "https://site/"), "https://service");
});

test("what the service does not have is said once its lists are known", () => {
  const [here, usdc] = [chain(), token("USDC")];
  const offered = {
    tools: { exchanges: [{ key: "ONCHAIN", name: "O", supportedChains: [] }], bridges: [] },
    payers: [{ id: 1 }],
    missing: [],
    chain: (id: number | null) => id === 1 && here,
  };
  const options: Options = {
    ...{ api: "", chains: [1, 9], payers: [1, 8], tokens: [], tools: ["ONCHAIN", "NOBODY"], link: "" },
    preset: { from: { chainId: 1, token: "NOPE" }, to: null, amount: "1", receiver: "x" },
  };
  const form = { ...EMPTY, pay: { chain: here, token: null }, get: { chain: here, token: usdc }, receiver: "x" };
  const found = servedFaults(options, offered, form).map(({ code, attributes, value }) => [code, attributes[0], value]);
  assert.deepEqual(found, [
    ["NOT_SERVED", "chains", "9"],
    ["NOT_SERVED", "payers", "8"],
    ["NOT_SERVED", "tools", "NOBODY"],
    ["NOT_SERVED", "from", "NOPE"],
    ["CONTRADICTION", "receiver", "x"],
  ]);
});
