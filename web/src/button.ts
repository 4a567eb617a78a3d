// The one button of the form: what it says and does. Pure.

import type { Route, Step } from "./api.ts";
import {
  type Account,
  amountOf,
  type Form,
  nativeNeed,
  needsReceiver,
  pointless,
  receiverFault,
  slippageFault,
} from "./form.ts";
import { lossOf, needsYes } from "./loss.ts";
import type { Search } from "./route-requests.ts";
import * as texts from "./texts.ts";

/** What the button depends on. */
export interface Facts {
  readonly ready: boolean;
  readonly form: Form;
  readonly account: Account | null;
  /** Raw units; null while it is not known. */
  readonly balance: bigint | null;
  readonly native: bigint | null;
  readonly search: Search;
  readonly route: Route | null;
  /** A step as it is before signing, where the service has said more of the loss than the plan did. */
  readonly warned: Step | null;
  readonly agreed: boolean;
  readonly busy: string;
}

export type Act = "none" | "connect" | "switch" | "send";

export interface Button {
  text: string;
  act: Act;
  disabled: boolean;
}

const wait = (text: string): Button => ({ text, act: "none", disabled: true });
const offer = (text: string, act: Act): Button => ({ text, act, disabled: false });

export function buttonOf(facts: Facts): Button {
  const { form, account, search, busy } = facts;
  if (busy) return wait(busy);
  if (!facts.ready) return wait(texts.loading);
  if (!form.pay.token || !form.get.token) return wait(texts.chooseTokens);
  if (pointless(form)) return wait(texts.chooseTwoTokens);
  if (!form.amount.trim()) return account ? wait(texts.enterAmount) : offer(texts.connectWallet, "connect");
  if (amountOf(form) === null) return wait(texts.enterAmount);
  if (needsReceiver(form) && !form.receiver.trim()) return wait(texts.enterReceiver(form.get.chain?.name ?? ""));
  if (receiverFault(form)) return wait(texts.checkReceiver);
  if (slippageFault(form)) return wait(texts.checkSlippage);
  if (account && account.chainType === form.pay.chain?.chainType && poor(facts)) {
    return wait(texts.notEnough(form.pay.token.symbol));
  }
  // Who looks on may connect: that waits for no answer.
  if (!account && search.is === "asking") return offer(texts.connectWallet, "connect");
  if (search.is === "asking" || search.is === "idle") return wait(texts.lookingForRoutes);
  if (search.is === "failed") return wait(texts.noRoute);
  if (!facts.route) return wait(texts.chooseRoute);
  if (!account) return offer(texts.connectWallet, "connect");
  return ready(facts, facts.route, account);
}

const poor = ({ form, balance }: Facts): boolean => balance !== null && (amountOf(form) ?? 0n) > balance;

function ready(facts: Facts, route: Route, account: Account): Button {
  const { form } = facts;
  const { chain, token } = form.pay;
  if (!chain || !token) return wait(texts.chooseTokens);
  if (account.chainType !== chain.chainType) return offer(texts.connectWalletFor(chain.name), "connect");
  const { need } = nativeNeed(form, route);
  if (facts.native !== null && facts.native < need) return wait(texts.notEnoughForFee(chain.nativeToken.symbol));
  if (chain.chainType === "EVM" && account.chainId !== BigInt(chain.id)) {
    return offer(texts.switchTo(chain.name), "switch");
  }
  // A wallet that is on the chain reads it by its own node; before that public nodes may be silent.
  if (facts.balance === null) return wait(texts.lookingAtBalance);
  if (needsYes(lossOf(form, route, facts.warned)) && !facts.agreed) return wait(texts.confirmLoss);
  const crossing = chain.id !== form.get.chain?.id;
  const approving = route.steps[0]?.estimate.approvalAddress !== undefined;
  return offer(approving ? texts.approveAndSend(crossing) : texts.send(crossing), "send");
}
