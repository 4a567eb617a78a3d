// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html (read 2026-11-27).

import { UnexpectedAnswer } from "./errors.ts";

export interface ServerEvent {
  name: string;
  data: string;
  id: string | undefined;
}

const MOST_CHARACTERS = 4 * 2 ** 20;

/** Makes events of a stream's text, however it is cut. A comment is no event. */
export class EventDecoder {
  #rest = "";
  #name = "";
  #data: string[] = [];
  #size = 0;
  #lastId: string | undefined;

  constructor(lastId?: string) {
    this.#lastId = lastId;
  }

  feed(received: string): ServerEvent[] {
    this.#size += received.length;
    if (this.#size > MOST_CHARACTERS)
      throw new UnexpectedAnswer(`an event has more than ${MOST_CHARACTERS} characters`);
    // A line may end with CR, LF or both; a CR at the end may be half of both.
    const text = this.#rest + received;
    const held = text.endsWith("\r") ? "\r" : "";
    const lines = text.slice(0, text.length - held.length).split(/\r\n|\r|\n/);
    this.#rest = (lines.pop() ?? "") + held;
    return lines.map((line) => this.#line(line)).filter((event) => event !== undefined);
  }

  #line(line: string): ServerEvent | undefined {
    if (line === "") {
      const event = { name: this.#name || "message", data: this.#data.join("\n"), id: this.#lastId };
      const isOne = this.#data.length > 0;
      [this.#name, this.#data, this.#size] = ["", [], this.#rest.length];
      return isOne ? event : undefined;
    }
    const colon = line.indexOf(":");
    const key = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (key === "event") this.#name = value;
    else if (key === "data") this.#data.push(value);
    else if (key === "id" && !value.includes("\0")) this.#lastId = value;
    return undefined;
  }
}
