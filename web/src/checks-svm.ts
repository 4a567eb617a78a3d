// What a Solana transaction would have a wallet do, as far as it says so by itself: nothing is signed that does more
// with the wallet's money than was agreed to. What an exchange's own program does is seen by the service's run, and the
// wallet's.

import type { Step } from "./api.ts";
import { texts } from "./texts.ts";
import { type Instruction, readTransaction } from "./wallet/svm-message.ts";

const SYSTEM = "11111111111111111111111111111111";
const WRAPPED = "So11111111111111111111111111111111111111112";
const ASSOCIATED = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const BUDGET = "ComputeBudget111111111111111111111111111111";
const TOKENS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];
/**
 * What the network may take beyond what was told, which is its fee and rent, in lamports: nothing where the fee is
 * exact.
 */
const FEE_SLACK = 100_000n;

/** Sums of what a wallet would pay by its own signature. */
interface Paid {
  lamports: bigint;
  tokens: bigint;
  approved: bigint;
  units: bigint;
  price: bigint;
}

/** What else was chosen: who may sign after this, and what Jito has, in lamports. */
interface Chosen {
  sponsor?: string;
  tip?: string;
}

/** Says why a populated step is not what this wallet agreed to; "" where it may go to the wallet. */
export function svmFault(step: Step, owner: string, { sponsor, tip = "0" }: Chosen = {}): string {
  try {
    const { signers, instructions } = readTransaction(
      Uint8Array.from(atob(step.transactionRequest?.data ?? ""), (letter) => letter.charCodeAt(0)),
    );
    if (!signers.some(({ address }) => address === owner)) return texts.svmFaults.otherSigner;
    const others = signers.filter(({ address, signed }) => address !== owner && !signed);
    if (others.some(({ address }) => address !== sponsor)) return texts.svmFaults.secondSigner;
    if (!instructions.some(({ program }) => program === step.transactionRequest?.to))
      return texts.svmFaults.otherProgram;
    const own = new Set(
      instructions
        .filter(({ program, accounts }) => program === ASSOCIATED && accounts[2] === owner)
        .map(({ accounts }) => accounts[1]),
    );
    const paid: Paid = {
      lamports: 0n,
      tokens: 0n,
      approved: 0n,
      units: 200_000n * BigInt(instructions.length),
      price: 0n,
    };
    const faults = instructions.map((each) => fault(each, owner, step, own, paid));
    return faults.find(Boolean) ?? excess(step, paid, BigInt(tip));
  } catch {
    return texts.svmFaults.unreadable;
  }
}

function excess(step: Step, { lamports, tokens, approved, units, price }: Paid, tip: bigint): string {
  const { fromAmount, fromChainId, fromToken } = step.action;
  const amount = BigInt(fromAmount);
  const items = step.estimate.fees.breakdown.filter(
    ({ chainId, currencyAddress }) => chainId === fromChainId && currencyAddress === SYSTEM,
  );
  const stated = (gas: boolean): bigint =>
    items
      .filter(({ type, included }) => (type === "gas") === gas && !included)
      .reduce((sum, fee) => sum + BigInt(fee.amount), 0n);
  const native = fromToken.address === SYSTEM || fromToken.address === WRAPPED;
  // A tip is paid as any other transfer, and told among the network's fees.
  if (tokens > amount || approved > amount || lamports > stated(false) + tip + (native ? amount : 0n))
    return texts.svmFaults.paysMore;
  return (units * price) / 1_000_000n > stated(true) - tip + FEE_SLACK ? texts.svmFaults.feeHigher : "";
}

function fault(each: Instruction, owner: string, step: Step, own: Set<string | null | undefined>, paid: Paid): string {
  const { program, accounts, data } = each;
  if (program === BUDGET) return budget(data, paid);
  if (program === SYSTEM) {
    if (data.getUint32(0, true) !== 2) return texts.svmFaults.systemCall;
    if (accounts[0] === owner && !own.has(accounts[1])) paid.lamports += data.getBigUint64(4, true);
    return "";
  }
  return TOKENS.includes(program) ? token(each, owner, step, paid) : "";
}

function budget(data: DataView, paid: Paid): string {
  if (data.getUint8(0) === 2) paid.units = BigInt(data.getUint32(1, true));
  if (data.getUint8(0) === 3) paid.price = data.getBigUint64(1, true);
  return "";
}

/** Transfers and approvals of the input, wrapping, and closing what pays the wallet; nothing else. */
function token({ accounts, data }: Instruction, owner: string, { action }: Step, paid: Paid): string {
  const kind = data.getUint8(0);
  const checked = [12, 13, 26].includes(kind);
  const mints = [action.fromToken.address, ...(action.fromToken.address === SYSTEM ? [WRAPPED] : [])];
  if (checked && accounts[1] && !mints.includes(accounts[1])) return texts.svmFaults.otherToken;
  if (kind === 3 || kind === 12) paid.tokens += data.getBigUint64(1, true);
  else if (kind === 26 && data.getUint8(1) === 1) paid.tokens += data.getBigUint64(2, true);
  else if (kind === 4 || kind === 13) paid.approved += data.getBigUint64(1, true);
  else if (kind === 9) return accounts[1] === owner ? "" : texts.svmFaults.closesForOthers;
  else if (kind !== 17) return texts.svmFaults.tokenCall;
  return "";
}
