// What an answer would have a wallet do, and to whom: nothing is signed that is none of these.

export const NATIVE = "0x0000000000000000000000000000000000000000";
const TRANSFER = "0xa9059cbb";

export const same = (a, b) => a.toLowerCase() === b.toLowerCase();
export const word = (value) => (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");

/**
 * Tells the form of an answer; `trip` has chain, pay, crossing and the `listed` tokens of its chain. Null where it is none that this page sends.
 *
 * "contract" calls the contract that /v1/chains names, and approves to no other. The other forms are a bridge's own, and
 * are sent without any approval: "native" sends native money, what is paid and the fee that was told, to whatever contract
 * the answer names; "transfer" is a plain transfer of what is paid, to a deposit address.
 */
export function formOf(trip, quote) {
  const { calldata: { to, value, data }, approvalAddress } = quote;
  const diamond = Object.entries(trip.chain).find(([name]) => name.endsWith("Diamond"))?.[1];
  if (diamond && same(diamond, to)) return !approvalAddress || same(diamond, approvalAddress) ? "contract" : null;
  if (!trip.crossing || approvalAddress) return null;
  const [amount, sent] = [BigInt(quote.inputAmount), BigInt(value)];
  if (same(trip.pay.address, NATIVE)) {
    return sent > 0n && sent <= amount + nativeFee(trip, quote) && !(trip.listed ?? []).some(({ address }) => same(address, to)) ? "native" : null;
  }
  const plain = data.length === 138 && data.startsWith(TRANSFER) && BigInt(`0x${data.slice(74)}`) <= amount;
  return plain && sent === 0n && same(trip.pay.address, to) ? "transfer" : null;
}

/** Answers whom a form pays: the contract that is called, or the deposit address. */
export function payee(form, { calldata: { to, data } }) {
  return form === "transfer" ? `0x${data.slice(34, 74)}` : to;
}

/** Sums what the bridge takes in native money beside the amount, as the answer's fees tell. */
function nativeFee({ chain }, { fees }) {
  const items = fees?.breakdown ?? [];
  return items.filter((item) => item.type === "relayer" && item.chainId === chain.id && same(item.currencyAddress, NATIVE)).reduce((sum, item) => sum + BigInt(item.amount), 0n);
}
