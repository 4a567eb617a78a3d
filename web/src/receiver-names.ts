// Names in place of a receiver's address, where the page around the element can resolve them. Questions carry addresses
// only.

import { addressFault, checksummed, NATIVE } from "./addresses.ts";
import type { Chain } from "./api.ts";
import type { Form } from "./form.ts";
import { texts, wordOf } from "./texts.ts";

export interface Resolved {
  /** The name as it was looked up. */
  name: string;
  address: string;
}

/** Why the front page's own resolver refuses a name. It says so as the message of an Error whose cause is "refusal". */
export type NameRefusal = keyof typeof texts.nameRefusals;

/** Resolves a name on a chain; throws an Error in words for people. */
export type ResolveName = (name: string, chainId: number) => Promise<Resolved>;

/** A name that was typed, and what became of it. */
export interface NameLookup {
  typed: string;
  chainId: number;
  /** Null while it is looked up, and where it is refused. */
  resolved: Resolved | null;
  /** Why it is refused, in words. */
  refused: string;
}

const TYPING_MS = 450;
const LONGEST = 255;
const LONGEST_REASON = 300;
const PATIENCE_MS = 15_000;

/** Tells a name from an address: labels between dots. */
export const isName = (text: string): boolean => text.length <= LONGEST && /^[^\s.]+(\.[^\s.]+)+$/.test(text);

/** Looks a name up; what comes back is believed only as an address with a right checksum, and of somebody. */
export async function lookUpName(resolve: ResolveName, typed: string, chainId: number): Promise<Resolved> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(texts.nameTooSlow)), PATIENCE_MS);
  });
  const found = await Promise.race([resolve(typed, chainId), late]).finally(() => clearTimeout(timer));
  const [name, address] = [String(found?.name ?? typed), String(found?.address ?? "")];
  if (addressFault("EVM", address) || BigInt(address) === BigInt(NATIVE)) throw new Error(texts.namesNoAddress);
  return { name, address: checksummed(address) };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error && error.message)) return texts.nameNotFound;
  const known = error.cause === "refusal" ? wordOf(texts.nameRefusals, error.message) : undefined;
  return known ?? error.message.slice(0, LONGEST_REASON);
}

/** What was typed in place of a receiver, and what it was resolved to. */
export class ReceiverNames {
  lookup: NameLookup | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly resolver: () => ResolveName | undefined;
  private readonly settled: (receiver: string) => void;

  /** `settled` is called with what the receiver is then: the address, or the name where it is refused. */
  constructor(resolver: () => ResolveName | undefined, settled: (receiver: string) => void) {
    this.resolver = resolver;
    this.settled = settled;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.lookup = null;
  }

  offered(chain: Chain | null): boolean {
    return chain?.chainType === "EVM" && this.resolver() !== undefined;
  }

  /** Returns the form as it is to be, and looks a name up that was typed, or that is for another chain by now. */
  follow(form: Form): Form {
    const { lookup } = this;
    const { chain } = form.get;
    const kept = lookup !== null && (form.receiver === lookup.typed || form.receiver === lookup.resolved?.address);
    if (kept && lookup.chainId === chain?.id) return { ...form, receiver: lookup.resolved?.address ?? lookup.typed };
    this.stop();
    const typed = kept ? lookup.typed : form.receiver;
    if (chain && this.offered(chain) && isName(typed)) this.look(typed, chain.id);
    return { ...form, receiver: typed };
  }

  /**
   * Looks the name up once more, before anything is signed; says why it does not mean what was shown, "" where it does.
   */
  async confirm(): Promise<string> {
    const { lookup } = this;
    if (!lookup?.resolved) return "";
    try {
      const now = await this.resolve(lookup.typed, lookup.chainId);
      if (now.address === lookup.resolved.address) return "";
      lookup.resolved = now;
      return texts.nameMoved(now.name).slice(0, LONGEST_REASON);
    } catch (error) {
      return reasonOf(error);
    }
  }

  private resolve(typed: string, chainId: number): Promise<Resolved> {
    const resolve = this.resolver();
    return resolve ? lookUpName(resolve, typed, chainId) : Promise.reject(new Error(texts.namesNotHere));
  }

  private look(typed: string, chainId: number): void {
    const lookup: NameLookup = { typed, chainId, resolved: null, refused: "" };
    this.lookup = lookup;
    this.timer = setTimeout(() => void this.settle(lookup), TYPING_MS);
  }

  private async settle(lookup: NameLookup): Promise<void> {
    const { typed, chainId } = lookup;
    const outcome = await this.resolve(typed, chainId).then(
      (resolved) => ({ resolved, refused: "" }),
      (error: unknown) => ({ resolved: null, refused: reasonOf(error) }),
    );
    // Something else was typed meanwhile.
    if (this.lookup !== lookup) return;
    Object.assign(lookup, outcome);
    this.settled(lookup.resolved?.address ?? typed);
  }
}
