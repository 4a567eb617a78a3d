// What becomes of a transfer that was sent: by the chain's receipt, asked ever more seldom, and by the service's own
// status, which is told by a stream, and asked where there is none.

import { same } from "./addresses.ts";
import { type Api, ApiError, type Chain, type Status } from "./api.ts";
import { type Fate, fateOf } from "./fate.ts";
import { type Leg, legOf, type StepState, type Transfer } from "./history.ts";
import { networkFee } from "./receipt.ts";
import { type Open, type Places, StatusStream } from "./status-stream.ts";
import type { Receipt } from "./wallet/evm.ts";
import type { Read } from "./wallet/nodes.ts";

const FIRST_MS = 1000;
const GROWTH = 1.25;
const LONGEST_MS = 60_000;
/** How long is waited for the service to say something by itself, before it is asked. */
const OPENING_MS = 1500;
/** How long after its deadline a transaction that nobody has seen counts as never sent. */
const GRACE_MS = 120_000;
const LAG_MS = 60_000;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** How the service says that a transfer has ended. */
const ENDS = new Map<string, StepState>([
  ["success", "done"],
  ["refunded", "refunded"],
  ["recovered", "recovered"],
  ["bridge_failed", "failed"],
]);

export interface FollowTask {
  api: Api;
  /** Opens a stream of the service, and counts the open ones. */
  open: Open;
  places: Places;
  transfer: Transfer;
  /** Returns who reads the chain that the leg leaves; null where no node answers this page. */
  reader: () => Promise<Read | null>;
  /** Asks the wallet for the state of a batch; null where none is connected. */
  calls: () => ((id: string) => Promise<unknown>) | null;
  chain: Chain;
  keep: () => void;
  signal: AbortSignal;
}

/** Follows the leg that is under way until it has ended or nobody looks any more. */
export async function follow(task: FollowTask): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([task.signal, over.signal]);
  const stream = new StatusStream(task.open, task.places, signal);
  try {
    await followBy(task, stream);
  } finally {
    over.abort();
  }
}

async function followBy(task: FollowTask, stream: StatusStream): Promise<void> {
  const { transfer, signal, keep } = task;
  let followed: string | undefined;
  for (let wait = FIRST_MS; !signal.aborted; wait = Math.min(wait * GROWTH, LONGEST_MS)) {
    const leg = legOf(transfer);
    const before = JSON.stringify(leg);
    if (leg.transactionId && leg.transactionId !== followed) {
      followed = leg.transactionId;
      stream.follow(followed);
    }
    await look(task, leg, stream);
    // It may have been forgotten meanwhile.
    if (signal.aborted) return;
    if (JSON.stringify(leg) !== before) {
      keep();
      wait = FIRST_MS;
    }
    if (!["signing", "sent", "left"].includes(leg.state)) return;
    const isTold = stream.word !== undefined;
    // Whatever comes now comes from the service.
    await stream.next(isTold && leg.state === "left" ? null : wait);
    if (isTold && stream.word === undefined) wait = FIRST_MS;
  }
}

async function look(task: FollowTask, leg: Leg, stream: StatusStream): Promise<void> {
  let fate: Fate["is"] = "unknown";
  if (leg.batch && !leg.hash) await byBatch(task, leg).catch(() => undefined);
  if (leg.hash && leg.state === "sent") {
    const ask = task.chain.chainType === "EVM" ? byFate : bySignature;
    fate = await ask(task, leg).catch(() => "waiting" as const);
  }
  if (leg.state === "failed" || leg.state === "dropped") return;
  const status = leg.transactionId ? await statusOf(task.api, leg.transactionId, stream) : null;
  if (status) applyStatus(leg, status);
  else if (status === null && (leg.state === "signing" || leg.state === "sent")) missed(leg, fate);
}

/**
 * Returns what the service says, by itself or asked; null where it says that it has seen nothing, undefined where it
 * says nothing.
 */
async function statusOf(api: Api, transactionId: string, stream: StatusStream): Promise<Status | null | undefined> {
  if (stream.isOpening) await stream.next(OPENING_MS);
  if (stream.word !== undefined) return stream.word;
  try {
    return await api.status(transactionId);
  } catch (error) {
    if (error instanceof ApiError) return error.status === 404 ? null : undefined;
    throw error;
  }
}

/** Asks the chain: for the receipt, and where there is none for what the wallet has sent in its place. */
async function byFate(task: FollowTask, leg: Leg): Promise<Fate["is"]> {
  const read = await task.reader();
  if (!read) return "waiting";
  const fate = await fateOf(read, leg.plan.action.fromAddress, leg);
  if (fate.is === "missing") leg.missing = true;
  else delete leg.missing;
  if (fate.is === "mined") mined(fate.receipt, leg, task.transfer);
  else if (fate.is === "replaced") Object.assign(leg, { replaced: leg.hash, hash: fate.hash });
  else if (fate.is === "cancelled") {
    Object.assign(leg, { state: "dropped", cancelled: fate.hash, endedAt: Date.now() });
  }
  return fate.is;
}

function mined(receipt: Receipt, leg: Leg, transfer: Transfer): void {
  delete leg.call;
  leg.minedAt = Date.now();
  leg.networkFee = networkFee({ ...receipt });
  if (BigInt(receipt.status) !== 1n) {
    Object.assign(leg, { state: "failed", reverted: true, endedAt: Date.now() });
    return;
  }
  leg.state = "left";
  if (leg.plan.type === "swap") leg.received ??= receivedIn(receipt, leg, transfer);
}

async function bySignature({ reader }: FollowTask, leg: Leg): Promise<Fate["is"]> {
  type Found = { value: ({ err: unknown; confirmationStatus?: string } | null)[] };
  const read = await reader();
  const found = ((await read?.("getSignatureStatuses", [leg.hash])) as Found | undefined)?.value[0];
  if (!found || found.confirmationStatus === "processed") return "unknown";
  leg.minedAt = Date.now();
  leg.state = found.err ? "failed" : "left";
  if (found.err) Object.assign(leg, { endedAt: Date.now(), reverted: true });
  return "waiting";
}

/** Asks the wallet what became of a batch (EIP-5792). */
async function byBatch({ calls }: FollowTask, leg: Leg): Promise<void> {
  type Found = { status?: unknown; receipts?: { transactionHash?: string }[] };
  const found = (await calls()?.(leg.batch ?? "")) as Found | undefined;
  const status = Number(found?.status ?? 0);
  const hash = found?.receipts?.at(-1)?.transactionHash;
  const reverted = status >= 500;
  if (hash) leg.hash = hash;
  else if (status >= 400) Object.assign(leg, { state: reverted ? "failed" : "dropped", reverted, endedAt: Date.now() });
}

/** Sums the logged transfers of the output to the receiver; native money is not logged. */
function receivedIn(receipt: Receipt, leg: Leg, transfer: Transfer): string | undefined {
  const { toToken, toAddress } = leg.plan.action;
  const owner = (toAddress || transfer.receiver).slice(2).toLowerCase().padStart(64, "0");
  const isTransfer = (topics: string[]): boolean =>
    topics.length === 3 && topics[0] === TRANSFER && topics[2]?.slice(2).toLowerCase() === owner;
  const logs = receipt.logs.filter(({ address, topics }) => same(address, toToken.address) && isTransfer(topics));
  return logs.length ? logs.reduce((sum, { data }) => sum + BigInt(data), 0n).toString() : undefined;
}

/** Takes the service's answer: it has seen the transaction, and perhaps how it ended. */
export function applyStatus(leg: Leg, status: Status): void {
  if (status.sourceTxHash) {
    if (leg.hash && status.sourceTxHash.toLowerCase() !== leg.hash.toLowerCase()) leg.replaced = leg.hash;
    leg.hash = status.sourceTxHash;
  }
  delete leg.call;
  delete leg.missing;
  leg.minedAt ??= Date.now();
  if (status.destTxHash) leg.destination = status.destTxHash;
  if (status.outputAmountRaw) leg.received = status.outputAmountRaw;
  if (status.substatus) leg.substatus = status.substatus;
  const end = ENDS.get(status.status);
  leg.state = end ?? "left";
  if (end) leg.endedAt ??= Date.now();
}

/** Counts as never sent what nobody has seen long after its end, or whose place in the wallet's order another has. */
function missed(leg: Leg, fate: Fate["is"]): void {
  const end = leg.expiresAt ? Date.parse(leg.expiresAt) : (leg.sentAt ?? 0) + 3_600_000;
  const late = Date.now() > end + GRACE_MS;
  if (fate !== "gone" && !(late && fate !== "waiting")) {
    delete leg.missingSince;
    return;
  }
  // The service may be some blocks behind the node that was asked.
  leg.missingSince ??= Date.now();
  if ((late && !leg.hash) || Date.now() - leg.missingSince > LAG_MS) {
    Object.assign(leg, { state: "dropped", endedAt: Date.now() });
  }
}
