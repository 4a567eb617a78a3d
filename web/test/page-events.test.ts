// What the page around the element is told of a visit: each thing once, and nothing that has not changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Options } from "../src/attributes.ts";
import { EMPTY } from "../src/form.ts";
import { PageEvents, type Watched } from "../src/page-events.ts";
import { A, B, chain, route, token } from "./made.ts";

const OPTIONS: Options = { api: "", chains: [], payers: [], tokens: [], link: "", integrator: "acme", fee: 0.01 };
const SKIPPED = { code: "INTEGRATOR_WALLET_NOT_CONFIGURED_FEE_SKIPPED", message: "none" };
const NO_TOOLS = { exchanges: [], bridges: [] };
const FAILED = { headline: "No", text: "none", again: null, remedy: null, refusals: [] };
const wallet = { name: "W", address: A, chainType: "EVM" as const, chainId: 1n };

function made() {
  const told: [string, Record<string, unknown>][] = [];
  const events = new PageEvents((name, detail) => void told.push([name, detail as unknown as Record<string, unknown>]));
  events.begin(OPTIONS, []);
  let visit: Watched = {
    ...{ ready: true, form: EMPTY, route: null, search: { is: "idle" }, problem: "", refused: "" },
    connections: { all: () => [] },
    catalog: { tools: NO_TOOLS, payers: [], missing: [], chain: () => chain() },
  };
  /** Looks at what is different now; answers what was told of it. */
  const now = (changes: Partial<Watched>) => {
    const before = told.length;
    visit = { ...visit, ...changes };
    events.look(visit);
    events.look(visit);
    return told.slice(before);
  };
  /** Waits for the words of the warnings, which are loaded. */
  const warnings = async (): Promise<unknown[][]> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    const found = told.filter(([name]) => name === "rhumbline-warning").map(([, detail]) => detail);
    return found.map(({ code, attributes, value }) => [code, attributes, value]);
  };
  return { events, now, told, warnings };
}

test("the wallets, one for each type of chain: connected, changed, disconnected", () => {
  const { now } = made();
  now({});
  const solana = { ...wallet, name: "S", chainType: "SVM" as const, address: "s", chainId: null };
  const states = [[wallet], [{ ...wallet, chainId: 2n }, solana], [{ ...wallet, address: B }, solana], [solana], []];
  const told = states
    .flatMap((all) => now({ connections: { all: () => all } }))
    .map(([name, { state, address, chainId }]) => [name, state, address, chainId]);
  assert.deepEqual(told, [
    ["rhumbline-wallet", "connected", A, 1],
    ["rhumbline-wallet", "changed", A, 2],
    ["rhumbline-wallet", "connected", "s", null],
    ["rhumbline-wallet", "changed", B, 1],
    ["rhumbline-wallet", "disconnected", B, 1],
    ["rhumbline-wallet", "disconnected", "s", null],
  ]);
});

test("the choice: tokens, amount, receiver and route", () => {
  const { now } = made();
  assert.deepEqual(now({})[0]?.[1], { from: null, to: null, amount: null, receiver: null, route: null });
  const form = { ...EMPTY, pay: { chain: chain(), token: token("USDC") }, amount: "1.5", receiver: ` ${B} ` };
  const [[name, choice]] = now({ form }) as [[string, Record<string, unknown>]];
  assert.deepEqual([name, choice.amount, choice.receiver], ["rhumbline-choice", "1500000", B]);
  assert.deepEqual(choice.from, { chainId: 1, address: token("USDC").address, symbol: "USDC", decimals: 6 });
  const routed = now({ route: route({ id: "r" }) }).map(([, detail]) => (detail.route as { id: string }).id);
  assert.deepEqual(routed, ["r"]);
  assert.deepEqual(now({ form: { ...form, slippage: "1" } }), [], "nobody has chosen anything else");
});

test("errors, with what was being done and a code", () => {
  const { now } = made();
  now({});
  const explanation = { ...FAILED, code: "NO_AVAILABLE_QUOTES", faults: [] };
  const said = [
    { refused: "down" },
    { search: { is: "failed" as const, explanation } },
    { problem: "it hangs" },
    { problem: "" },
  ]
    .flatMap((state) => now(state))
    .map(([name, { during, code }]) => [name, during, code]);
  assert.deepEqual(said, [
    ["rhumbline-error", "start", "STOPPED"],
    ["rhumbline-error", "quote", "NO_AVAILABLE_QUOTES"],
    ["rhumbline-error", "send", "STOPPED"],
  ]);
  const again = now({ problem: "You declined in the wallet. Nothing was sent" });
  assert.deepEqual(
    again.map(([, { code }]) => code),
    ["DECLINED"],
  );
});

test("a fee that is not taken or refused is said in the console and in an event", async (context) => {
  const written = context.mock.method(console, "warn", () => undefined);
  const { now, warnings } = made();
  const routes = [route({ adapter: "B", warnings: [SKIPPED] }), route({ adapter: "A", warnings: [SKIPPED] }), route()];
  now({ search: { is: "answered", routes, at: 1 } });
  now({ search: { is: "answered", routes: [...routes], at: 2 } });
  const faults = ["fee: must be at most 0.05", "amount: must be positive"];
  const explanation = { ...FAILED, code: "VALIDATION_ERROR", faults };
  now({ search: { is: "failed", explanation } });
  assert.deepEqual(await warnings(), [
    ["FEE_NOT_TAKEN", ["fee", "integrator"], "A, B"],
    ["FEE_REFUSED", ["fee", "integrator"], "fee: must be at most 0.05"],
  ]);
  assert.equal(written.mock.callCount(), 2);
  const [first] = written.mock.calls.map((call) => String(call.arguments[0]));
  assert.match(first ?? "", /^<rhumbline-swap>: The fee is not taken by the routes of A, B/);
});

test("each warning is said once a visit", async (context) => {
  context.mock.method(console, "warn", () => undefined);
  const { events, now, warnings } = made();
  const fault = { code: "INVALID" as const, attributes: ["fee"], value: "x" };
  events.begin(OPTIONS, [fault, fault]);
  now({ catalog: { tools: NO_TOOLS, payers: [], missing: ["1:nope"], chain: () => chain() } });
  assert.deepEqual(await warnings(), [
    ["INVALID", ["fee"], "x"],
    ["NOT_SERVED", ["tokens"], "1:nope"],
  ]);
  events.begin(OPTIONS, [fault]);
  assert.equal((await warnings()).length, 3);
});
