// From a chosen step to a transaction: the right chain, the approvals, what it costs looked at, the wallet asked.

import { NATIVE, same, shorten } from "./addresses.ts";
import type { Api, Call, Chain, Step } from "./api.ts";
import { approvalsHold, approved, changed, formOf, payee } from "./checks.ts";
import { fateOf, type Trace } from "./fate.ts";
import type { Leg, Transfer } from "./history.ts";
import { formatAmount } from "./money.ts";
import { allowanceOf, balanceOf, type EvmWallet, surelyUnsent } from "./wallet/evm.ts";

const POLL_MS = 1000;
const PATIENCE_MS = 600_000;

/** Something that stops a transfer before anything was sent, in words for people. */
export class Stopped extends Error {}

/** The wallet's answer leaves open whether it has sent. */
export class Unsure extends Stopped {
  constructor(error: unknown) {
    const why = String((error as { message?: unknown } | null)?.message ?? error).slice(0, 160);
    super(`The wallet gave no clear answer (${why}). If it was sent all the same, it appears here by itself. Look in your wallet before you send again`);
  }
}

/** The price is worse than what was agreed to; `step` is what can be agreed to now. */
export class PriceMoved extends Stopped {
  readonly step: Step;
  /** Whether it is the minimum that fell, and not the loss that was not agreed to. */
  readonly fell: boolean;

  constructor(step: Step, fell: boolean) {
    super(fell ? "The price fell below what you agreed to. Nothing was sent: look at the new one" : "This loses more of the value than it seemed. Nothing was sent: look at it, and agree or do not");
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

export interface SendTask {
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
  left: AbortSignal;
}

/** Quotes the leg anew, makes sure of it, has it signed and sent. Throws Stopped, ApiError or what the wallet says. */
export async function send(task: SendTask): Promise<void> {
  const { wallet, chain, leg, keep } = task;
  if (!same(wallet.address, leg.plan.action.fromAddress)) throw new Stopped(`This was begun with ${shorten(leg.plan.action.fromAddress)}: connect that wallet to go on`);
  await wallet.reach(chain);
  const step = await quoted(task);
  const form = checked(task, step);
  await affordable(task, step);
  const call = step.transactionRequest;
  if (!call) throw new Stopped("The answer has no transaction. Nothing was sent: ask again");
  if (form !== "contract") await told(task, step);
  const batch = await batched(task, step);
  if (!batch) {
    await approve(task, step);
    await runs(wallet, { ...call, from: wallet.address }, step.estimate.approvalAddress);
  }
  const place = await placeOf(wallet);
  await wallet.holds(chain);
  stillHere(task);
  Object.assign(leg, {
    state: "signing", transactionId: step.transactionId, expiresAt: step.expiresAt, expected: step.estimate.toAmount,
    minimum: step.estimate.toAmountMin, bridgePage: step.bridgeScan?.url, ...(batch ? {} : { ...place, call: plain(call) }),
  });
  keep();
  await signed(task, async () => (batch ? { batch: await wallet.sendCalls(chain, batch) } : { hash: await wallet.send(chain, call, call.gas?.gasLimit) }), surelyUnsent);
}

/** Waits for the wallet's answer to what is being signed; throws Unsure where it may have sent without saying so. */
export async function signed({ leg, keep }: Pick<SendTask, "leg" | "keep">, ask: () => Promise<Partial<Leg>>, unsent: (error: unknown) => boolean): Promise<void> {
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

export function stillHere({ left }: Pick<SendTask, "left">): void {
  if (left.aborted) throw new Stopped("You have stopped waiting for the wallet, so it was asked for nothing more");
}

const plain = ({ to, value, data }: Call): Call => ({ to, value, data });

/** Asks for the transaction of a leg, and compares it with what was agreed to. */
export async function quoted({ api, transfer, leg, terms }: Pick<SendTask, "api" | "transfer" | "leg" | "terms">): Promise<Step> {
  const context: Record<string, string> = { senderAddress: leg.plan.action.fromAddress, receiverAddress: transfer.receiver };
  const before = transfer.legs[transfer.legs.indexOf(leg) - 1];
  if (before) context.previousStepReceivedAmount = before.received ?? before.minimum;
  const step = await api.step(leg.plan, context);
  const planned = before ? { ...leg.plan, action: { ...leg.plan.action, fromAmount: step.action.fromAmount } } : leg.plan;
  const why = changed(planned, step);
  if (why) throw new Stopped(why);
  if (BigInt(step.estimate.toAmountMin) < BigInt(terms.least ?? leg.minimum)) throw new PriceMoved(step, true);
  return step;
}

/** What is called, and whom the token is approved to, is what this page sends, or nothing is signed. */
function checked({ chain, listed, terms }: SendTask, step: Step): "contract" | "native" | "transfer" {
  const form = formOf(step, chain, listed);
  const { approvals = [], estimate, action } = step;
  const token = action.fromToken.address;
  const sound = !approvals.length || (estimate.approvalAddress !== undefined && approvalsHold(approvals, token, estimate.approvalAddress, BigInt(action.fromAmount)));
  if (!form || !sound) throw new Stopped("The answer calls or approves another contract than this chain's own, so it is not used. Choose another route");
  if (!terms.agrees(step)) throw new PriceMoved(step, false);
  return form;
}

/** Throws Stopped unless the wallet has what it pays and what the network takes, by the node that the wallet itself asks. */
async function affordable({ wallet, chain, leg }: SendTask, step: Step): Promise<void> {
  const { fromToken, fromAmount } = step.action;
  const call = step.transactionRequest;
  const run = step.estimate.simulation;
  // Of a batch the chain's own word comes only when it is sent.
  if (run?.executionStatus === "REVERTED") throw new Stopped(`The chain would revert this transaction now (${run.reason ?? "it was run and failed"}). Nothing was sent: ask again`);
  const native = await balanceOf(wallet.read, NATIVE, wallet.address);
  const { symbol, decimals } = chain.nativeToken;
  if (!same(fromToken.address, NATIVE) && (await balanceOf(wallet.read, fromToken.address, wallet.address)) < BigInt(fromAmount)) {
    throw new Stopped(`Your wallet has less than ${formatAmount(BigInt(fromAmount), fromToken.decimals)} ${fromToken.symbol}. Nothing was sent`);
  }
  const price = BigInt(call?.gas?.maxFeePerGas ?? call?.gas?.gasPrice ?? ((await wallet.read("eth_gasPrice")) as string));
  const approvals = BigInt(step.approvals?.length ?? 0) * 60_000n;
  const needed = BigInt(call?.value ?? 0) + (BigInt(call?.gas?.gasLimit ?? 0) + approvals) * price;
  if (native < needed && !leg.hash) {
    throw new Stopped(`Your wallet needs ${formatAmount(needed, decimals)} ${symbol} on ${chain.name} for this and the network's fee, and has ${formatAmount(native, decimals)}. Nothing was sent`);
  }
}

/** Answers approvals and transaction as one batch, where the wallet makes one transaction of it and an approval is needed. */
async function batched({ wallet, chain }: SendTask, step: Step): Promise<Call[] | null> {
  const { approvalAddress: spender } = step.estimate;
  const { fromToken, fromAmount } = step.action;
  const call = step.transactionRequest;
  if (!spender || !call || !step.approvals?.length || !(await wallet.batches(chain))) return null;
  const given = await allowanceOf(wallet.read, fromToken.address, wallet.address, spender);
  if (given >= BigInt(fromAmount)) return null;
  const needed = step.approvals.filter((each) => approved(each, spender) !== 0n || given > 0n);
  return [...needed, call].map(plain);
}

/** Names whom a bridge's own form pays before the wallet is asked. */
async function told({ leg, chain, listed, keep }: SendTask, step: Step): Promise<void> {
  leg.payee = named(step, chain, listed) ?? undefined;
  keep();
}

/** Sends the approvals that the chain does not know yet, one after the other. */
async function approve(task: SendTask, step: Step): Promise<void> {
  const { wallet, chain, leg, keep } = task;
  const spender = step.estimate.approvalAddress;
  const { fromToken: token, fromAmount } = step.action;
  const amount = BigInt(fromAmount);
  if (!spender || !step.approvals?.length) return;
  if (leg.approvalHash) await settled(task, { hash: leg.approvalHash });
  for (const call of step.approvals) {
    const given = await allowanceOf(wallet.read, token.address, wallet.address, spender);
    const wanted = approved(call, spender);
    if (given >= amount || (wanted === 0n && given === 0n)) continue;
    const place = await placeOf(wallet);
    await wallet.holds(chain);
    stillHere(task);
    leg.state = "approving";
    delete leg.approvalHash;
    keep();
    try {
      leg.approvalHash = await wallet.send(chain, call);
      keep();
      await settled(task, { ...place, hash: leg.approvalHash, call });
    } finally {
      if (leg.state === "approving") leg.state = "ready";
      delete leg.missing;
      keep();
    }
    stillHere(task);
  }
  if ((await allowanceOf(wallet.read, token.address, wallet.address, spender)) < amount) {
    throw new Stopped(`Less than ${formatAmount(amount, token.decimals)} ${token.symbol} was approved: approve the amount that was asked for`);
  }
}

/** Waits until an approval is mined, under whatever hash, or can be no more. */
async function settled({ wallet, leg, keep, left }: SendTask, trace: Trace): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && !left.aborted; ) {
    const fate = await fateOf(wallet.read, wallet.address, trace);
    const missing = fate.is === "missing";
    if (missing !== (leg.missing ?? false) || fate.is === "replaced") {
      if (missing) leg.missing = true;
      else delete leg.missing;
      if (fate.is === "replaced") leg.approvalHash = trace.hash = fate.hash;
      keep();
    }
    if (fate.is === "mined") {
      if (BigInt(fate.receipt.status) !== 1n) throw new Stopped("The chain reverted the approval. Nothing was swapped; its network fee is spent");
      return;
    }
    if (fate.is === "cancelled") throw new Stopped("Your wallet sent another transaction in place of the approval. Nothing was swapped: go on, and approve anew");
    // Whether it was given is read from the chain then.
    if (fate.is === "gone" || (fate.is === "unknown" && trace.nonce === undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if (!left.aborted) throw new Stopped("The approval is in no block after ten minutes. Look in your wallet: it may still be waiting there");
}

/** Throws Stopped where the chain would revert the call as things stand now. */
async function runs(wallet: EvmWallet, call: { from: string; to: string; value: string; data: string }, spender?: string): Promise<void> {
  try {
    await wallet.read("eth_call", { from: call.from, to: call.to, value: call.value, data: call.data }, "latest");
  } catch (error) {
    const why = String((error as { message?: string }).message ?? error).slice(0, 160);
    throw new Stopped(`The chain would revert this transaction now (${why})${spender ? "; what was approved stays approved" : ""}. Nothing was sent: ask again`);
  }
}

/** Answers where the next transaction will stand: in the wallet's order, and after which block. */
async function placeOf({ read, address }: EvmWallet): Promise<Trace> {
  try {
    const [nonce, block] = await Promise.all([read("eth_getTransactionCount", address, "pending"), read("eth_blockNumber")]);
    return { nonce: Number(BigInt(nonce as string)), block: Number(BigInt(block as string)) };
  } catch {
    return {};
  }
}

/** Answers whom a bridge's own form pays, to be named before the wallet is asked; null for the chain's own contract. */
export function named(step: Step, chain: Chain, listed: readonly string[]): string | null {
  const form = formOf(step, chain, listed);
  return form && form !== "contract" && step.transactionRequest ? payee(form, step.transactionRequest) : null;
}
