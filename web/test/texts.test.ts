// Every text that people read stands in the table of texts: nothing else holds a sentence, and markup holds no word.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "node:test";

/** Attributes whose values are read by people. */
const READ = /\b(?:aria-label|title|placeholder|alt)="([^"]*)"/g;
/** Three words, or two of which the first has a capital. */
const SENTENCE = /[A-Za-z]{2,},? [a-z’']+,? [a-z]|^[A-Z][a-z]+,? [a-z]/;
const HOLE = "\u0000";

interface Literal {
  text: string;
  /** Whether it is a template of lit's, which has tags. */
  markup: boolean;
}

/** Finds the strings and templates of a source, those within templates too; passes over comments and patterns. */
function literals(source: string): Literal[] {
  const found: Literal[] = [];
  let at = 0;
  const code = (end: string): void => {
    for (let before = ""; at < source.length; at += 1) {
      const here = source[at] ?? "";
      if (here === end) return;
      if (source.startsWith("//", at)) at = after("\n");
      else if (source.startsWith("/*", at)) at = after("*/");
      else if (here === "/" && /[(,=:!&|?{}[;]/.test(before)) at = endOfPattern(source, at);
      else if (here === '"' || here === "'") quoted(here);
      else if (here === "`") template(/(?:html|svg)$/.test(source.slice(0, at)));
      else if (here === "{") nested();
      if (here.trim()) before = here;
    }
  };
  /** Answers the place of the last letter of what ends a comment, or the source's end. */
  const after = (end: string): number => {
    const place = source.indexOf(end, at);
    return place < 0 ? source.length : place + end.length - 1;
  };
  const nested = (): void => {
    at += 1;
    code("}");
  };
  const quoted = (mark: string): void => {
    const start = at + 1;
    for (at += 1; at < source.length && source[at] !== mark; at += 1) if (source[at] === "\\") at += 1;
    found.push({ text: source.slice(start, at), markup: false });
  };
  const template = (markup: boolean): void => {
    let text = "";
    for (at += 1; at < source.length && source[at] !== "`"; at += 1) {
      if (source[at] === "\\") at += 1;
      if (source.startsWith("${", at)) {
        at += 1;
        nested();
        text += HOLE;
      } else text += source[at];
    }
    found.push({ text, markup });
  };
  code("");
  return found;
}

function endOfPattern(source: string, start: number): number {
  let listed = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const here = source[at];
    if (here === "\\") at += 1;
    else if (here === "[") listed = true;
    else if (here === "]") listed = false;
    else if (here === "/" && !listed) return at;
  }
  return source.length;
}

/** Answers what of a source is for people to read: a sentence in a string, a word in markup. */
function readable(source: string): string[] {
  return literals(source).flatMap(({ text, markup }) => {
    if (!markup) return SENTENCE.test(text) ? [text] : [];
    const values = [...text.matchAll(READ)].map(([, value]) => value ?? "");
    return [...values, ...text.replace(/<code>[^<]*<\/code>/g, "").split(/<[^>]*>/)].filter((part) =>
      /[A-Za-z]{2,}/.test(part.replace(/&[a-z]+;/g, "")),
    );
  });
}

/** Tests run in the folder of the element. */
const SOURCES = "src";
const paths = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

test("no source but the table of texts holds a sentence", () => {
  const others = paths.filter((path) => !path.startsWith("texts") && !path.endsWith(".css.ts"));
  assert.ok(others.includes(join("views", "progress.ts")));
  const found = others.flatMap((path) =>
    readable(readFileSync(join(SOURCES, path), "utf8")).map((text) => `${path}: ${JSON.stringify(text)}`),
  );
  assert.deepEqual(found, [], "put it into src/texts, and name it");
});

test("every text is said somewhere", () => {
  const others = paths.filter((path) => !path.startsWith("texts"));
  const said = others.map((path) => readFileSync(join(SOURCES, path), "utf8")).join("\n");
  const names = paths
    .filter((path) => path.startsWith(`texts${sep}en${sep}`))
    .flatMap((path) => [...readFileSync(join(SOURCES, path), "utf8").matchAll(/^export const (\w+)/gm)])
    .map(([, name]) => name ?? "");
  assert.ok(names.length > 200);
  assert.deepEqual(
    names.filter((name) => !new RegExp(`texts\\.${name}\\b|\\{ ${name} \\}`).test(said)),
    [],
  );
});

/** Statements at the left edge that read a text when their module is loaded, before a language is spoken. */
const early = (source: string): string[] =>
  [...source.matchAll(/^(?:export )?(?:const|let) [\s\S]*?;$/gm)]
    .map(([statement]) => statement)
    .filter((statement) => /\btexts\./.test(statement.replace(/=>[\s\S]*/, "")));

test("no text is kept from before a language is spoken", () => {
  const others = paths.filter((path) => !path.startsWith("texts"));
  assert.deepEqual(
    others.flatMap((path) => early(readFileSync(join(SOURCES, path), "utf8"))),
    [],
    "name it in a function",
  );
  assert.equal(early("const AGAIN = { text: texts.tryAgain };\nconst a = (): string =>\n  texts.b;").length, 1);
  assert.equal(early("export const SORTS = Object.entries(\n  texts.sorts,\n);").length, 1);
});

test("a sentence is found wherever it is written", () => {
  for (const source of [
    'throw new Error("The wallet does not answer")',
    "const text = `Enter a receiver on ${chain}`;",
    'throw new Error("it answered no hash")',
    "html`<p>Nothing yet</p>`",
    "html`<p>${all ? html`<b>Max</b>` : nothing}</p>`",
    'html`<button aria-label="Close">${cross}</button>`',
    'const a = /["`]/; f("It is locked, so it was not asked");',
  ])
    assert.equal(readable(source).length, 1, source);
});

test("what is no text is left alone", () => {
  for (const source of [
    "// The wallet does not answer",
    "/** It's here. */",
    'html`<p class="small soft" id=${id}>${text}&nbsp;</p>`',
    'const method = "eth_call";',
    'const look = `amount ${soft ? "soft" : ""}`;',
    'place.closest("dialog, token-picker")',
    "const half = total / 2; // of it",
  ])
    assert.deepEqual(readable(source), [], source);
});
