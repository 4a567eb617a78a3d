// What a page says by attributes of the element: read, and what is wrong with them.

import { addressFault } from "./addresses.ts";
import type { SideName } from "./form.ts";
import { isAmount, type Preset, readSide } from "./links.ts";
import { isSigningKey } from "./proof.ts";
import type { FaultCode, SwapAttributes } from "./public-types.ts";
import { texts } from "./texts.ts";
import type { WalletConnectOptions } from "./wallet/pairing.ts";
import { RELAY } from "./wallet/walletconnect.ts";

export interface Options {
  api: string;
  chains: number[];
  payers: number[];
  tokens: string[];
  /** Keys of the tools that may be asked; all where none is named. */
  tools?: string[];
  integrator?: string;
  fee?: number;
  /** Public keys that answers have to be signed by; without any they need not be signed. */
  signingKeys?: string[];
  link: string;
  walletConnect?: WalletConnectOptions;
  /** What the form begins with where no link says otherwise. */
  preset?: Preset;
  /** Sides whose token stays as it is. */
  locked?: SideName[];
}

/** Attributes that are not followed, or only in part, and the words in question. */
export interface Fault {
  code: FaultCode;
  attributes: readonly string[];
  value: string;
}

/** What a visit begins with anew. */
export const ATTRIBUTES = [
  ...["api", "chains", "payers", "tokens", "tools", "integrator", "fee", "signing-keys"],
  ...["from", "to", "amount", "receiver", "locked", "walletconnect", "walletconnect-relay"],
] as const satisfies readonly (keyof SwapAttributes)[];
const NAME = /^[A-Za-z0-9._-]{1,31}$/;
const TOKEN = /^[0-9]{1,15}:[^\s,:]{1,64}$/;
const TOOL = /^[A-Za-z0-9_]{1,40}$/;
const MOST_FEE = 0.1;
const PROJECT = /^[0-9a-f]{32}$/;
const RELAY_ADDRESS = /^wss?:\/\/[A-Za-z0-9.-]+(:[0-9]{1,5})?$/;
const SIDES: Readonly<Record<string, SideName>> = { from: "pay", to: "get" };

const words = (text: string | null): string[] => (text ?? "").split(/[\s,]+/).filter(Boolean);
const isNumber = (word: string): boolean => /^[0-9]{1,15}$/.test(word);

/** Returns the service's address: the one that is named, else where the script came from; null for one that is none. */
export function apiOf(named: string | null, script: string, page: string): string | null {
  // A script that an application bundles comes from nowhere.
  if (!named?.trim()) return script ? new URL(script).origin : null;
  try {
    const { protocol, origin, pathname } = new URL(named, page);
    return /^https?:$/.test(protocol) ? (origin + pathname).replace(/\/+$/, "") : null;
  } catch {
    return null;
  }
}

/** Reads attributes one by one, and notes those that are not what they should be. */
class Reader {
  readonly faults: Fault[] = [];
  private readonly element: Element;

  constructor(element: Element) {
    this.element = element;
  }

  fault(code: FaultCode, value: string, ...attributes: string[]): void {
    this.faults.push({ code, attributes, value });
  }

  /** Returns an attribute that is as it should be; undefined where it is not there, or is not. */
  text(name: string, holds: (text: string) => boolean): string | undefined {
    const text = this.element.getAttribute(name)?.trim();
    if (!text) return undefined;
    if (holds(text)) return text;
    this.fault("INVALID", text, name);
    return undefined;
  }

  /** Returns the words of an attribute that are as they should be. */
  list(name: string, holds: (word: string) => boolean): string[] {
    const all = words(this.element.getAttribute(name));
    const wrong = all.filter((word) => !holds(word));
    if (wrong.length) this.fault("INVALID", wrong.join(" "), name);
    return all.filter(holds);
  }

  numbers(name: string): number[] {
    return this.list(name, isNumber).map(Number);
  }
}

/** Returns how wallets are reached over WalletConnect; what cannot be used is reported as an error. */
function walletConnectOf(reader: Reader, element: Element): WalletConnectOptions | undefined {
  const projectId = element.getAttribute("walletconnect");
  const relay = element.getAttribute("walletconnect-relay") ?? RELAY;
  if (projectId === null) return undefined;
  if (PROJECT.test(projectId) && RELAY_ADDRESS.test(relay)) return { projectId, relay };
  const known = PROJECT.test(projectId);
  reader.fault("INVALID", known ? relay : projectId, known ? "walletconnect-relay" : "walletconnect");
  reportError(new TypeError(known ? texts.remoteRelayFault : texts.remoteProjectFault));
  return undefined;
}

/** Returns what the attributes mean, null where there is no service to ask, and what is wrong with them. */
export function readAttributes(element: Element): { options: Options | null; faults: Fault[] } {
  const reader = new Reader(element);
  const { faults } = reader;
  const api = apiOf(element.getAttribute("api"), import.meta.url, document.baseURI);
  if (api === null) {
    reader.fault("INVALID", element.getAttribute("api") ?? "", "api");
    return { options: null, faults };
  }
  const link = element.hasAttribute("links") ? location.search : "";
  const options: Options = {
    api,
    chains: reader.numbers("chains"),
    payers: reader.numbers("payers"),
    tokens: reader.list("tokens", (word) => TOKEN.test(word)),
    tools: reader.list("tools", (word) => TOOL.test(word)).map((word) => word.toUpperCase()),
    ...paid(reader, link),
    ...signed(reader),
    link,
    ...begun(reader),
    walletConnect: walletConnectOf(reader, element),
  };
  contradictions(reader, options);
  return { options, faults };
}

function signed(reader: Reader): Pick<Options, "signingKeys"> {
  const signingKeys = reader.list("signing-keys", isSigningKey);
  return signingKeys.length ? { signingKeys } : {};
}

function paid(reader: Reader, link: string): Pick<Options, "integrator" | "fee"> {
  const own = reader.text("integrator", (text) => NAME.test(text));
  const linked = new URLSearchParams(link).get("integrator") ?? "";
  const integrator = own ?? (NAME.test(linked) ? linked : undefined);
  const text = reader.text("fee", (given) => Number(given) > 0 && Number(given) <= MOST_FEE);
  if (text && !integrator) reader.fault("CONTRADICTION", text, "fee", "integrator");
  return { integrator, fee: text && integrator ? Number(text) : undefined };
}

function begun(reader: Reader): Required<Pick<Options, "preset" | "locked">> {
  const side = (name: string) => readSide(reader.text(name, (text) => readSide(text) !== null) ?? null);
  const [from, to] = [side("from"), side("to")];
  const isReceiver = (text: string): boolean => !addressFault("EVM", text) || !addressFault("SVM", text);
  const amount = reader.text("amount", isAmount) ?? "";
  const receiver = reader.text("receiver", isReceiver) ?? "";
  const locked = reader
    .list("locked", (word) => word in SIDES)
    .filter((name) => {
      // What nobody has named cannot be kept.
      const named = name === "from" ? from : to;
      if (!named) reader.fault("CONTRADICTION", name, "locked", name);
      return named !== null;
    });
  return { preset: { from, to, amount, receiver }, locked: locked.map((name) => SIDES[name] as SideName) };
}

/** Notes attributes of which one leaves nothing of another. */
function contradictions(reader: Reader, { chains, payers, tokens, preset }: Options): void {
  const { from, to } = preset ?? {};
  if (from && to && from.chainId === to.chainId && from.token.toLowerCase() === to.token.toLowerCase()) {
    reader.fault("CONTRADICTION", to.token, "from", "to");
  }
  const outside = (ids: (number | null | undefined)[], list: number[]): string =>
    list.length ? ids.filter((id) => id && !list.includes(id)).join(" ") : "";
  const check = (value: string, ...names: string[]): void => {
    if (value) reader.fault("CONTRADICTION", value, ...names);
  };
  check(outside(payers, chains), "payers", "chains");
  check(
    outside(
      tokens.map((word) => Number.parseInt(word, 10)),
      chains,
    ),
    "tokens",
    "chains",
  );
  check(outside([from?.chainId], chains), "from", "chains");
  check(outside([to?.chainId], chains), "to", "chains");
  check(outside([from?.chainId], payers), "from", "payers");
}
