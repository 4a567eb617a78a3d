// A wallet with its node, a service, a catalog and a storage that answer from memory, for tests.

import { ApiError, type Call, type Chain, type Step } from "../src/api.ts";
import type { Catalog } from "../src/catalog.ts";
import { newLeg, type Transfer } from "../src/history.ts";
import type { EvmWallet } from "../src/wallet/evm.ts";
import type { Read } from "../src/wallet/nodes.ts";
import { A, B, chain, step, T, U } from "./made.ts";

export const HASH = `0x${"1".repeat(64)}`;
export const APPROVED = `0x${"2".repeat(64)}`;
const word = (value: bigint | string): string =>
  (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0");

/** Calls an approval of `amount` for the service's contract. */
export const approval = (amount: bigint): Call => ({
  to: T,
  value: "0x0",
  data: `0x095ea7b3${word(A)}${word(amount)}`,
});

/** A wallet that notes what it was asked to send; its node knows what is set here. */
export class FakeWallet {
  readonly chainType = "EVM" as const;
  chainId = 1n;
  readonly name = "W";
  readonly address = B;
  sent: (Call | Call[])[] = [];
  balance = 10n ** 9n;
  native = 10n ** 18n;
  allowance = 0n;
  batching = false;
  permits = true;
  /** What it throws when it is asked to send. */
  refusal: unknown = null;
  /** Why the node reverts the call; "" where it runs. */
  reverts = "";
  receipts = new Map<string, object>();
  /** Called before the wallet sends. */
  before: () => void = () => undefined;

  read: Read = async (method, ...params) => {
    const [first] = params as [{ to: string; data: string } & string];
    if (method === "eth_getBalance") return `0x${this.native.toString(16)}`;
    if (method === "eth_getTransactionCount") return "0x7";
    if (method === "eth_blockNumber") return "0x64";
    if (method === "eth_gasPrice") return "0x1";
    if (method === "eth_chainId") return `0x${this.chainId.toString(16)}`;
    if (method === "eth_getTransactionReceipt") return this.receipts.get(first) ?? null;
    if (method === "eth_getTransactionByHash") return null;
    if (method === "wallet_getCallsStatus") return { status: 200, receipts: [{ transactionHash: HASH }] };
    if (method !== "eth_call") throw new Error(method);
    if (first.data.startsWith("0x70a08231")) return `0x${word(this.balance)}`;
    if (first.data.startsWith("0xdd62ed3e")) return `0x${word(this.allowance)}`;
    if (this.reverts) throw new Error(this.reverts);
    return "0x";
  };
  look = async (): Promise<bigint> => this.chainId;
  reach = async (): Promise<void> => undefined;
  holds = async (): Promise<void> => undefined;
  batches = async (): Promise<boolean> => this.batching;

  async send(_: Chain, call: Call): Promise<string> {
    this.before();
    if (this.refusal) throw this.refusal;
    this.sent.push(call);
    if (!call.data.startsWith("0x095ea7b3")) return HASH;
    this.allowance = BigInt(`0x${call.data.slice(74)}`);
    this.receipts.set(APPROVED, { status: "0x1", logs: [] });
    return APPROVED;
  }

  /** What it answers where it is asked to sign; an error is thrown. */
  signature: unknown = Object.assign(new Error("unknown method"), { code: 4200 });
  typed: object[] = [];

  async signTypedData(data: object): Promise<unknown> {
    this.typed.push(data);
    if (this.signature instanceof Error) throw this.signature;
    return this.signature;
  }

  async sendCalls(_: Chain, calls: Call[]): Promise<string> {
    this.sent.push(calls);
    return "batch";
  }

  get wallet(): EvmWallet {
    return this as unknown as EvmWallet;
  }
}

/** The service: answers each step as it is planned but for `changes`, and what became of it by `statuses`. */
export class FakeApi {
  readonly base = "https://service";
  changes: Record<string, unknown> = { transactionId: "0xid" };
  contexts: Record<string, string | boolean>[] = [];
  /** What is answered one after another; the last one again and again, and 404 where there is none. */
  statuses: object[] = [];
  statusError: unknown = new ApiError("NOT_FOUND", "", 404);
  asked = 0;

  async step(plan: Step, context: Record<string, string | boolean>): Promise<Step> {
    this.contexts.push(context);
    return { ...plan, ...this.changes };
  }

  async status(): Promise<object> {
    this.asked += 1;
    const found = this.statuses.length > 1 ? this.statuses.shift() : this.statuses[0];
    if (!found) throw this.statusError;
    return found;
  }
}

/** A stream of the service: sends what it is given, until it is cut off. */
export class FakeStream {
  /** Whether a page still reads it. */
  isRead = true;
  readonly response: Response;
  private readonly body = new TransformStream<Uint8Array, Uint8Array>();
  private readonly writer = this.body.writable.getWriter();

  constructor(signal?: AbortSignal) {
    this.response = new Response(this.body.readable, { headers: { "content-type": "text/event-stream" } });
    signal?.addEventListener("abort", () => {
      this.isRead = false;
      void this.writer.abort(signal.reason).catch(() => undefined);
    });
  }

  sendBytes(part: Uint8Array): Promise<void> {
    return this.writer.write(part);
  }

  send(text: string): Promise<void> {
    return this.sendBytes(new TextEncoder().encode(text));
  }

  tell(type: string, word: object): Promise<void> {
    return this.send(`id: 1\nevent: ${type}\ndata: ${JSON.stringify({ type, data: word })}\n\n`);
  }

  cut(): Promise<void> {
    return this.writer.abort(new TypeError("cut"));
  }
}

/** No service has a stream. */
export const noStream = async (): Promise<Response> => new Response(null, { status: 404 });

export const status = (state: string, changes: object = {}): object => ({
  transactionId: "0xid",
  sourceTxHash: HASH,
  destTxHash: null,
  status: state,
  outputToken: null,
  outputAmountRaw: null,
  ...changes,
});

export const catalog = (chains: Chain[] = [chain()]): Catalog =>
  ({
    chain: (id: number) => chains.find((each) => each.id === id) ?? null,
    tokens: async () => [],
    listed: () => [],
  }) as unknown as Catalog;

export function transfer(changes: Partial<Transfer> = {}, plans: Step[] = [step()]): Transfer {
  const token = { address: T, symbol: "USDC", decimals: 6, chainId: 1 };
  return {
    id: "t",
    api: "https://service",
    created: 1,
    sender: B,
    receiver: B,
    pay: token,
    get: { ...token, address: U, symbol: "DAI" },
    amount: "10000000",
    adapter: "ONCHAIN",
    legs: plans.map(newLeg),
    ...changes,
  };
}

/** A browser's storage: its keys are its own, its methods are not. */
export function storage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string): string | null {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string): void {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string): void {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

/** Lets what waits for promises go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
}
