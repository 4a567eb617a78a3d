// Addresses as each type of chain writes them. Checksums are the service's to verify.

const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Says what is wrong with an address for a type of chain; "" when it may be one. */
export function addressFault(chainType, text) {
  if (chainType === "SVM") return bytesOfBase58(text) === 32 ? "" : "A Solana address has 32 to 44 letters and digits (base58), and stands for 32 bytes";
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? "" : "An EVM address has 0x and 40 hexadecimal digits";
}

/** Counts the bytes that base58 text stands for; -1 where it is none. */
function bytesOfBase58(text) {
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
export function securePage(text) {
  try {
    const page = new URL(text);
    return page.protocol === "https:" ? page : null;
  } catch {
    return null;
  }
}
