// The one button of the form: what it says and does. Pure.

import type { Route, Step } from "./api.ts";
import { refundFault } from "./choices.ts";
import {
  type Account,
  amountOf,
  type Form,
  nativeNeed,
  needsReceiver,
  paidOf,
  pointless,
  receiverFault,
  receiverOf,
  slippageFault,
} from "./form.ts";
import { lossOf, needsYes } from "./loss.ts";
import type { Search } from "./route-requests.ts";
import { texts } from "./texts.ts";

/** What the button depends on. */
export interface Facts {
  readonly ready: boolean;
  readonly form: Form;
  /** Of the wallet that pays. */
  readonly account: Account | null;
  /** Of the wallet on the chain that is paid to. */
  readonly receiving: Account | null;
  /** All wallets that are connected, of whatever type. */
  readonly connections: { all(): readonly unknown[] };
  /** Raw units; null while it is not known. */
  readonly balance: bigint | null;
  readonly native: bigint | null;
  readonly search: Search;
  readonly route: Route | null;
  /** A step as it is before signing, where the service has said more of the loss than the plan did. */
  readonly warned: Step | null;
  readonly agreed: boolean;
  readonly busy: string;
  /** Whether somebody has to say yes, because the same is on its way already. */
  readonly endings: { readonly blocks: boolean };
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
  const connect = offer(connectText(facts), "connect");
  if (!form.amount.trim()) return account ? wait(texts.enterAmount) : connect;
  if (amountOf(form) === null) return wait(texts.enterAmount);
  if (needsReceiver(form) && !receiverOf(form, facts.receiving))
    return wait(texts.enterReceiver(form.get.chain?.name ?? ""));
  if (receiverFault(form)) return wait(texts.checkReceiver);
  if (refundFault(form)) return wait(texts.checkRefund);
  if (slippageFault(form)) return wait(texts.checkSlippage);
  if (account && poor(facts)) return wait(texts.notEnough(form.pay.token.symbol));
  // Who looks on may connect: that waits for no answer.
  if (!account && search.is === "asking") return connect;
  if (search.is === "asking" || search.is === "idle") return wait(texts.lookingForRoutes);
  if (search.is === "failed") return wait(search.explanation.headline);
  if (!facts.route) return wait(texts.chooseRoute);
  if (!account) return connect;
  return ready(facts, facts.route, account);
}

/** Names the chain where a wallet of another type is connected. */
const connectText = ({ form, connections }: Facts): string =>
  connections.all().length && form.pay.chain ? texts.connectWalletFor(form.pay.chain.name) : texts.connectWallet;

const poor = ({ form, route, balance }: Facts): boolean => balance !== null && (paidOf(form, route) ?? 0n) > balance;

function ready(facts: Facts, route: Route, account: Account): Button {
  const { form } = facts;
  const { chain, token } = form.pay;
  if (!chain || !token) return wait(texts.chooseTokens);
  const { need } = nativeNeed(form, route);
  if (facts.native !== null && facts.native < need) return wait(texts.notEnoughForFee(chain.nativeToken.symbol));
  if (chain.chainType === "EVM" && account.chainId !== BigInt(chain.id)) {
    return offer(texts.switchTo(chain.name), "switch");
  }
  // A wallet that is on the chain reads it by its own node; before that public nodes may be silent.
  if (facts.balance === null) return wait(texts.lookingAtBalance);
  if (needsYes(lossOf(form, route, facts.warned)) && !facts.agreed) return wait(texts.confirmLoss);
  if (facts.endings.blocks) return wait(texts.onItsWayAlready);
  const crossing = chain.id !== form.get.chain?.id;
  const approving = route.steps[0]?.estimate.approvalAddress !== undefined;
  return offer(approving ? texts.approveAndSend(crossing) : texts.send(crossing), "send");
}
