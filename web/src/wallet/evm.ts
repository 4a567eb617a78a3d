// A connected wallet, as EIP-1193 has it.

import { NATIVE, same, shorten } from "../addresses.ts";
import type { Call, Chain } from "../api.ts";
import { texts } from "../texts.ts";
import type { Named, Provider } from "./discovery.ts";
import type { Read } from "./nodes.ts";

const ALLOWANCE = "0xdd62ed3e";
const BALANCE = "0x70a08231";
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const PATIENCE_MS = 15_000;

export interface Receipt {
  status: string;
  blockNumber: string;
  transactionHash: string;
  logs: { address: string; topics: string[]; data: string }[];
}

/** Writes an address or a number as 32 bytes of calldata. */
export function word(value: string | bigint): string {
  const digits = typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase();
  return digits.padStart(64, "0");
}

/** Fails where a wallet hangs on a request that asks no person. */
function soon<T>(promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error(texts.walletSilent)), PATIENCE_MS));
  return Promise.race([promise, late]);
}

export class EvmWallet {
  readonly chainType = "EVM" as const;
  chainId: bigint | null = null;
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly address: string;
  /** Whether it is asked for permits: no more, once its owner has declined one. */
  permits = true;
  private readonly provider: Provider;

  constructor({ id, name, icon }: Named, provider: Provider, address: string) {
    this.id = id;
    this.name = name;
    this.icon = icon;
    this.provider = provider;
    this.address = address;
  }

  /** Asks a wallet for its account; throws what it says. `silent` asks nobody who has not agreed before. */
  static async connect(named: Named, provider: Provider, silent = false): Promise<EvmWallet> {
    const method = silent ? "eth_accounts" : "eth_requestAccounts";
    const asked = provider.request({ method });
    const accounts = await (silent ? soon(asked) : asked);
    const address = Array.isArray(accounts) ? accounts[0] : undefined;
    if (typeof address !== "string" || !ADDRESS.test(address)) throw new Error(texts.noAccount);
    const wallet = new EvmWallet(named, provider, address);
    await wallet.look();
    return wallet;
  }

  /** Calls `accounts` or `chain` when the wallet reports another one, `gone` when it is lost; returns how to stop. */
  watch(accounts: (any: boolean) => void, chain: () => void, gone: () => void): () => void {
    const changed = (list: string[]): void => accounts(Array.isArray(list) && list.length > 0);
    this.provider.on?.("accountsChanged", changed);
    this.provider.on?.("chainChanged", chain);
    this.provider.on?.("disconnect", gone);
    return () => {
      this.provider.removeListener?.("accountsChanged", changed);
      this.provider.removeListener?.("chainChanged", chain);
      this.provider.removeListener?.("disconnect", gone);
    };
  }

  read: Read = (method, ...params) => soon(this.provider.request({ method, params }));

  /** Asks the wallet which chain it is on. */
  async look(): Promise<bigint> {
    this.chainId = BigInt((await this.read("eth_chainId")) as string);
    return this.chainId;
  }

  /** Moves the wallet to a chain; throws where it stays away. */
  async reach(chain: Chain): Promise<void> {
    if ((await this.look()) === BigInt(chain.id)) return;
    try {
      await this.provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: chain.idHex }] });
    } catch (error) {
      if ((error as { code?: number }).code !== 4902) throw error;
      const { name, symbol, decimals } = chain.nativeToken;
      const added = {
        chainId: chain.idHex,
        chainName: chain.name,
        rpcUrls: chain.rpcUrls ?? [],
        nativeCurrency: { name, symbol, decimals },
      };
      await this.provider.request({ method: "wallet_addEthereumChain", params: [added] });
    }
    if ((await this.look()) !== BigInt(chain.id)) throw new Error(texts.stillElsewhere(chain.name));
  }

  /** Returns whether the wallet still shows the account of before. */
  async shows(): Promise<boolean> {
    const accounts = await this.read("eth_accounts");
    return Array.isArray(accounts) && accounts.some((each) => same(String(each), this.address));
  }

  /**
   * Throws unless the wallet is on this chain, with the account of before: it may have been moved meanwhile, and not
   * every wallet tells.
   */
  async holds(chain: Chain): Promise<void> {
    const [at, accounts] = await Promise.all([this.look(), this.read("eth_accounts")]);
    if (at !== BigInt(chain.id)) throw new Error(texts.walletLeft(chain.name));
    const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
    if (typeof account !== "string") throw new Error(texts.walletLocked);
    if (!same(account, this.address)) throw new Error(texts.otherAccount(shorten(this.address)));
  }

  /** Has a transaction sent; call `holds` right before. */
  async send(chain: Chain, call: Call, gas?: string): Promise<string> {
    const transaction = {
      from: this.address,
      to: call.to,
      value: call.value,
      data: call.data,
      chainId: chain.idHex,
      ...(gas ? { gas } : {}),
    };
    const hash = await this.provider.request({ method: "eth_sendTransaction", params: [transaction] });
    if (typeof hash !== "string" || !/^0x[0-9a-fA-F]{64}$/.test(hash)) throw new Error(texts.noHash);
    return hash;
  }

  /** Has typed data signed (EIP-712); call `holds` right before. */
  signTypedData(data: object): Promise<unknown> {
    return this.provider.request({ method: "eth_signTypedData_v4", params: [this.address, JSON.stringify(data)] });
  }

  /** Returns whether the wallet makes one transaction of several calls on this chain (EIP-5792). */
  async batches(chain: Chain): Promise<boolean> {
    try {
      type Able = { atomic?: { status?: string }; atomicBatch?: { supported?: boolean } };
      const all = (await this.read("wallet_getCapabilities", this.address, [chain.idHex])) as Record<
        string,
        Able
      > | null;
      const able = Object.entries(all ?? {}).find(([id]) => BigInt(id) === BigInt(chain.id))?.[1];
      return (
        able?.atomic?.status === "supported" ||
        able?.atomic?.status === "ready" ||
        able?.atomicBatch?.supported === true
      );
    } catch {
      return false;
    }
  }

  /** Has calls sent as one transaction; returns the wallet's name for the batch. Call `holds` right before. */
  async sendCalls(chain: Chain, calls: Call[]): Promise<string> {
    const batch = { version: "2.0.0", from: this.address, chainId: chain.idHex, atomicRequired: true, calls };
    const answer = await this.provider.request({ method: "wallet_sendCalls", params: [batch] });
    const id = typeof answer === "string" ? answer : (answer as { id?: unknown } | null)?.id;
    if (typeof id !== "string" || !id) throw new Error(texts.noBatchName);
    return id;
  }
}

/** Returns how to read a chain by the wallet that is on it; null where it is on another. */
export const evmRead = (wallet: EvmWallet, chain: Chain): Read | null =>
  wallet.chainId === BigInt(chain.id) ? wallet.read : null;

/** Reads a balance in raw units. */
export async function balanceOf(read: Read, token: string, owner: string): Promise<bigint> {
  if (same(token, NATIVE)) return quantity(await read("eth_getBalance", owner, "latest"));
  return quantity(await read("eth_call", { to: token, data: BALANCE + word(owner) }, "latest"));
}

/** Reads a number; throws where there is none, as where a contract is asked that is not on this chain. */
function quantity(answer: unknown): bigint {
  if (typeof answer === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(answer)) return BigInt(answer);
  throw new Error(texts.nodeWrong);
}

export async function allowanceOf(read: Read, token: string, owner: string, spender: string): Promise<bigint> {
  return quantity(await read("eth_call", { to: token, data: ALLOWANCE + word(owner) + word(spender) }, "latest"));
}

// EIP-1193, EIP-1474 and EIP-5792: refused by the person, not permitted, not understood, already asking. What a node
// says (-32000) may mean that it has it.
const UNSENT: readonly unknown[] = [
  ...[4001, 4100, 4200, -32001, -32002, -32003, -32004, -32600, -32601, -32602],
  ...[5700, 5710, 5720, 5740, 5750, 5760],
];

/** Returns whether a wallet's error says for sure that the transaction was not sent. */
export const surelyUnsent = (error: unknown): boolean => UNSENT.includes((error as { code?: unknown } | null)?.code);

/** Says a wallet's error in words. */
export function walletError(error: unknown): string {
  type Known = { code?: number; data?: { message?: string }; message?: string };
  const { code, data, message } = (error ?? {}) as Known;
  if (code === 4001) return texts.declined;
  if (code === -32002) return texts.alreadyAsking;
  if (code === 4900 || code === 4901) return texts.connectionLost;
  return String(data?.message ?? message ?? error).slice(0, 300);
}
