// Which language people read: what they have chosen, else what the page says around the element, else what the browser
// says. One language is spoken on a page: elements beside each other speak the one that was named last.

import { locale as currentLocale, marks, setLocale } from "./locale.ts";
import type { Marks } from "./numerals.ts";
import { setTexts, type Texts } from "./texts.ts";

/** The languages that there are, by what each calls itself. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  zh: "简体中文",
} as const;
export type Language = keyof typeof LANGUAGES;

/** English comes with the element, each of the others when it is spoken. */
const TABLES: Record<Exclude<Language, "en">, () => Promise<Texts>> = {
  de: async () => (await import("./texts/de.ts")).german,
  es: async () => (await import("./texts/es.ts")).spanish,
  fr: async () => (await import("./texts/fr.ts")).french,
  ja: async () => (await import("./texts/ja.ts")).japanese,
  zh: async () => (await import("./texts/zh.ts")).chinese,
};

const CHOSEN = "rhumbline-swap/language";

export interface Choice {
  language: Language;
  /** How numbers and dates are written: a language with the region that goes with it. */
  locale: string;
}

/** Returns the parts of a language tag; null for what is none. */
function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}

/**
 * Returns the first of the wanted languages that there is. Where it comes without a region, numbers are written as in
 * the region that the browser names for that language.
 */
export function choiceOf(wanted: readonly string[], browser: readonly string[]): Choice {
  for (const tag of [...wanted, ...browser]) {
    const found = localeOf(tag);
    const language = found?.language as Language | undefined;
    if (!found || !language || !Object.hasOwn(LANGUAGES, language)) continue;
    const regional = [found, ...browser.map(localeOf)].find((each) => each?.language === language && each.region);
    return { language, locale: regional?.baseName ?? found.baseName };
  }
  return { language: "en", locale: "en" };
}

/** Returns what a person has chosen on this page's site before; "" for what the page or the browser says. */
export function chosenLanguage(storage: Storage | null): Language | "" {
  try {
    const kept = storage?.getItem(CHOSEN) ?? "";
    return Object.hasOwn(LANGUAGES, kept) ? (kept as Language) : "";
  } catch {
    return "";
  }
}

/** Keeps a choice; "" forgets it. */
export function keepLanguage(storage: Storage | null, language: Language | ""): void {
  try {
    if (language) storage?.setItem(CHOSEN, language);
    else storage?.removeItem(CHOSEN);
  } catch {
    // Then it is chosen anew next time.
  }
}

/** Returns what is wanted at an element: the choice, its own attribute, and the nearest `lang` around it. */
export function wantedAt(element: Element, storage: Storage | null): string[] {
  const around = element.closest("[lang]")?.getAttribute("lang");
  return [chosenLanguage(storage), element.getAttribute("language"), around].filter((tag) => typeof tag === "string");
}

/** The language that is spoken. */
export let spoken: Language = "en";
let speaking: Promise<void> = Promise.resolve();
let asked = 0;
const listeners = new Set<(before: Marks) => void>();

/** Speaks a language from now on; English where its table cannot be loaded. */
export function speak(choice: Choice): Promise<void> {
  asked += 1;
  speaking = change(choice, asked);
  return speaking;
}

async function change({ language, locale }: Choice, turn: number): Promise<void> {
  const table = language === "en" ? undefined : await TABLES[language]().catch(() => null);
  // Another one was asked for meanwhile.
  if (turn !== asked) return;
  const before = { language: spoken, tag: currentLocale, marks: marks() };
  setTexts(table ?? undefined);
  setLocale(table === null ? "en" : locale);
  spoken = table === null ? "en" : language;
  if (spoken === before.language && currentLocale === before.tag) return;
  for (const listener of listeners) listener(before.marks);
}

/** Resolves once the language that was asked for last is spoken. */
export const languageReady = (): Promise<void> => speaking;

/** Says when another language is spoken, and which marks numbers had before; returns how to end that. */
export function whenSpoken(listener: (before: Marks) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
