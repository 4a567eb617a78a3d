// From a chosen step to a transaction on Solana: one, which the wallet signs as it is.

import { shorten } from "./addresses.ts";
import type { Chain, Step } from "./api.ts";
import { readBalance } from "./balance.ts";
import { svmFault } from "./checks-svm.ts";
import { formatAmount } from "./money.ts";
import { PriceMoved, quoted, signed, stillHere, Stopped, type SendTask } from "./sending.ts";
import type { Read } from "./wallet/nodes.ts";
import { surelyUnsent } from "./wallet/evm.ts";
import { NotSigned, type SvmWallet } from "./wallet/solana.ts";

/** Quotes the leg anew, makes sure of it, has it signed and sent. Throws Stopped, ApiError or what the wallet says. */
export async function sendSvm(task: Omit<SendTask, "wallet"> & { wallet: SvmWallet; read: Read | null }): Promise<void> {
  const { wallet, chain, leg, keep, read, terms } = task;
  if (wallet.address !== leg.plan.action.fromAddress) throw new Stopped(`This was begun with ${shorten(leg.plan.action.fromAddress)}: connect that wallet to go on`);
  const step = await quoted(task);
  if (!terms.agrees(step)) throw new PriceMoved(step, false);
  const call = step.transactionRequest;
  if (!call || step.approvals?.length || step.estimate.approvalAddress) throw new Stopped("The answer is no transaction of Solana's. Choose another route");
  const fault = svmFault(step, wallet.address);
  if (fault) throw new Stopped(`The answer's transaction is not what you agreed to: ${fault}. Nothing was signed. Choose another route`);
  await affordable(step, chain, wallet.address, read);
  stillHere(task);
  Object.assign(leg, {
    state: "signing", transactionId: step.transactionId, expiresAt: step.expiresAt, expected: step.estimate.toAmount,
    minimum: step.estimate.toAmountMin, bridgePage: step.bridgeScan?.url,
  });
  keep();
  await signed(task, async () => ({ hash: await wallet.send(chain, call.data, read) }), unsent);
}

/** Wallets of the Wallet Standard have no codes of their own; what a person declined is told by the usual ones. */
const unsent = (error: unknown): boolean => surelyUnsent(error) || error instanceof NotSigned || /reject|declin|denied|cancel/i.test(String((error as { message?: unknown } | null)?.message ?? ""));

/** Throws Stopped unless the wallet has what it pays, and the service's own run of the transaction went through. */
async function affordable(step: Step, chain: Chain, owner: string, read: Read | null): Promise<void> {
  const { fromToken, fromAmount } = step.action;
  const run = step.estimate.simulation;
  if (run?.executionStatus === "REVERTED") throw new Stopped(`The chain would refuse this transaction now (${run.reason ?? "it was run and failed"}). Nothing was sent`);
  if (step.warnings?.some(({ code }) => code === "SOLANA_INSUFFICIENT_BALANCE")) throw new Stopped("Your wallet has too little for this and the network's fee. Nothing was sent");
  const balance = read && (await readBalance(read, chain, fromToken.address, owner));
  if (balance === null) throw new Stopped(`Your balance on ${chain.name} cannot be read just now. Nothing was sent`);
  if (balance < BigInt(fromAmount)) throw new Stopped(`Your wallet has less than ${formatAmount(BigInt(fromAmount), fromToken.decimals)} ${fromToken.symbol}. Nothing was sent`);
}
