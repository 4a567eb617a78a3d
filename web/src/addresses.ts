// Addresses as each type of chain writes them.

import { getAddress } from "viem/utils";
import type { ChainType } from "./api.ts";
import { texts } from "./texts.ts";

const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
export const NATIVE = "0x0000000000000000000000000000000000000000";

export const same = (a: string, b: string): boolean =>
  a === b || (a.startsWith("0x") && a.toLowerCase() === b.toLowerCase());
export const shorten = (text: string): string => (text.length <= 13 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`);

export const checksummed = (address: string): string => getAddress(address.toLowerCase());

/** Says what is wrong with an address for a type of chain; "" when it may be one. */
export function addressFault(chainType: ChainType, text: string): string {
  if (chainType === "SVM") return bytesOfBase58(text) === 32 ? "" : texts.svmAddressFault;
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return texts.evmAddressFault;
  const mixed = /[a-f]/.test(text) && /[A-F]/.test(text.slice(2));
  return mixed && checksummed(text) !== text ? texts.checksumFault : "";
}

/** Counts the bytes that base58 text stands for; -1 where it is none. */
function bytesOfBase58(text: string): number {
  if (text.length > 64) return -1;
  let number = 0n;
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return -1;
    number = number * 58n + BigInt(value);
  }
  const zeros = text.length - text.replace(/^1+/, "").length;
  return zeros + (number ? Math.ceil(number.toString(16).length / 2) : 0);
}

/** Reads an address of a web page; null where it is none, or not https. */
export function securePage(text: string | undefined): URL | null {
  try {
    const page = new URL(text ?? "");
    return page.protocol === "https:" ? page : null;
  } catch {
    return null;
  }
}
