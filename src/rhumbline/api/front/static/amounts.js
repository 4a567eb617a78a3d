// Amounts are BigInt in raw units. No number of a user's ever becomes a floating-point one.

const LARGEST = 2n ** 256n - 1n;
const RATE_DIGITS = 8;

/** Reads whole tokens ("1.5") as raw units, exactly; throws an Error that says what to mend. */
export function parseAmount(text, decimals) {
  const trimmed = text.trim();
  if (!trimmed) throw new Error("Enter an amount");
  if (!/^[0-9]*\.?[0-9]*$/.test(trimmed) || trimmed === ".") {
    throw new Error("Write digits, with a point before the decimals and no other separator");
  }
  const [whole, fraction = ""] = trimmed.split(".");
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > decimals) {
    throw new Error(decimals ? `This token has ${decimals} decimal places, and you wrote ${digits.length}` : "This token has no decimal places");
  }
  if (whole.length > 100) throw new Error("This is more than any token has");
  const raw = BigInt(whole || "0") * 10n ** BigInt(decimals) + BigInt(digits.padEnd(decimals, "0") || "0");
  if (raw === 0n) throw new Error("Enter more than 0");
  if (raw > LARGEST) throw new Error("This is more than any token has");
  return raw;
}

/** Writes raw units as whole tokens, exactly, thousands apart. */
export function formatAmount(raw, decimals) {
  const digits = BigInt(raw).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=([0-9]{3})+$)/g, ",");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction ? `${whole}.${fraction}` : whole;
}

/** Writes what one whole token is worth in the other, cut off after eight digits. */
export function formatRate(input, inputDecimals, output, outputDecimals) {
  const places = 36;
  const scaled = (BigInt(output) * 10n ** BigInt(inputDecimals + places)) / (BigInt(input) * 10n ** BigInt(outputDecimals));
  const digits = scaled.toString();
  const kept = digits.length > RATE_DIGITS ? digits.slice(0, RATE_DIGITS).padEnd(digits.length, "0") : digits;
  return formatAmount(BigInt(kept), places);
}
