// From a chosen step to a transaction: the right chain, the approvals, what it costs looked at, the wallet asked.

import { NATIVE, same, shorten } from "./addresses.ts";
import type { Api, Call, Chain, Step } from "./api.ts";
import { approvalsHold, approved, type CallForm, changed, formOf, payee, refundChanged } from "./checks.ts";
import { fateOf, type Trace } from "./fate.ts";
import type { Leg, Transfer } from "./history.ts";
import { formatAmount } from "./money.ts";
import { askedPermit, permitHolds } from "./permit.ts";
import { texts } from "./texts.ts";
import { allowanceOf, balanceOf, type EvmWallet, surelyUnsent } from "./wallet/evm.ts";

const POLL_MS = 1000;
const PATIENCE_MS = 600_000;

/** Something that stops a transfer before anything was sent, in words for people. */
export class Stopped extends Error {}

/** The wallet's answer leaves open whether it has sent. */
export class Unsure extends Stopped {
  constructor(error: unknown) {
    const { message } = (error ?? {}) as { message?: unknown };
    const why = String(message ?? error).slice(0, 160);
    super(texts.unclear(why));
  }
}

/** The price is worse than what was agreed to; `step` is what can be agreed to now. */
export class PriceMoved extends Stopped {
  readonly step: Step;
  /** Whether it is the minimum that fell, and not the loss that was not agreed to. */
  readonly fell: boolean;

  constructor(step: Step, fell: boolean) {
    super(fell ? texts.priceFell : texts.losesMore);
    this.step = step;
    this.fell = fell;
  }
}

/** What a person has agreed to. */
export interface Terms {
  /** Says whether a loss of value is agreed to; asked with what the answer says of it. */
  agrees: (step: Step) => boolean;
  /** The least that may arrive; the plan's where it is left out. */
  least?: string;
}

export interface ExecutionTask {
  api: Api;
  wallet: EvmWallet;
  chain: Chain;
  transfer: Transfer;
  leg: Leg;
  /** Addresses of the listed tokens of the chain that is paid from. */
  listed: readonly string[];
  terms: Terms;
  /** Keeps what has changed of the transfer. */
  keep: () => void;
  /** Nobody waits for the wallet any more: it is asked for nothing further. */
  signal: AbortSignal;
}

/** Quotes the leg anew, makes sure of it, has it signed and sent. Throws Stopped, ApiError or what the wallet says. */
export async function executeStep(task: ExecutionTask): Promise<void> {
  const { wallet, chain, leg, keep } = task;
  const { fromAddress } = leg.plan.action;
  if (!same(wallet.address, fromAddress)) throw new Stopped(texts.begunWith(shorten(fromAddress)));
  await wallet.reach(chain);
  const step = await quoted(task, wallet.permits);
  const form = checked(task, step);
  await affordable(task, step);
  const call = step.transactionRequest;
  if (!call) throw new Stopped(texts.noTransaction);
  if (form !== "contract") {
    // Shown before the wallet is asked.
    leg.payee = payee(form, call);
    keep();
  }
  const batch = await batched(task, step);
  const permitted = batch ? null : await permittedCall(task, step);
  const sent = permitted ?? call;
  if (!batch) {
    if (!permitted) await approve(task, step);
    await callable(wallet, sent, permitted ? undefined : step.estimate.approvalAddress);
  }
  const place = await placeOf(wallet);
  await wallet.holds(chain);
  stillWaiting(task);
  Object.assign(leg, beingSigned(step), batch ? {} : { ...place, call: plain(sent) });
  keep();
  const ask = async (): Promise<Partial<Leg>> =>
    batch
      ? { batch: await wallet.sendCalls(chain, batch) }
      : { hash: await wallet.send(chain, sent, permitted ? step.permit?.gasLimit : call.gas?.gasLimit) };
  await signed(task, ask, surelyUnsent);
}

/** Returns what is noted of a step before the wallet is asked to sign it. */
export const beingSigned = ({ transactionId, expiresAt, estimate, bridgeScan }: Step): Partial<Leg> => ({
  state: "signing",
  transactionId,
  expiresAt,
  expected: estimate.toAmount,
  minimum: estimate.toAmountMin,
  bridgePage: bridgeScan?.url,
});

/** Waits for the wallet's answer to what is being signed; throws Unsure where it may have sent without saying so. */
export async function signed(
  { leg, keep }: Pick<ExecutionTask, "leg" | "keep">,
  ask: () => Promise<Partial<Leg>>,
  unsent: (error: unknown) => boolean,
): Promise<void> {
  try {
    Object.assign(leg, await ask());
  } catch (error) {
    if (!unsent(error)) throw new Unsure(error);
    if (leg.state === "signing") leg.state = "ready";
    keep();
    throw error;
  }
  leg.sentAt ??= Date.now();
  // It may have been found before the wallet has answered, or been given up.
  if (leg.state === "signing" || leg.state === "dropped") leg.state = "sent";
  if (leg.state === "sent") delete leg.endedAt;
  keep();
}

/** Throws Stopped where nobody waits for the wallet any more. */
export function stillWaiting({ signal }: Pick<ExecutionTask, "signal">): void {
  if (signal.aborted) throw new Stopped(texts.nothingMoreAsked);
}

const plain = ({ to, value, data }: Call): Call => ({ to, value, data });

/** Asks for the transaction of a leg, and compares it with what was agreed to. */
export async function quoted(
  task: Pick<ExecutionTask, "api" | "transfer" | "leg" | "terms">,
  permits = false,
): Promise<Step> {
  const { api, transfer, leg, terms } = task;
  const { fromAddress: senderAddress } = leg.plan.action;
  const context: Record<string, string | boolean> = { senderAddress, receiverAddress: transfer.receiver };
  const before = transfer.legs[transfer.legs.indexOf(leg) - 1];
  if (before) context.previousStepReceivedAmount = before.received ?? before.minimum;
  if (permits) context.permits = true;
  const step = await api.step(leg.plan, context);
  const planned = before
    ? { ...leg.plan, action: { ...leg.plan.action, fromAmount: step.action.fromAmount } }
    : leg.plan;
  const why = changed(planned, step) || refundChanged(transfer, step);
  if (why) throw new Stopped(why);
  if (BigInt(step.estimate.toAmountMin) < BigInt(terms.least ?? leg.minimum)) throw new PriceMoved(step, true);
  return step;
}

/** What is called, and whom the token is approved to, is what this page sends, or nothing is signed. */
function checked({ wallet, chain, listed, terms }: ExecutionTask, step: Step): CallForm {
  const form = formOf(step, chain, listed);
  const { approvals = [], action } = step;
  const { approvalAddress: spender } = step.estimate;
  const [token, amount] = [action.fromToken.address, BigInt(action.fromAmount)];
  const sound = !approvals.length || (spender !== undefined && approvalsHold(approvals, token, spender, amount));
  const signs = !step.permit || permitHolds(step, chain, wallet.address);
  if (!form || !sound || !signs) throw new Stopped(texts.otherContract);
  if (!terms.agrees(step)) throw new PriceMoved(step, false);
  return form;
}

/**
 * Throws Stopped unless the wallet has what it pays and what the network takes, by the node that the wallet itself
 * asks.
 */
async function affordable({ wallet, chain, leg }: ExecutionTask, step: Step): Promise<void> {
  const { fromToken, fromAmount } = step.action;
  const call = step.transactionRequest;
  const run = step.estimate.simulation;
  // Of a batch the chain's own word comes only when it is sent.
  if (run?.executionStatus === "REVERTED") throw new Stopped(texts.wouldRevert(run.reason ?? texts.ranAndFailed));
  const native = await balanceOf(wallet.read, NATIVE, wallet.address);
  const { symbol, decimals } = chain.nativeToken;
  const amount = BigInt(fromAmount);
  const own =
    same(fromToken.address, NATIVE) || (await balanceOf(wallet.read, fromToken.address, wallet.address)) >= amount;
  if (!own) throw new Stopped(texts.tooLittle(`${formatAmount(amount, fromToken.decimals)} ${fromToken.symbol}`));
  const { maxFeePerGas, gasPrice, gasLimit } = call?.gas ?? {};
  const price = BigInt(maxFeePerGas ?? gasPrice ?? ((await wallet.read("eth_gasPrice")) as string));
  const approvals = BigInt(step.approvals?.length ?? 0) * 60_000n;
  const needed = BigInt(call?.value ?? 0) + (BigInt(gasLimit ?? 0) + approvals) * price;
  if (native < needed && !leg.hash) {
    const all = `${formatAmount(needed, decimals)} ${symbol}`;
    throw new Stopped(texts.tooLittleForFee(all, chain.name, formatAmount(native, decimals)));
  }
}

/**
 * Returns approvals and transaction as one batch, where the wallet makes one transaction of it and an approval is
 * needed.
 */
async function batched({ wallet, chain }: ExecutionTask, step: Step): Promise<Call[] | null> {
  const { approvalAddress: spender } = step.estimate;
  const { fromToken, fromAmount } = step.action;
  const call = step.transactionRequest;
  if (!spender || !call || !step.approvals?.length || !(await wallet.batches(chain))) return null;
  const given = await allowanceOf(wallet.read, fromToken.address, wallet.address, spender);
  if (given >= BigInt(fromAmount)) return null;
  const needed = step.approvals.filter((each) => approved(each, spender) !== 0n || given > 0n);
  return [...needed, call].map(plain);
}

/** Has the step's permit signed, where an approval is needed; null where it is to be given in the other way. */
async function permittedCall({ wallet, chain, leg, keep, signal }: ExecutionTask, step: Step): Promise<Call | null> {
  const { approvalAddress: spender } = step.estimate;
  const { fromToken, fromAmount } = step.action;
  if (!step.permit || !spender || leg.approvalHash) return null;
  if ((await allowanceOf(wallet.read, fromToken.address, wallet.address, spender)) >= BigInt(fromAmount)) return null;
  await wallet.holds(chain);
  stillWaiting({ signal });
  return askedPermit(wallet, step.permit, leg, keep);
}

/** Sends the approvals that the chain does not know yet, one after the other. */
async function approve(task: ExecutionTask, step: Step): Promise<void> {
  const { wallet, chain, leg, keep } = task;
  const spender = step.estimate.approvalAddress;
  const { fromToken: token, fromAmount } = step.action;
  const amount = BigInt(fromAmount);
  if (!spender || !step.approvals?.length) return;
  if (leg.approvalHash) await approvalMined(task, { hash: leg.approvalHash });
  for (const call of step.approvals) {
    const given = await allowanceOf(wallet.read, token.address, wallet.address, spender);
    const wanted = approved(call, spender);
    if (given >= amount || (wanted === 0n && given === 0n)) continue;
    const place = await placeOf(wallet);
    await wallet.holds(chain);
    stillWaiting(task);
    leg.state = "approving";
    delete leg.approvalHash;
    keep();
    try {
      leg.approvalHash = await wallet.send(chain, call);
      keep();
      await approvalMined(task, { ...place, hash: leg.approvalHash, call });
    } finally {
      if (leg.state === "approving") leg.state = "ready";
      delete leg.missing;
      keep();
    }
    stillWaiting(task);
  }
  if ((await allowanceOf(wallet.read, token.address, wallet.address, spender)) < amount) {
    throw new Stopped(texts.approvedTooLittle(`${formatAmount(amount, token.decimals)} ${token.symbol}`));
  }
}

/** Waits until an approval is mined, under whatever hash, or can be no more. */
async function approvalMined({ wallet, leg, keep, signal }: ExecutionTask, trace: Trace): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && !signal.aborted; ) {
    const fate = await fateOf(wallet.read, wallet.address, trace);
    const missing = fate.is === "missing";
    if (missing !== (leg.missing ?? false) || fate.is === "replaced") {
      if (missing) leg.missing = true;
      else delete leg.missing;
      if (fate.is === "replaced") leg.approvalHash = trace.hash = fate.hash;
      keep();
    }
    if (fate.is === "mined") {
      if (BigInt(fate.receipt.status) !== 1n) throw new Stopped(texts.approvalReverted);
      return;
    }
    if (fate.is === "cancelled") throw new Stopped(texts.approvalCancelled);
    // Whether it was given is read from the chain then.
    if (fate.is === "gone" || (fate.is === "unknown" && trace.nonce === undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if (!signal.aborted) throw new Stopped(texts.approvalLate);
}

/** Throws Stopped where the chain would revert the call as things stand now. */
async function callable(wallet: EvmWallet, call: Call, spender?: string): Promise<void> {
  try {
    await wallet.read("eth_call", { from: wallet.address, ...plain(call) }, "latest");
  } catch (error) {
    const why = String((error as { message?: string }).message ?? error).slice(0, 160);
    throw new Stopped(texts.wouldRevert(why, spender !== undefined));
  }
}

/** Returns where the next transaction will stand: in the wallet's order, and after which block. */
async function placeOf({ read, address }: EvmWallet): Promise<Trace> {
  try {
    const [nonce, block] = await Promise.all([
      read("eth_getTransactionCount", address, "pending"),
      read("eth_blockNumber"),
    ]);
    return { nonce: Number(BigInt(nonce as string)), block: Number(BigInt(block as string)) };
  } catch {
    return {};
  }
}
