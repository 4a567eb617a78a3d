// Keeps an element in the language that is wanted where it stands.

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { browserStorage } from "./history.ts";
import { choiceOf, chosenLanguage, keepLanguage, type Language, speak, wantedAt, whenSpoken } from "./language.ts";
import type { Marks } from "./numerals.ts";

export class LanguageWatch implements ReactiveController {
  private readonly host: ReactiveControllerHost & Element;
  private readonly storage = browserStorage();
  private readonly observer = new MutationObserver(() => void this.hear());
  private readonly heard = (): void => void this.hear();
  private leave: () => void = () => undefined;

  private readonly spoken: (before: Marks) => void;

  /** `spoken` is told when another language is spoken, and which marks numbers had before. */
  constructor(host: ReactiveControllerHost & Element, spoken: (before: Marks) => void) {
    this.host = host;
    this.spoken = spoken;
    host.addController(this);
  }

  hostConnected(): void {
    this.leave = whenSpoken(this.spoken);
    const filter = { attributeFilter: ["lang", "language"] };
    this.observer.observe(document.documentElement, filter);
    this.observer.observe(this.host, filter);
    addEventListener("languagechange", this.heard);
    void this.hear();
  }

  hostDisconnected(): void {
    this.leave();
    this.observer.disconnect();
    removeEventListener("languagechange", this.heard);
  }

  /** Returns what was chosen here; "" for what the page or the browser says. */
  get chosen(): Language | "" {
    return chosenLanguage(this.storage);
  }

  /** Speaks what a person chooses here, and keeps it; "" goes back to what the page or the browser says. */
  choose(language: Language | ""): void {
    keepLanguage(this.storage, language);
    void this.hear();
    // Where the page says the same, only what is chosen has changed.
    this.host.requestUpdate();
  }

  private hear(): Promise<void> {
    return speak(choiceOf(wantedAt(this.host, this.storage), navigator.languages));
  }
}
