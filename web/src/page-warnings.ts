// Says to who made the page what it asks for and does not get: in the console, and in an event.

import type { Fault } from "./attributes.ts";
import type { Warning } from "./public-types.ts";
import * as texts from "./texts/warnings.ts";

export interface Doubtful extends Omit<Fault, "code"> {
  code: Warning["code"];
}

const MESSAGES: Record<Warning["code"], (fault: Doubtful) => string> = {
  INVALID: ({ attributes, value }) => texts.attributeInvalid(attributes, value),
  CONTRADICTION: ({ attributes, value }) => texts.attributesContradict(attributes, value),
  NOT_SERVED: ({ attributes, value }) => texts.attributeNotServed(attributes, value),
  FEE_NOT_TAKEN: ({ value }) => texts.feeNotTaken(value),
  FEE_REFUSED: ({ value }) => texts.feeRefused(value),
};

/** Writes a fault into the console, and returns what the event says of it. */
export function warn(fault: Doubtful): Warning {
  const message = MESSAGES[fault.code](fault);
  console.warn(`<rhumbline-swap>: ${message}`);
  return { ...fault, message };
}
