// Who receives: looked at once more before anything is signed.

import type { Wallet } from "./connection.ts";
import { type Account, type Form, receiverOf } from "./form.ts";
import type { NameLookup } from "./receiver-names.ts";
import { texts } from "./texts.ts";
import type { VisitState } from "./visit.ts";

/** What is looked at of a visit, and how it is told what was found. */
interface Receiving {
  readonly form: Form;
  /** The wallet that pays. */
  readonly wallet: Wallet | null;
  readonly receiving: Account | null;
  readonly names: { readonly lookup: NameLookup | null; confirm(): Promise<string> };
  walletOf(chainType: Account["chainType"] | undefined): Wallet | null;
  edit(changes: Partial<Form>): void;
  set(changes: Partial<VisitState>): void;
}

/** Returns whether whom a name or a wallet stands for, the form and the wallets are what was shown; says why not. */
export async function receiverHolds(visit: Receiving, receiver: string): Promise<boolean> {
  const { form, wallet, names } = visit;
  const byWallet = !form.receiver.trim() && receiver !== "";
  if (!names.lookup && !byWallet) return true;
  visit.set({ busy: byWallet ? texts.lookingAtReceiver : texts.lookingUpAgain, problem: "" });
  const refused = byWallet ? await moved(visit.walletOf(form.get.chain?.chainType)) : await names.confirm();
  const unchanged = visit.form === form && visit.wallet === wallet && receiverOf(form, visit.receiving) === receiver;
  const problem = refused || (unchanged ? "" : texts.formChanged);
  visit.set({ busy: "" });
  // Asks again: nothing was asked while it was busy.
  if (problem) visit.edit(names.lookup ? { receiver: names.lookup.typed } : {});
  visit.set({ problem });
  return !problem;
}

/** Says why a wallet is no receiver any more; "" while it shows the account that was on the screen. */
async function moved(wallet: Wallet | null): Promise<string> {
  const shows = await wallet?.shows().catch(() => false);
  return shows ? "" : texts.receiverMoved;
}
