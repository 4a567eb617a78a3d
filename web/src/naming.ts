// Names in place of a receiver's address, where the page around the element can resolve them. Questions carry addresses only.

import { addressFault, checksummed, NATIVE } from "./addresses.ts";
import type { Chain } from "./api.ts";
import type { Session } from "./session.ts";
import type { Form } from "./state.ts";

export interface Resolved {
  /** The name as it was looked up. */
  name: string;
  address: string;
}

/** Resolves a name on a chain; throws an Error in words for people. */
export type ResolveName = (name: string, chainId: number) => Promise<Resolved>;

export interface Named {
  typed: string;
  chainId: number;
  /** Null while it is looked up, and where it is refused. */
  resolved: Resolved | null;
  /** Why it is refused, in words. */
  refused: string;
}

const TYPING_MS = 450;
const LONGEST = 255;
const PATIENCE_MS = 15_000;

/** Tells a name from an address: labels between dots. */
export const isName = (text: string): boolean => text.length <= LONGEST && /^[^\s.]+(\.[^\s.]+)+$/.test(text);

/** Looks a name up; what comes back is believed only as an address with a right checksum, and of somebody. */
export async function lookedUp(resolve: ResolveName, typed: string, chainId: number): Promise<Resolved> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("The name could not be looked up in time: try again, or paste the address")), PATIENCE_MS));
  const found = await Promise.race([resolve(typed, chainId), late]);
  const [name, address] = [String(found?.name ?? typed), String(found?.address ?? "")];
  if (addressFault("EVM", address) || BigInt(address) === BigInt(NATIVE)) throw new Error("This name names no address");
  return { name, address: checksummed(address) };
}

const words = (error: unknown): string => (error instanceof Error && error.message ? error.message.slice(0, 300) : "The name could not be looked up: paste the address");

export class Naming {
  named: Named | null = null;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private readonly resolver: () => ResolveName | undefined;
  private readonly settled: (receiver: string) => void;

  /** `settled` is called with what the receiver is then: the address, or the name where it is refused. */
  constructor(resolver: () => ResolveName | undefined, settled: (receiver: string) => void) {
    this.resolver = resolver;
    this.settled = settled;
  }

  stop(): void {
    clearTimeout(this.typing);
    this.named = null;
  }

  offered(chain: Chain | null): boolean {
    return chain?.chainType === "EVM" && this.resolver() !== undefined;
  }

  /** Answers the form as it is to be, and looks a name up that was typed, or that is for another chain by now. */
  follow(form: Form): Form {
    const { named } = this;
    const { chain } = form.get;
    const kept = named !== null && (form.receiver === named.typed || form.receiver === named.resolved?.address);
    if (kept && named.chainId === chain?.id) return { ...form, receiver: named.resolved?.address ?? named.typed };
    this.stop();
    const typed = kept ? named.typed : form.receiver;
    if (chain && this.offered(chain) && isName(typed)) this.look(typed, chain.id);
    return { ...form, receiver: typed };
  }

  /** Looks a name up once more before anything is signed; tells whether it, the form and the wallet are what was shown. */
  async holds(session: Session): Promise<boolean> {
    if (!this.named) return true;
    const { form, wallet } = session;
    session.set({ busy: "Looking the name up once more…", said: "" });
    const said = await this.confirm(this.named).then(() => (session.form === form && session.wallet === wallet ? "" : "The form or the wallet has changed meanwhile: look at it again"), words);
    session.set({ busy: "" });
    // Anew: while it was busy nothing was asked.
    if (said) session.edit(this.named ? { receiver: this.named.typed } : {});
    session.set({ said });
    return !said;
  }

  /** Throws in words where a name means something else by now. */
  private async confirm(named: Named): Promise<void> {
    if (!named.resolved) return;
    const now = await this.asked(named.typed, named.chainId);
    if (now.address === named.resolved.address) return;
    named.resolved = now;
    throw new Error(`${now.name} means another address by now: compare it, then go on`);
  }

  private asked(typed: string, chainId: number): Promise<Resolved> {
    const resolve = this.resolver();
    return resolve ? lookedUp(resolve, typed, chainId) : Promise.reject(new Error("Names cannot be looked up here: paste the address"));
  }

  private look(typed: string, chainId: number): void {
    const named: Named = { typed, chainId, resolved: null, refused: "" };
    this.named = named;
    this.typing = setTimeout(() => void this.settle(named), TYPING_MS);
  }

  private async settle(named: Named): Promise<void> {
    const { typed, chainId } = named;
    const outcome = await this.asked(typed, chainId).then((resolved) => ({ resolved, refused: "" }), (error: unknown) => ({ resolved: null, refused: words(error) }));
    // Something else was typed meanwhile.
    if (this.named !== named) return;
    Object.assign(named, outcome);
    this.settled(named.resolved?.address ?? typed);
  }
}
