import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { marks, setLocale } from "../src/locale.ts";
import { formatAmount, parseAmount, typedAmount } from "../src/money.ts";
import { type Marks, readNumber, unmistakable } from "../src/numerals.ts";

const POINT: Marks = { decimal: ".", group: "," };
const COMMA: Marks = { decimal: ",", group: "." };
const SPACE: Marks = { decimal: ",", group: "\u202f" };
const QUOTE: Marks = { decimal: ".", group: "’" };
const ALL = [POINT, COMMA, SPACE, QUOTE];

const LOCALES = ["en", "de", "es", "fr", "ja", "zh", "de-CH", "en-IN", "es-MX", "fr-CA", "pt-BR"];
const DIGITS = ["٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "０１２３４５６７８９", "०१२३४५६७८९"];

const plainOf = (text: string, marksHere: Marks): string => {
  const reading = readNumber(text, marksHere);
  return reading.is === "number" ? `${reading.plain}${reading.sure ? "" : "?"}` : reading.is;
};

test("a pasted number with both marks means the same everywhere", () => {
  for (const here of ALL) {
    assert.match(plainOf("1,234.56", here), /^1234\.56\??$/);
    assert.match(plainOf("1.234,56", here), /^1234\.56\??$/);
    assert.match(plainOf("1,234,567", here), /^1234567\??$/);
    assert.match(plainOf("1.234.567", here), /^1234567\??$/);
    assert.match(plainOf("12,34,567.8", here), /^1234567\.8\??$/);
    assert.match(plainOf("1 234,56", here), /^1234\.56\??$/);
    assert.match(plainOf("1'234.56", here), /^1234\.56\??$/);
  }
});

test("one mark before three digits follows the locale, or is asked back where it means nothing there", () => {
  assert.equal(plainOf("1,234", POINT), "1234?");
  assert.equal(plainOf("1,234", COMMA), "1.234?");
  assert.equal(plainOf("1.234", POINT), "1.234?");
  assert.equal(plainOf("1.234", COMMA), "1234?");
  assert.deepEqual(readNumber("1.234", SPACE), { is: "ambiguous", whole: "1234", broken: "1,2340" });
  assert.deepEqual(readNumber("12,345", QUOTE), { is: "ambiguous", whole: "12345", broken: "12.3450" });
});

test("a mark that can only stand before decimals does so, and is shown where the locale has another", () => {
  for (const [text, plain] of [
    ["1,5", "1.5"],
    ["0,123", "0.123"],
    ["1234,567", "1234.567"],
    [",5", "0.5"],
    ["1,2345", "1.2345"],
  ] as const) {
    assert.equal(plainOf(text, COMMA), plain);
    assert.equal(plainOf(text, POINT), `${plain}?`);
    assert.equal(plainOf(text.replace(",", "."), POINT), plain);
  }
  assert.equal(plainOf("5,", COMMA), "5");
  assert.equal(plainOf("1.234,", COMMA), "1234");
});

test("digits of other scripts are read, and shown", () => {
  for (const digits of DIGITS) {
    const text = [..."1250"].map((digit) => [...digits][Number(digit)]).join("");
    assert.equal(plainOf(text, POINT), "1250?");
  }
  assert.equal(plainOf("١٬٢٣٤٫٥", POINT), "1234.5?");
  assert.equal(plainOf("١٢٫٣٤٥", COMMA), "12.345?");
  assert.equal(plainOf("１，５", COMMA), "1.5?");
});

test("what is no plain number is refused", () => {
  for (const text of [
    "1e-18",
    "1e30",
    "1E5",
    "-1",
    "+1",
    "−1",
    "0x10",
    "½",
    "1_000",
    "∞",
    "NaN",
    "",
    " ",
    ".",
    ",",
    "5 %",
  ])
    for (const here of ALL) assert.equal(plainOf(text, here), "foreign", text);
  for (const text of ["1,2,3", "1.23.456", "1,23,4", "0,123,456", "1 2", "1,234.5.6", "1 234.567,8", "1.5,"])
    assert.equal(plainOf(text, POINT), "misplaced", text);
});

test("what every locale writes is read again as it was, sure but for three digits after one mark", () => {
  try {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 2n ** 256n - 1n),
        fc.integer({ min: 0, max: 36 }),
        fc.constantFrom(...LOCALES),
        (raw, decimals, tag) => {
          setLocale(tag);
          assert.equal(parseAmount(formatAmount(raw, decimals), decimals), raw);
          assert.equal(parseAmount(typedAmount(raw, decimals), decimals), raw);
        },
      ),
      { numRuns: 2000 },
    );
  } finally {
    setLocale("en");
  }
});

test("whatever is typed is a number of its own digits, or is refused: nothing is left out or put in", () => {
  const letters = fc.constantFrom(..."0123456789.,' \u202f\u00a0’٫٬١۲３-+e%");
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 24 }), fc.constantFrom(...ALL), (typed, here) => {
      const text = typed.join("");
      const reading = readNumber(text, here);
      if (reading.is !== "number") return;
      assert.match(reading.plain, /^[0-9]+(\.[0-9]+)?$/);
      const digits = text
        .replace(/[^0-9١۲３]/g, "")
        .replace(/١/g, "1")
        .replace(/۲/g, "2")
        .replace(/３/g, "3");
      const missing = /^[\s.,٫]*[.,٫]/.test(text.trim()) && !/^[0-9١۲３]/.test(text.trim()) ? "0" : "";
      assert.equal(reading.plain.replace(".", ""), missing + digits);
    }),
    { numRuns: 20_000 },
  );
});

test("a number that is sure means the same in every locale that takes it for sure", () => {
  const number = fc.stringMatching(/^[0-9]{1,9}([.,][0-9]{0,6}){0,3}$/);
  fc.assert(
    fc.property(number, (text) => {
      const readings = ALL.map((here) => plainOf(text, here)).filter((plain) => /^[0-9.]+$/.test(plain));
      assert.ok(new Set(readings).size <= 1, text);
    }),
    { numRuns: 20_000 },
  );
});

test("what was understood is written so that it is read the same everywhere", () => {
  const plain = fc.tuple(fc.nat(2_000_000), fc.option(fc.stringMatching(/^[0-9]{1,8}$/)));
  fc.assert(
    fc.property(plain, fc.constantFrom(...ALL), fc.constantFrom(...ALL), ([whole, fraction], here, elsewhere) => {
      const number = fraction === null ? `${whole}` : `${whole}.${fraction}`;
      const reading = readNumber(unmistakable(number, here), elsewhere);
      assert.equal(reading.is, "number");
      const value = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
      assert.equal(reading.is === "number" && value(reading.plain), value(number));
    }),
    { numRuns: 5000 },
  );
});

test("marks are those of the locale", () => {
  try {
    for (const [tag, decimal, group] of [
      ["en", ".", ","],
      ["de", ",", "."],
      ["es", ",", "."],
      ["fr", ",", "\u202f"],
      ["ja", ".", ","],
      ["de-CH", ".", "’"],
    ] as const) {
      setLocale(tag);
      const here = marks();
      assert.equal(here.decimal, decimal, tag);
      assert.equal(here.group.replace("'", "’"), group, tag);
    }
  } finally {
    setLocale("en");
  }
});
