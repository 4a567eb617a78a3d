// Reads numbers as people write them anywhere, into plain digits with a point; what could mean two numbers follows the
// locale or is refused. The rule is in docs/front-page.md. Pure.

/** What stands before the decimals and between thousands: "." and ",", or "," and ".", or "," and a space. */
export interface Marks {
  decimal: string;
  group: string;
}

export type Reading =
  /** `plain` is "1234.5"; `sure` is false where what was understood has to be shown. */
  | { is: "number"; plain: string; sure: boolean }
  /** It has something else than digits and marks, or its marks are where no number has them. */
  | { is: "foreign" | "misplaced" }
  /** The mark means nothing in this locale, and each meaning is a number. */
  | { is: "ambiguous"; whole: string; broken: string };

/** The zeros of the digits that keyboards write beside 0 to 9: Arabic, Persian, Devanagari, and those of full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xff10];
const WRITTEN_ALIKE: Record<string, string> = { "，": ",", "．": ".", "。": ".", "\u2019": "'" };
/** Marks that mean one thing everywhere, by how they are kept here. */
const DECIMAL = "\u066b";
const APART = /[\s'\u066c]/gu;

interface Split {
  whole: string;
  /** Null where there is no decimal mark. */
  fraction: string | null;
  /** What stands between thousands; "" where nothing does. */
  group: string;
  decimal: string;
}

const digitsOf = (text: string): string =>
  [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      const zero = ZEROS.find((start) => code >= start && code < start + 10);
      return zero === undefined ? (WRITTEN_ALIKE[letter] ?? letter) : String(code - zero);
    })
    .join("");

/** Reads a number of whole and broken parts without a sign. */
export function readNumber(text: string, marks: Marks): Reading {
  const trimmed = text.trim();
  const written = digitsOf(trimmed).replace(APART, " ");
  if (!/^[0-9., \u066b]*$/.test(written) || !/[0-9]/.test(written)) return { is: "foreign" };
  const split = splitOf(written, marks);
  if (split === null) return { is: "ambiguous", ...meanings(written, marks) };
  const { whole, fraction, group, decimal } = split;
  if (!/^[0-9]*$/.test(fraction ?? "") || !isGrouped(whole, group)) return { is: "misplaced" };
  const digits = whole.replaceAll(group || " ", "") || "0";
  // "1.234," is a number where people write so, and half a number elsewhere.
  if (group && fraction === "" && decimal !== marks.decimal) return { is: "misplaced" };
  return {
    is: "number",
    plain: fraction ? `${digits}.${fraction}` : digits,
    sure: isUsual(split, marks) && written === trimmed.replace(APART, " ") && !isTwofold(written),
  };
}

/** Whether a text reads as thousands and as decimals: "1,234". */
const isTwofold = (written: string): boolean => /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(written);

/** Tells what each mark means; null where the only one may mean both. */
function splitOf(written: string, marks: Marks): Split | null {
  const found = [...written.matchAll(/[.,\u066b]/g)].map(([mark]) => mark);
  const last = found.at(-1);
  const kinds = new Set(found);
  const spaced = written.includes(" ") ? " " : "";
  if (last === undefined) return { whole: written, fraction: null, group: spaced, decimal: "" };
  const decides = kinds.size > 1 || last === DECIMAL || spaced !== "" || !isTwofold(written);
  // Several of one kind are between thousands.
  const repeated = kinds.size === 1 && found.length > 1 && last !== DECIMAL;
  if (repeated || (!decides && last === marks.group)) {
    return { whole: written, fraction: null, group: last, decimal: "" };
  }
  if (!decides && last !== marks.decimal) return null;
  const at = written.lastIndexOf(last);
  const group = spaced || ([...kinds].find((mark) => mark !== last) ?? "");
  return { whole: written.slice(0, at), fraction: written.slice(at + 1), group, decimal: last };
}

/** Whether digits stand in groups of three, or of two and three at the end as in India. */
function isGrouped(whole: string, group: string): boolean {
  if (!group || !whole.includes(group)) return /^[0-9]*$/.test(whole);
  const parts = whole.split(group);
  const [first = "", last = "", middle] = [parts[0], parts.at(-1), parts.slice(1, -1)];
  const long = middle.every((part) => part.length === 3) && first.length <= 3;
  const short = group === "," && middle.every((part) => part.length === 2) && first.length <= 2;
  return parts.every((part) => /^[0-9]+$/.test(part)) && /^[1-9]/.test(first) && last.length === 3 && (long || short);
}

/** Whether a number is written with the marks of the locale and no others. */
function isUsual({ group, decimal }: Split, marks: Marks): boolean {
  const apart = /[\s'\u2019]/u.test(marks.group) ? " " : marks.group;
  return (decimal === "" || decimal === marks.decimal) && (group === "" || group === apart);
}

function meanings(written: string, { decimal }: Marks): { whole: string; broken: string } {
  const [first = "", rest = ""] = written.split(/[.,]/);
  return { whole: first + rest, broken: `${first}${decimal}${rest}0` };
}

/** Writes plain digits so that nobody takes decimals for thousands: nothing between thousands, and never "1.234". */
export function unmistakable(plain: string, { decimal }: Marks): string {
  const written = /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(plain) ? `${plain}0` : plain;
  return written.replace(".", decimal);
}
