// What wallets are given to sign, of a quote or of a step, and what was signed of it.

import { Expired } from "./errors.ts";
import type { GasEstimation, PermitOffer, QuoteCalldata, QuoteResponse, Step } from "./models.ts";
import { sleep } from "./retries.ts";

/** A transaction that was mined: its hash or signature. */
export interface Sent {
  hash: string;
}

export interface SendOptions {
  /** Seconds to wait until a transaction is mined; 180 by default. */
  patience?: number;
  /** Seconds between two questions to a node; 1 by default. */
  poll?: number;
}

/** What a quote and a step have in common. */
export interface Executable {
  transactionId: string;
  chainId: number;
  approvals: QuoteCalldata[];
  call: QuoteCalldata;
  gas: GasEstimation | undefined;
  permit: PermitOffer | undefined;
  lastValidBlockHeight: bigint | undefined;
  checkTime: () => void;
}

/** What is to be signed; throws TypeError for a step without a transaction. */
export function executable(answer: QuoteResponse | Step): Executable {
  const { transactionId, approvals = [], expiresAt, lastValidBlockHeight: height } = answer;
  const call = "calldata" in answer ? answer.calldata : answer.transactionRequest;
  if (!call || !transactionId) throw new TypeError("the step has no transaction yet: ask stepTransaction for it");
  return {
    transactionId,
    // Fees are stated in the origin currency.
    chainId: "action" in answer ? answer.action.fromChainId : answer.fees.total.chainId,
    approvals,
    call,
    permit: answer.permit,
    gas: "calldata" in answer ? answer.gas : answer.transactionRequest?.gas,
    lastValidBlockHeight: height === undefined ? undefined : BigInt(height),
    checkTime() {
      if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) {
        throw new Expired(`the quote was good until ${expiresAt}: ask for a new one`);
      }
    },
  };
}

/** Hex digits at the end of a permit's transaction: 65 bytes for the signature, 31 that stay zero. */
const ROOM = 192;

/**
 * The transaction to send with the sender's signature of a permit's typed data. Throws TypeError where the signature has
 * not 65 bytes, or the transaction has no room for it.
 */
export function permitted({ calldata }: PermitOffer, signature: string): QuoteCalldata {
  const digits = /^0x([0-9a-fA-F]{128})([0-9a-fA-F]{2})$/.exec(signature);
  if (!digits) throw new TypeError("a signature of 65 bytes in hex is needed");
  if (!/^0*$/.test(calldata.data.slice(-ROOM))) throw new TypeError("the transaction has no room for a signature");
  // Some wallets count the last byte from 0.
  const parity = { "00": "1b", "01": "1c" }[digits[2] as string] ?? digits[2];
  return { ...calldata, data: calldata.data.slice(0, -ROOM) + `${digits[1]}${parity}`.padEnd(ROOM, "0") };
}

/** Asks until there is an answer, or the seconds are over; what fails is asked again. */
export async function asked<T>(
  read: () => Promise<T | undefined>,
  seconds: number,
  poll: number,
): Promise<T | undefined> {
  const endsAt = Date.now() + 1000 * seconds;
  while (true) {
    const found = await read().catch(() => undefined);
    if (found !== undefined || Date.now() >= endsAt) return found;
    await sleep(poll);
  }
}
