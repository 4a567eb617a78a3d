// One visit: what is asked when something changes, and what is sent when the button is pressed.

import assert from "node:assert/strict";
import { before, type TestContext, test } from "node:test";
import type { RouteQuery } from "../src/api.ts";
import type { Options } from "../src/attributes.ts";
import type { ResolveName } from "../src/receiver-names.ts";
import type { Search } from "../src/route-requests.ts";
import { Session } from "../src/session.ts";
import { HASH, settled } from "./fakes.ts";
import { A, B, chain, NATIVE, route, token, U } from "./made.ts";

const USDC = token("USDC", { priceUSD: "1" });
const DAI = token("DAI", { address: U, priceUSD: "1" });
const ETH = token("ETH", { address: NATIVE, decimals: 18, priceUSD: "3000" });
const ALICE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BOB = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const WAIT_MS = 450;

/** The service, and a wallet that announces itself: what they answer, and what they were asked. */
class World {
  chains = [chain({ id: 1, name: "One" }), chain({ id: 2, name: "Two", served: false })];
  answers: (body: RouteQuery) => unknown = () => ({ routes: [route({ id: "r" })] });
  down = false;
  questions: RouteQuery[] = [];
  sent: unknown[] = [];
  /** Called when the wallet is asked to send. */
  sending: () => void = () => undefined;
  account = B;
  listeners = new Map<string, (value: never) => void>();

  fetch = async (url: string, options: RequestInit = {}): Promise<Response> => {
    if (this.down) throw new TypeError("down");
    const { pathname } = new URL(url);
    const body = options.body ? JSON.parse(String(options.body)) : null;
    const found = await this.answer(pathname, body);
    return found === undefined
      ? Response.json({ code: "NOT_FOUND", message: "" }, { status: 404 })
      : Response.json(found);
  };

  private answer(path: string, body: RouteQuery & { step: object }): unknown {
    if (path === "/v1/chains") return { chains: this.chains };
    if (path === "/v1/tools") {
      return {
        exchanges: [{ key: "A", name: "A", supportedChains: ["1", "2"] }],
        bridges: [{ key: "B", name: "B", supportedChains: ["1", "2"] }],
      };
    }
    if (path === "/v1/tokens")
      return {
        1: [USDC, DAI, ETH],
        2: [
          { ...USDC, chainId: 2 },
          { ...ETH, chainId: 2 },
        ],
      };
    if (path === "/v1/advanced/stepTransaction") return { ...body.step, transactionId: "0xid" };
    if (path !== "/v1/advanced/routes") return undefined;
    this.questions.push(body);
    return this.answers(body);
  }

  request = async ({ method, params }: { method: string; params?: unknown[] }): Promise<unknown> => {
    const [first] = (params ?? []) as [{ data: string }];
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [this.account];
    if (method === "eth_chainId") return "0x1";
    if (["eth_getTransactionCount", "eth_blockNumber", "eth_gasPrice"].includes(method)) return "0x1";
    if (method === "eth_getBalance") return `0x${(10n ** 18n).toString(16)}`;
    if (method === "eth_call") return first.data.length > 10 ? `0x${(10n ** 9n).toString(16).padStart(64, "0")}` : "0x";
    if (method === "eth_sendTransaction") {
      this.sending();
      this.sent.push(first);
      return HASH;
    }
    return null;
  };

  on(event: string, listener: (value: never) => void): void {
    this.listeners.set(event, listener);
  }
}

let world = new World();
const page = new EventTarget();
before(() => {
  Object.assign(globalThis, {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    dispatchEvent: page.dispatchEvent.bind(page),
    document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
    fetch: (url: string, options?: RequestInit) => world.fetch(url, options),
  });
});

interface Visit {
  session: Session;
  told: string[];
  /** Lets what waits for time and for promises go on. */
  pass: (milliseconds?: number) => Promise<void>;
}
async function visit(context: TestContext, changes: Partial<Options> = {}, names?: ResolveName): Promise<Visit> {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const told: string[] = [];
  const options = { api: "https://service", chains: [], payers: [], tokens: [], link: "", ...changes };
  const host = {
    changed: () => undefined,
    tell: (name: string) => void told.push(name),
    resolveName: () => names,
    ownWallets: () => undefined,
    choices: () => ({}),
  };
  const session = new Session(options, host);
  context.after(() => session.stop());
  const pass = async (milliseconds = 0): Promise<void> => {
    context.mock.timers.tick(milliseconds);
    for (let turn = 0; turn < 8; turn += 1) {
      await settled();
      await new Promise(setImmediate);
    }
  };
  await session.start();
  await pass();
  return { session, told, pass };
}

const announced = (): never => ({ id: "w", name: "W", icon: null, chainType: "EVM", provider: world }) as never;

test("a visit begins with the usual pair, or with that of a link", async (context) => {
  world = new World();
  const { session } = await visit(context);
  assert.deepEqual([session.form.pay.token?.symbol, session.form.get.token?.symbol], ["USDC", "ETH"]);
  context.mock.timers.reset();
  const linked = await visit(context, { link: "?from=1:DAI&to=2:USDC&amount=3" });
  const { pay, get, amount } = linked.session.form;
  assert.deepEqual([pay.token?.symbol, get.token?.symbol, get.chain?.id, amount], ["DAI", "USDC", 2, "3"]);
  context.mock.timers.reset();
  const unknown = await visit(context, { link: "?from=1:NOPE" });
  assert.match(unknown.session.problem, /names a token that is not served/);
});

test("a visit that cannot begin says why, and can be begun again", async (context) => {
  world = new World();
  world.down = true;
  const { session } = await visit(context);
  assert.match(session.refused, /does not answer/);
  assert.equal(session.ready, false);
  world.down = false;
  await session.start();
  assert.deepEqual([session.refused, session.ready], ["", true]);
  world.chains = [];
  context.mock.timers.reset();
  assert.match((await visit(context)).session.refused, /no chain yet/);
});

test("what is typed is asked once nobody types any more, and the last question counts", async (context) => {
  world = new World();
  const { session, told, pass } = await visit(context);
  session.edit({ amount: "1" });
  session.edit({ amount: "12" });
  assert.equal(session.search.is, "asking");
  await pass(WAIT_MS);
  assert.deepEqual(
    world.questions.map(({ amount }) => amount),
    ["12000000"],
  );
  assert.deepEqual(
    [session.route?.id, session.search.is, session.secondsLeft(), told],
    ["r", "answered", 30, ["rhumbline-quote"]],
  );
  session.edit({ amount: "" });
  assert.deepEqual([session.search.is, session.route], ["idle", null]);
  world.answers = () => undefined;
  session.edit({ amount: "1" });
  await pass(WAIT_MS);
  const search = session.search as Search;
  assert.ok(search.is === "failed" && /does not serve/.test(search.explanation.text));
});

test("what was chosen is kept by its way in a new answer, and what was agreed to is not", async (context) => {
  world = new World();
  const { session, pass } = await visit(context);
  const [one, other] = [route({ id: "a" }), route({ id: "b", adapter: "OKX" })];
  world.answers = () => ({ routes: [one, other] });
  session.edit({ amount: "1" });
  await pass(WAIT_MS);
  session.pickRoute("b");
  session.set({ agreed: true });
  world.answers = () => ({
    routes: [
      { ...one, id: "c" },
      { ...other, id: "d" },
    ],
  });
  await pass(30_000);
  assert.deepEqual([session.route?.id, session.agreed], ["d", false]);
  session.edit({ slippage: "1" });
  assert.equal(session.routeId, null, "another question has no answer yet");
});

test("the same token is never on both sides, and only what can be paid from is turned around", async (context) => {
  world = new World();
  const { session } = await visit(context);
  const [here, there] = session.catalog.chains as [never, never];
  session.choose("get", here, USDC);
  assert.deepEqual([session.form.pay.token?.symbol, session.form.get.token?.symbol], ["ETH", "USDC"]);
  session.edit({ receiver: A });
  session.flip();
  assert.deepEqual([session.form.pay.token?.symbol, session.form.receiver], ["USDC", ""]);
  session.choose("get", there, { ...USDC, chainId: 2 });
  session.flip();
  assert.equal(session.form.get.chain?.id, 2, "the other chain cannot be paid from");
});

test("a wallet is asked for its balances, and another account is asked for anew", async (context) => {
  world = new World();
  const { session, pass } = await visit(context);
  session.edit({ amount: "1" });
  await session.connections.join(announced());
  await pass(WAIT_MS);
  assert.deepEqual([session.balance, session.native], [10n ** 9n, 10n ** 18n]);
  assert.equal(world.questions.at(-1)?.senderAddress, B);
  world.account = A;
  world.listeners.get("accountsChanged")?.([A] as never);
  await pass();
  await pass(WAIT_MS);
  assert.deepEqual([session.account?.address, world.questions.at(-1)?.senderAddress], [A, A]);
  session.connections.leave("EVM");
  assert.deepEqual([session.balance, session.account], [null, null]);
});

test("the button sends what was on the screen, once", async (context) => {
  world = new World();
  const { session, told, pass } = await visit(context, { link: "?from=1:USDC&to=1:DAI&amount=10" });
  await session.connections.join(announced());
  await pass(WAIT_MS);
  world.sending = () => assert.match(session.busy, /Confirm in your wallet/);
  await Promise.all([session.begin(), session.begin(), pass()]);
  assert.deepEqual([session.problem, world.sent.length], ["", 1]);
  assert.deepEqual([session.busy, session.problem, session.form.amount], ["", "", ""]);
  assert.deepEqual(
    told.filter((name) => name === "rhumbline-sent"),
    ["rhumbline-sent"],
  );
  const [transfer] = session.transfers.history.all();
  assert.deepEqual([transfer?.legs[0]?.state, transfer?.legs[0]?.hash, transfer?.amount], ["sent", HASH, "10000000"]);
});

test("nothing is sent to a name that now means another address", async (context) => {
  world = new World();
  let address = ALICE;
  const names: ResolveName = async (name) => ({ name, address });
  const { session, pass } = await visit(context, { link: "?from=1:USDC&to=1:DAI&amount=10" }, names);
  await session.connections.join(announced());
  session.edit({ receiver: "a.eth" });
  await pass(WAIT_MS);
  await pass(WAIT_MS);
  assert.deepEqual([session.form.receiver, world.questions.at(-1)?.receiverAddress], [ALICE, ALICE]);
  address = BOB;
  await session.begin();
  assert.match(session.problem, /now means another address/);
  assert.deepEqual([world.sent, session.busy, session.form.receiver], [[], "", BOB]);
  const later = session.begin();
  session.edit({ amount: "11" });
  await later;
  assert.match(session.problem, /changed in the meantime/);
  assert.deepEqual(world.sent, []);
});

test("the chain of what is paid is where the wallet is asked to go", async (context) => {
  world = new World();
  const { session } = await visit(context);
  await session.connections.join(announced());
  world.request = async ({ method }) => {
    if (method === "eth_chainId") return "0x5";
    throw Object.assign(new Error("no"), { code: 4001 });
  };
  await session.requests.reach();
  assert.deepEqual([session.busy, session.problem], ["", "You declined in the wallet. Nothing was sent"]);
});
