// Each language has every text of the English table, with the same holes, and none in English by accident.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceOf, type LANGUAGES } from "../src/language.ts";
import { german } from "../src/texts/de.ts";
import * as english from "../src/texts/en.ts";
import { spanish } from "../src/texts/es.ts";
import { french } from "../src/texts/fr.ts";
import { japanese } from "../src/texts/ja.ts";
import { chinese } from "../src/texts/zh.ts";
import type { Texts } from "../src/texts.ts";

const TABLES: Record<Exclude<keyof typeof LANGUAGES, "en">, Texts> = {
  de: german,
  es: spanish,
  fr: french,
  ja: japanese,
  zh: chinese,
};

/** Texts that are the same in English: names, signs, and words that the language has taken over. */
const ALIKE: Record<keyof typeof TABLES, readonly string[]> = {
  de: [
    "max",
    "slippage",
    "slippageNow",
    "auto",
    "token",
    "pools",
    "columns.route",
    "feeTypes.relayer",
    "simulation",
    "unnamedWallet",
  ],
  es: ["auto", "token", "tokens", "pools", "feeTypes.relayer", "feeTypes.capital"],
  fr: [
    "max",
    "slippage",
    "auto",
    "token",
    "tokens",
    "pools",
    "feeTypes.relayer",
    "feeTypes.capital",
    "net",
    "simulation",
  ],
  ja: [],
  zh: [],
};

const HOLES = ["⟦0⟧", "⟦1⟧", "⟦2⟧", "⟦3⟧"];

type Leaf = (...holes: unknown[]) => string;

/** Returns every text of a table by its place in it, as one that is said with holes. */
function leaves(table: object, at = ""): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [name, word] of Object.entries(table)) {
    const place = at ? `${at}.${name}` : name;
    if (typeof word === "string") found.set(place, () => word);
    else if (typeof word === "function") found.set(place, word as Leaf);
    else for (const [inner, leaf] of leaves(word, place)) found.set(inner, leaf);
  }
  return found;
}

/** Says a text with each of its holes filled, and with each of them empty in turn. */
function filled(leaf: Leaf): string[] {
  const turns = [-1, ...HOLES.keys()].map((empty) => HOLES.map((hole, place) => (place === empty ? "" : hole)));
  return turns.map((holes) => {
    try {
      return leaf(...holes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // One that takes a list.
      return leaf(HOLES);
    }
  });
}

const holesOf = (text: string): string[] => HOLES.filter((hole) => text.includes(hole));
const table = leaves(english);

test("a language has the same texts as English", () => {
  assert.ok(table.size > 250);
  for (const [language, words] of Object.entries(TABLES))
    assert.deepEqual([...leaves(words).keys()].sort(), [...table.keys()].sort(), language);
});

test("a text has the same holes in every language", () => {
  for (const [language, words] of Object.entries(TABLES))
    for (const [place, leaf] of leaves(words)) {
      const original = table.get(place);
      assert.ok(original);
      assert.deepEqual(filled(leaf).map(holesOf), filled(original).map(holesOf), `${language}: ${place}`);
    }
});

test("no text is empty, and none is in English by accident", () => {
  const foreign = /\b(?:the|and|you|your|this|that|with|from|nothing|are|which|enter|wallet’s|another)\b/i;
  for (const [language, words] of Object.entries(TABLES)) {
    const alike = [...leaves(words)].filter(([place, leaf]) => {
      const [text = ""] = filled(leaf);
      assert.ok(text.trim(), `${language}: ${place}`);
      assert.doesNotMatch(text, foreign, `${language}: ${place}`);
      return text === filled(table.get(place) as Leaf)[0] && /[a-z]{2}/i.test(text.replace(/⟦.⟧/g, ""));
    });
    assert.deepEqual(
      alike.map(([place]) => place),
      ALIKE[language as keyof typeof TABLES],
      language,
    );
  }
});

test("what is chosen goes before what the page says, and that before the browser", () => {
  assert.deepEqual(choiceOf(["de"], ["en-US"]), { language: "de", locale: "de" });
  assert.deepEqual(choiceOf(["", "de-AT"], ["de-CH"]), { language: "de", locale: "de-AT" });
  assert.deepEqual(choiceOf(["de"], ["en-US", "de-CH"]), { language: "de", locale: "de-CH" });
  assert.deepEqual(choiceOf(["pt", "x", "_", "toString"], ["tlh", "de"]), { language: "de", locale: "de" });
  assert.deepEqual(choiceOf(["pt"], []), { language: "en", locale: "en" });
  assert.deepEqual(choiceOf(["de-u-nu-arab"], []), { language: "de", locale: "de" });
});
