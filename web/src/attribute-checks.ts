// Attributes beside what the service has: known once its lists are loaded.

import type { Tools } from "./api.ts";
import type { Fault, Options } from "./attributes.ts";
import { amountFault, type Form, receiverFault, type SideName } from "./form.ts";
import type { FaultCode } from "./public-types.ts";

/** What the service offers, of what its lists have told so far. */
export interface Offered {
  readonly tools: Tools;
  readonly payers: readonly { id: number }[];
  /** Words of the attribute `tokens` that name nothing on a list that is loaded. */
  readonly missing: readonly string[];
  chain(id: number | null): unknown;
}

/** Returns what the attributes ask for and the service does not offer; `form` is as it was filled at first. */
export function servedFaults(options: Options, offered: Offered, form: Form): Fault[] {
  const { chains, payers, tools = [], preset } = options;
  const found: Fault[] = [];
  const note = (code: FaultCode, value: string, ...attributes: string[]): void => {
    if (value) found.push({ code, attributes, value });
  };
  note("NOT_SERVED", chains.filter((id) => !offered.chain(id)).join(" "), "chains");
  note("NOT_SERVED", payers.filter((id) => !offered.payers.some((chain) => chain.id === id)).join(" "), "payers");
  const keys = [...offered.tools.exchanges, ...offered.tools.bridges].map(({ key }) => key);
  note("NOT_SERVED", tools.filter((key) => !keys.includes(key)).join(" "), "tools");
  const missing = (side: SideName): boolean => !form[side].token;
  if (preset?.from && missing("pay")) note("NOT_SERVED", preset.from.token, "from");
  if (preset?.to && missing("get")) note("NOT_SERVED", preset.to.token, "to");
  if (amountFault(form)) note("CONTRADICTION", form.amount, "amount", "from");
  if (receiverFault(form)) note("CONTRADICTION", form.receiver, "receiver", "to");
  return found;
}
