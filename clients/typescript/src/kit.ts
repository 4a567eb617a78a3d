// Sends what was quoted on Solana with `@solana/kit`: each transaction once.

import {
  type Base64EncodedWireTransaction,
  type GetBlockHeightApi,
  type GetSignatureStatusesApi,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  isFullySignedTransaction,
  isSolanaError,
  partiallySignTransaction,
  type Rpc,
  type SendTransactionApi,
  type Signature,
} from "@solana/kit";
import { Expired, Reverted, SendRefused, SendUncertain, WrongWallet } from "./errors.ts";
import type { QuoteResponse, Step } from "./models.ts";
import { sleep } from "./retries.ts";
import { asked, executable, type SendOptions, type Sent } from "./sending.ts";

/** How often a node that refused is asked for a signature. */
const ASKS = 5;

type Node = Rpc<SendTransactionApi & GetSignatureStatusesApi & GetBlockHeightApi>;
type Signed = { signature: Signature; wire: Base64EncodedWireTransaction };
type State = { err: unknown; confirmationStatus: unknown };

/**
 * A quote's `calldata.data` with one signature more; the others stay as they are. Whoever pays for others' transactions
 * asks for the quote itself and signs what it was answered: of data that a stranger sends, nothing says what it would pay
 * for. Throws WrongWallet if the transaction has no place for the signature.
 */
export async function coSigned(data: string, keys: CryptoKeyPair): Promise<string> {
  return getBase64EncodedWireTransaction(await withSignatures(data, [keys]));
}

async function withSignatures(data: string, keys: CryptoKeyPair[]) {
  const given = getTransactionDecoder().decode(getBase64Encoder().encode(data));
  // Others may have signed already: only the given wallets' signatures are put in.
  return partiallySignTransaction(keys, given).catch((cause) => {
    throw new WrongWallet("the transaction is not one that this wallet signs: ask with it as the sender", { cause });
  });
}

/**
 * Adds a wallet's signature, sends to a node, and waits until the transaction is confirmed. The signature is known before
 * anything is sent. If a send has no clear answer, the node is asked for that signature, until it is known or the chain's
 * block height says that it never will be. Of one quote the transaction is signed once.
 */
export class KitSender {
  readonly #node: Node;
  readonly #keys: CryptoKeyPair;
  readonly #patience: number;
  readonly #poll: number;
  readonly #signed = new Map<string, Signed>();

  constructor(node: Node, keys: CryptoKeyPair, { patience = 180, poll = 1 }: SendOptions = {}) {
    this.#node = node;
    this.#keys = keys;
    this.#patience = patience;
    this.#poll = poll;
  }

  /** Signs and sends. Throws Expired once it can never be executed, a SendError, or WrongWallet. */
  async execute(answer: QuoteResponse | Step): Promise<Sent> {
    const { transactionId, call, lastValidBlockHeight } = executable(answer);
    let signed = this.#signed.get(transactionId);
    if (signed === undefined) {
      if (await this.#isOver(lastValidBlockHeight))
        throw new Expired("the chain is beyond the quote's last block: ask for a new one");
      signed = await this.#sign(call.data);
      this.#signed.set(transactionId, signed);
      await this.#send(signed);
    } else if (!(await this.#state(signed.signature)) && !(await this.#isOver(lastValidBlockHeight))) {
      await this.#send(signed);
    }
    return this.#confirmed(signed.signature, lastValidBlockHeight);
  }

  async #sign(data: string): Promise<Signed> {
    const transaction = await withSignatures(data, [this.#keys]);
    if (!isFullySignedTransaction(transaction))
      throw new WrongWallet("the transaction needs another wallet's signature, too");
    return { signature: getSignatureFromTransaction(transaction), wire: getBase64EncodedWireTransaction(transaction) };
  }

  /** Sends once; whether it is there is asked by whoever waits for it. */
  async #send({ signature, wire }: Signed): Promise<void> {
    try {
      await this.#node.sendTransaction(wire, { encoding: "base64" }).send();
    } catch (cause) {
      if (!isRefusal(cause)) return;
      if (await asked(() => this.#state(signature), ASKS * this.#poll, this.#poll)) return;
      throw new SendRefused(`the node did not take the transaction: ${String(cause)}`, signature, { cause });
    }
  }

  async #confirmed(signature: Signature, lastValidBlockHeight: bigint | undefined): Promise<Sent> {
    const endsAt = Date.now() + 1000 * this.#patience;
    while (true) {
      // In this order: what is unknown after the chain was beyond it never comes.
      const isOver = await this.#isOver(lastValidBlockHeight);
      const state = await this.#state(signature);
      if (state?.err) throw new Reverted(`the transaction failed: ${words(state.err)}`, signature);
      if (state && state.confirmationStatus !== "processed") return { hash: signature };
      if (!state && isOver) throw new Expired(`${signature} was not executed and never will be: ask for a new quote`);
      if (Date.now() >= endsAt) throw new SendUncertain("the transaction was not confirmed in time", signature);
      await sleep(this.#poll);
    }
  }

  async #state(signature: Signature): Promise<State | undefined> {
    const found = this.#node.getSignatureStatuses([signature], { searchTransactionHistory: true }).send();
    return found.then(({ value: [state] }) => state ?? undefined).catch(() => undefined);
  }

  async #isOver(height: bigint | undefined): Promise<boolean> {
    if (height === undefined) return false;
    const found = this.#node.getBlockHeight({ commitment: "confirmed" }).send();
    return found.then((now) => now > height).catch(() => false);
  }
}

/** Whether the node answered with an error of JSON-RPC, unlike a connection that broke. */
function isRefusal(error: unknown): boolean {
  return isSolanaError(error) && error.context.__code < 0;
}

function words(error: unknown): string {
  return JSON.stringify(error, (_, value) => (typeof value === "bigint" ? String(value) : value));
}
