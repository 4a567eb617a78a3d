// Reads a Solana transaction, legacy or version 0 (docs: solana.com/docs/core/transactions), as far as it says something
// by itself: accounts that it takes from a lookup table are not in it.

import { base58 } from "../addresses.ts";

const LARGEST = 1232;

export interface Instruction {
  program: string;
  /** Addresses; null for what stands in a lookup table. */
  accounts: (string | null)[];
  data: DataView;
}

export interface Message {
  /** Everybody who has to sign, who pays first, and whether a signature is there. */
  signers: { address: string; signed: boolean }[];
  instructions: Instruction[];
}

class Reader {
  private place = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  take(length: number): Uint8Array {
    const end = this.place + length;
    if (end > this.bytes.length) throw new Error("it ends too soon");
    const taken = this.bytes.subarray(this.place, end);
    this.place = end;
    return taken;
  }

  byte(): number {
    return this.take(1)[0] as number;
  }

  /** Reads a "compact-u16": seven bits a byte, the lowest first. */
  count(): number {
    let [number, shift, byte] = [0, 0, 0];
    do {
      byte = this.byte();
      number |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80 && shift < 21);
    return number;
  }

  many<T>(read: () => T): T[] {
    return Array.from({ length: this.count() }, read);
  }

  get ended(): boolean {
    return this.place === this.bytes.length;
  }
}

/** Reads a whole transaction; throws where it is none. */
export function readTransaction(bytes: Uint8Array): Message {
  if (bytes.length > LARGEST) throw new Error("it is too large");
  const reader = new Reader(bytes);
  const signatures = reader.many(() => reader.take(64));
  const first = reader.byte();
  const versioned = first >= 0x80;
  if (versioned && first !== 0x80) throw new Error("it is of an unknown version");
  const required = versioned ? reader.byte() : first;
  reader.take(2);
  const keys = reader.many(() => base58(reader.take(32)));
  reader.take(32);
  const called = reader.many(() => ({ program: reader.byte(), accounts: reader.many(() => reader.byte()), data: reader.many(() => reader.byte()) }));
  if (versioned) reader.many(() => [reader.take(32), reader.many(() => reader.byte()), reader.many(() => reader.byte())]);
  if (!reader.ended || !required || required !== signatures.length || required > keys.length) throw new Error("its parts do not fit together");
  const instructions = called.map(({ program, accounts, data }) => {
    const address = keys[program];
    // A program is never taken from a table.
    if (!address) throw new Error("it calls nobody");
    return { program: address, accounts: accounts.map((place) => keys[place] ?? null), data: new DataView(Uint8Array.from(data).buffer) };
  });
  return { signers: signatures.map((signature, place) => ({ address: keys[place] as string, signed: signature.some((byte) => byte !== 0) })), instructions };
}
