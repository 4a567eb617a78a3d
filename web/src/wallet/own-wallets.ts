// Wallets that the page around the element gives it, in place of those that announce themselves.

import type { Wallet as StandardWallet } from "@wallet-standard/base";
import { texts } from "../texts.ts";
import { type Announced, iconOf, isProvider, LONGEST_NAME, type Provider, sendsOnSolana } from "./discovery.ts";

/** An EIP-1193 provider, a wallet of the Wallet Standard, or both; `name` is what people know it by. */
export interface OwnWallets {
  evm?: Provider | null;
  svm?: StandardWallet | null;
  name?: string;
  /** A `data:` URL. */
  icon?: string;
}

/** Returns the page's wallets as if they had announced themselves; what cannot be used is said in the console. */
export function ownWallets(given: OwnWallets | null | undefined): Announced[] {
  const { evm, svm, name, icon } = given ?? {};
  const named = (own: string, other: unknown) => ({
    id: `own:${own}`,
    own: true as const,
    name: String(name || other || texts.ownWallet).slice(0, LONGEST_NAME),
    icon: iconOf(icon),
  });
  const found: Announced[] = [];
  if (isProvider(evm)) found.push({ ...named("evm", ""), chainType: "EVM", provider: evm });
  else if (evm) reportError(new TypeError(texts.ownEvmFault));
  if (svm && sendsOnSolana(svm)) found.push({ ...named("svm", svm.name), chainType: "SVM", wallet: svm });
  else if (svm) reportError(new TypeError(texts.ownSvmFault));
  return found;
}
