// The choice of a language.

import { html, type TemplateResult } from "lit";
import { LANGUAGES, type Language } from "../language.ts";
import { texts } from "../texts.ts";

export interface LanguageProps {
  /** What was chosen; "" for what the page or the browser says. */
  chosen: Language | "";
  choose(language: Language | ""): void;
}

export function languageChoice({ chosen, choose }: LanguageProps): TemplateResult {
  const changed = (event: Event): void => choose((event.target as HTMLSelectElement).value as Language | "");
  return html`<label class="language" for="language">${texts.language}
    <select id="language" @change=${changed}>
      <option value="" ?selected=${chosen === ""}>${texts.automatic}</option>
      ${Object.entries(LANGUAGES).map(
        ([tag, name]) => html`<option value=${tag} lang=${tag} ?selected=${chosen === tag}>${name}</option>`,
      )}
    </select></label>`;
}
