// Sends what was quoted on EVM chains with clients of viem: each transaction once.

import {
  type Account,
  type Chain,
  type Hex,
  keccak256,
  type PublicClient,
  type Transport,
  type WalletClient,
} from "viem";
import { Reverted, SendRefused, SendUncertain, WrongChain } from "./errors.ts";
import type { GasEstimation, PermitOffer, QuoteCalldata, QuoteResponse, Step } from "./models.ts";
import { asked, executable, permitted, type SendOptions, type Sent } from "./sending.ts";

/** How often a node that gave no clear answer is asked for a hash. */
const ASKS = 5;
const USER_REJECTED = 4001;

type Signed = { hash: Hex; raw: Hex };

/**
 * Signs with the account of a wallet client, sends to a node, and waits until it is mined. With a local account the hash is
 * known before anything is sent, and if a send has no clear answer the node is asked for that hash. A wallet of a browser
 * sends by itself: it is asked once for each quote. Of one quote each transaction is signed once: `execute` with the same
 * quote again goes on where it was, and can only repeat the same bytes, which a chain executes once.
 */
export class ViemSender {
  readonly #wallet: WalletClient<Transport, Chain, Account>;
  readonly #node: PublicClient;
  readonly #patience: number;
  readonly #poll: number;
  readonly #signed = new Map<string, Signed>();
  readonly #handedOver = new Map<string, Hex | undefined>();

  constructor(
    wallet: WalletClient<Transport, Chain, Account>,
    node: PublicClient,
    { patience = 180, poll = 1 }: SendOptions = {},
  ) {
    this.#wallet = wallet;
    this.#node = node;
    this.#patience = patience;
    this.#poll = poll;
  }

  /**
   * Sends approvals, each after the one before, and then the transaction; with a permit that the wallet signs, only a
   * transaction. Throws Expired, a SendError, or WrongChain.
   */
  async execute(answer: QuoteResponse | Step): Promise<Sent> {
    const { transactionId, chainId, approvals, call, gas, permit, checkTime } = executable(answer);
    const here = this.#wallet.chain.id;
    const found = await this.#node.getChainId();
    if (found !== here) throw new WrongChain(`the node is one of chain ${found}, not of ${here}`);
    if (chainId !== here) throw new WrongChain(`the quote is one of chain ${chainId}, not of ${here}`);
    if (permit !== undefined && this.#isNew(transactionId)) {
      checkTime();
      const signature = await this.#signPermit(permit);
      if (signature !== undefined) {
        const limited = { ...gas, gasLimit: permit.gasLimit };
        return this.#delivered(transactionId, permitted(permit, signature), limited, checkTime);
      }
    } else if (permit !== undefined) {
      // What was signed or handed over before is what goes on.
      return this.#delivered(transactionId, call, gas ?? {}, checkTime);
    }
    for (const [number, approval] of approvals.entries()) {
      await this.#delivered(`${transactionId} ${number}`, approval, { ...gas, gasLimit: undefined }, checkTime);
    }
    return this.#delivered(transactionId, call, gas ?? {}, checkTime);
  }

  #isNew(name: string): boolean {
    return !this.#signed.has(name) && !this.#handedOver.has(name);
  }

  /** The owner's signature; undefined for a wallet that does not sign typed data, which approves instead. */
  async #signPermit({ typedData }: PermitOffer): Promise<string | undefined> {
    const { account } = this.#wallet;
    try {
      return await this.#wallet.signTypedData({ account, ...typedData } as never);
    } catch (cause) {
      if (codeOf(cause) !== USER_REJECTED) return undefined;
      throw new SendRefused("the permit was declined in the wallet", undefined, { cause });
    }
  }

  async #delivered(name: string, call: QuoteCalldata, gas: GasEstimation, checkTime: () => void): Promise<Sent> {
    if (this.#wallet.account.type !== "local") return this.#mined(await this.#handOver(name, call, gas, checkTime));
    let signed = this.#signed.get(name);
    if (signed === undefined) {
      checkTime();
      signed = await this.#sign(call, gas);
      this.#signed.set(name, signed);
      await this.#send(signed);
    } else if (!(await this.#isKnown(signed.hash))) {
      await this.#send(signed);
    }
    return this.#mined(signed.hash);
  }

  async #sign(call: QuoteCalldata, gas: GasEstimation): Promise<Signed> {
    const { account, chain } = this.#wallet;
    const request = await this.#wallet.prepareTransactionRequest({ account, chain, ...fields(call, gas) } as never);
    const raw = await this.#wallet.signTransaction(request as never);
    return { hash: keccak256(raw as Hex), raw: raw as Hex };
  }

  /** Sends once; where the answer is not a clear yes, the node is asked for the hash. */
  async #send({ hash, raw }: Signed): Promise<void> {
    try {
      await this.#node.request({ method: "eth_sendRawTransaction", params: [raw] }, { retryCount: 0 });
    } catch (cause) {
      const isKnown = await asked(async () => (await this.#isKnown(hash)) || undefined, ASKS * this.#poll, this.#poll);
      if (isKnown) return;
      if (isRefusal(cause))
        throw new SendRefused(`the node did not take the transaction: ${wordsOf(cause)}`, hash, { cause });
      throw new SendUncertain(`the node did not say whether it took it: ${wordsOf(cause)}`, hash, { cause });
    }
  }

  /** Gives a transaction to a wallet that sends by itself, once; again only if its owner had said no. */
  async #handOver(name: string, call: QuoteCalldata, gas: GasEstimation, checkTime: () => void): Promise<Hex> {
    if (this.#handedOver.has(name)) {
      const hash = this.#handedOver.get(name);
      if (hash === undefined)
        throw new SendUncertain("the wallet was asked before and did not say what became of it", hash);
      return hash;
    }
    checkTime();
    this.#handedOver.set(name, undefined);
    const { account, chain } = this.#wallet;
    try {
      const hash = await this.#wallet.sendTransaction({ account, chain, ...fields(call, gas) } as never);
      this.#handedOver.set(name, hash);
      return hash;
    } catch (cause) {
      if (codeOf(cause) !== USER_REJECTED) {
        throw new SendUncertain(`the wallet did not say whether it sent it: ${wordsOf(cause)}`, undefined, { cause });
      }
      this.#handedOver.delete(name);
      throw new SendRefused("the transaction was declined in the wallet", undefined, { cause });
    }
  }

  async #isKnown(hash: Hex): Promise<boolean> {
    const found = this.#node.request({ method: "eth_getTransactionByHash", params: [hash] });
    return found.then((each) => each !== null).catch(() => false);
  }

  async #mined(hash: Hex): Promise<Sent> {
    const read = async () =>
      (await this.#node.request({ method: "eth_getTransactionReceipt", params: [hash] })) ?? undefined;
    const receipt = await asked(read, this.#patience, this.#poll);
    if (receipt === undefined) throw new SendUncertain("the transaction was not mined in time", hash);
    if (receipt.status !== "0x1") throw new Reverted("the transaction was reverted", hash);
    return { hash };
  }
}

function fields({ to, value, data }: QuoteCalldata, gas: GasEstimation): Record<string, unknown> {
  const number = (hex: string | undefined) => (hex === undefined ? undefined : BigInt(hex));
  const terms = {
    gas: number(gas.gasLimit),
    gasPrice: number(gas.gasPrice),
    maxFeePerGas: number(gas.maxFeePerGas),
    maxPriorityFeePerGas: number(gas.maxPriorityFeePerGas),
  };
  const given = Object.entries(terms).filter(([, each]) => each !== undefined);
  return { to, value: BigInt(value), data, ...Object.fromEntries(given) };
}

/** The codes of JSON-RPC and EIP-1193 that an error or one of its causes has. */
function codeOf(error: unknown): number | undefined {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if ("code" in each && typeof each.code === "number") return each.code;
  }
  return undefined;
}

function isRefusal(error: unknown): boolean {
  // viem gives -1 to what a node did not say.
  const code = codeOf(error);
  return code !== undefined && code < 0 && code !== -1;
}

function wordsOf(error: unknown): string {
  return error instanceof Error
    ? ("shortMessage" in error && String(error.shortMessage)) || error.message
    : String(error);
}
