// From a chosen step to its one transaction on Solana, which the wallet signs as it is.

import { shorten } from "./addresses.ts";
import type { Chain, Step } from "./api.ts";
import { readBalance } from "./balance.ts";
import { svmFault } from "./checks-svm.ts";
import { beingSigned, type ExecutionTask, PriceMoved, quoted, Stopped, signed, stillWaiting } from "./execution.ts";
import type { Proof, Sponsor } from "./extras.ts";
import { formatAmount } from "./money.ts";
import { texts } from "./texts.ts";
import { surelyUnsent } from "./wallet/evm.ts";
import type { Read } from "./wallet/nodes.ts";
import { NotSigned, type SvmWallet } from "./wallet/solana.ts";
import { signedBy } from "./wallet/svm-message.ts";

type SvmTask = Omit<ExecutionTask, "wallet"> & { wallet: SvmWallet; read: Read | null; sponsor: Sponsor | null };

/** Quotes the leg anew, makes sure of it, has it signed and sent. Throws Stopped, ApiError or what the wallet says. */
export async function executeSvmStep(task: SvmTask): Promise<void> {
  const { wallet, chain, leg, keep, read, terms, sponsor } = task;
  const { fromAddress } = leg.plan.action;
  if (wallet.address !== fromAddress) throw new Stopped(texts.begunWith(shorten(fromAddress)));
  const step = await quoted(task);
  if (!terms.agrees(step)) throw new PriceMoved(step, false);
  const call = step.transactionRequest;
  if (!call || step.approvals?.length || step.estimate.approvalAddress) throw new Stopped(texts.notSolana);
  const sponsored = sponsor !== null && leg.plan.execution.quoteRequest.feePayer === sponsor.address;
  const fault = svmFault(step, wallet.address, {
    tip: task.transfer.tip,
    ...(sponsored && { sponsor: sponsor.address }),
  });
  if (fault) throw new Stopped(texts.notAgreed(fault));
  await affordable(step, chain, wallet.address, read);
  const data = sponsored ? await coSigned(call.data, sponsor, task.api.proofOf(step)) : call.data;
  stillWaiting(task);
  Object.assign(leg, beingSigned(step));
  keep();
  await signed(task, async () => ({ hash: await wallet.send(chain, data, read) }), unsent);
}

/** Returns the transaction with the sponsor's signature; throws Stopped where it has none, or is another by then. */
async function coSigned(data: string, sponsor: Sponsor, proof: Proof | undefined): Promise<string> {
  try {
    const signed = await sponsor.sign(data, proof);
    if (signedBy(data, signed, sponsor.address)) return signed;
  } catch (error) {
    throw new Stopped(texts.sponsorRefused(String((error as Error).message ?? error).slice(0, 200)));
  }
  throw new Stopped(texts.sponsorRefused(texts.noSignature));
}

/** The Wallet Standard has no error codes; what a person declined is known by the usual codes and words. */
function unsent(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown };
  return (
    surelyUnsent(error) || error instanceof NotSigned || /reject|declin|denied|cancel/i.test(String(message ?? ""))
  );
}

/** Throws Stopped unless the wallet has what it pays, and the service's own run of the transaction went through. */
async function affordable(step: Step, chain: Chain, owner: string, read: Read | null): Promise<void> {
  const { fromToken, fromAmount } = step.action;
  const run = step.estimate.simulation;
  if (run?.executionStatus === "REVERTED") throw new Stopped(texts.wouldRefuse(run.reason ?? texts.ranAndFailed));
  const poor = step.warnings?.some(({ code }) => code === "SOLANA_INSUFFICIENT_BALANCE");
  if (poor) throw new Stopped(texts.tooLittleSvm);
  const balance = read && (await readBalance(read, chain, fromToken.address, owner));
  if (balance === null) throw new Stopped(texts.balanceUnreadable(chain.name));
  const amount = `${formatAmount(BigInt(fromAmount), fromToken.decimals)} ${fromToken.symbol}`;
  if (balance < BigInt(fromAmount)) throw new Stopped(texts.tooLittle(amount));
}
