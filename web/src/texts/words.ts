// What a language has to have, by what English has: the type of the table of texts.

/** One entry: a text, a text with holes that take the same as in English, or a group of them under the same names. */
type Word<English> = English extends string
  ? string
  : English extends (...holes: infer Holes) => string
    ? (...holes: Holes) => string
    : Words<English>;

/** A part of the table as another language has to write it. */
export type Words<English> = { readonly [Name in keyof English]: Word<English[Name]> };
