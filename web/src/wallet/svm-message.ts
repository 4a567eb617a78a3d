// Reads a Solana transaction, legacy or version 0, as far as it says something by itself: accounts that it takes from a
// lookup table are not in it.

import {
  bytesEqual,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from "@solana/kit";

const LARGEST = 1232;

export interface Instruction {
  program: string;
  /** Addresses; null for what stands in a lookup table. */
  accounts: (string | null)[];
  data: DataView;
}

export interface Message {
  /** Everybody who has to sign, the payer first, and whether the signature is there. */
  signers: { address: string; signed: boolean }[];
  instructions: Instruction[];
}

/** Reads a whole transaction; throws where it is none. */
export function readTransaction(bytes: Uint8Array): Message {
  if (bytes.length > LARGEST) throw new Error("oversized");
  const [{ messageBytes, signatures }, end] = getTransactionDecoder().read(bytes, 0);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new Error("version");
  // The decoder reads truncated lists as empty ones, and ignores bytes that follow.
  if (end !== bytes.length || !bytesEqual(getCompiledTransactionMessageEncoder().encode(message), messageBytes))
    throw new Error("truncated");
  const keys = message.staticAccounts;
  const instructions = message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => {
      const program = keys[programAddressIndex];
      // A program is never taken from a table.
      if (!program) throw new Error("program");
      return {
        program,
        accounts: accountIndices.map((place) => keys[place] ?? null),
        data: new DataView(Uint8Array.from(data).buffer),
      };
    },
  );
  return {
    signers: Object.entries(signatures).map(([address, signature]) => ({ address, signed: signature !== null })),
    instructions,
  };
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** Returns whether a transaction in base64 is the same as one before, but for a signature in the place of `address`. */
export function signedBy(before: string, after: string, address: string): boolean {
  const [asked, given] = [before, after].map((each) => getTransactionDecoder().decode(bytesOf(each)));
  if (!asked || !given || !bytesEqual(asked.messageBytes, given.messageBytes)) return false;
  const others = Object.entries(given.signatures).filter(([name]) => name !== address);
  const kept = others.every(([, signature]) => signature === null);
  return kept && Object.entries(given.signatures).some(([name, signature]) => name === address && signature !== null);
}
