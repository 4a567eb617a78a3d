// Every text that people read, in the language that is spoken: code and views name the entries of this table when they
// are read, and hold no sentence of their own. `texts` is another table once another language is spoken, so nothing of
// it is kept in a constant of a module.

import * as english from "./texts/en.ts";
import type { Words } from "./texts/words.ts";

export type Texts = Words<typeof english>;

export let texts: Texts = english;

/** Says everything by this table from now on; by the English one where none is given. */
export function setTexts(table: Texts = english): void {
  texts = table;
}

/** Returns the word of a group that belongs to a name of the service's; undefined where it has none. */
export const wordOf = (group: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(group, name) ? group[name] : undefined;
