// A signature in place of an approval: what is signed is for this wallet, this token, this amount and this chain's own
// contract, and can be of use to nobody else.

import { same } from "./addresses.ts";
import type { Chain, Step } from "./api.ts";
import type { Call, Permit } from "./calls.ts";
import { diamondOf } from "./checks.ts";
import type { Leg } from "./history.ts";
import type { EvmWallet } from "./wallet/evm.ts";

const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const TRANSFER = "PermitWitnessTransferFrom";
/** Hex digits of a call's room for a signature: 65 bytes, and 31 that stay zero. */
const ROOM = 192;
/** Hex digits before the arguments' contents: "0x", the selector, and a head of 3 or 5 words. */
const [HEAD, PERMITTED_HEAD] = [2 + 8 + 3 * 64, 2 + 8 + 5 * 64];
const DECLINED = 4001;
const MEMBERS: Record<string, string> = {
  Permit: "address owner,address spender,uint256 value,uint256 nonce,uint256 deadline",
  [TRANSFER]: "TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness",
  TokenPermissions: "address token,uint256 amount",
  Order: "bytes32 receiver,uint256 destinationChainId,bytes32 outputToken,uint256 minOutput,bytes32 callHash",
};
const TYPES: Record<string, string[]> = { EIP2612: ["Permit"], PERMIT2: [TRANSFER, "TokenPermissions", "Order"] };

/** Returns whether a step's permit is for exactly what the step says, and its call does the same as the step's. */
export function permitHolds(step: Step, chain: Chain, owner: string): boolean {
  const { permit, transactionRequest: call, action } = step;
  const diamond = diamondOf(chain);
  if (!permit || !call || !diamond) return false;
  const { domain, message, primaryType, types } = permit.typedData;
  const wanted = TYPES[permit.kind];
  const named = Object.keys(types).filter((name) => name !== "EIP712Domain");
  const ofToken = permit.kind === "EIP2612";
  const { token, amount } = ofToken ? { token: domain.verifyingContract, amount: message.value } : permitted(message);
  return (
    wanted !== undefined &&
    primaryType === wanted[0] &&
    named.sort().join() === [...wanted].sort().join() &&
    wanted.every((name) => types[name]?.map((each) => `${each.type} ${each.name}`).join() === MEMBERS[name]) &&
    Number(domain.chainId) === chain.id &&
    same(String(domain.verifyingContract), ofToken ? action.fromToken.address : PERMIT2) &&
    (!ofToken || same(String(message.owner), owner)) &&
    same(String(message.spender), diamond) &&
    same(String(token), action.fromToken.address) &&
    String(amount) === action.fromAmount &&
    callHolds(permit, call, diamond)
  );
}

const permitted = (message: Record<string, unknown>): Record<string, unknown> =>
  (message.permitted ?? {}) as Record<string, unknown>;

/** Returns whether the call has the arguments of the step's own, and room for a signature. */
function callHolds({ calldata }: Permit, call: Call, diamond: string): boolean {
  const data = calldata.data.toLowerCase();
  const end = data.length - ROOM - 64;
  return (
    same(calldata.to, diamond) &&
    BigInt(calldata.value) === BigInt(call.value) &&
    /^0+$/.test(data.slice(-ROOM)) &&
    data.slice(PERMITTED_HEAD, end) === call.data.toLowerCase().slice(HEAD)
  );
}

/** Asks the wallet as `signedPermit` does; notes on the leg that it is asked, on the wallet that it declined. */
export async function askedPermit(wallet: EvmWallet, permit: Permit, leg: Leg, keep: () => void): Promise<Call | null> {
  Object.assign(leg, { state: "approving", permit: true });
  keep();
  try {
    return await signedPermit(wallet, permit);
  } catch (error) {
    wallet.permits = false;
    throw error;
  } finally {
    leg.state = "ready";
    delete leg.permit;
    keep();
  }
}

/**
 * Asks the wallet to sign; returns the call with its signature. Null from a wallet that does not sign such data, or not
 * as a plain key does: it approves. Throws what it says where its owner declines.
 */
export async function signedPermit(wallet: EvmWallet, permit: Permit): Promise<Call | null> {
  let signature: unknown;
  try {
    signature = await wallet.signTypedData(permit.typedData);
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === DECLINED) throw error;
    return null;
  }
  const parts = /^0x([0-9a-f]{128})(1b|1c|00|01)$/i.exec(String(signature));
  if (!parts) return null;
  // Some wallets count the last byte from 0.
  const parity = { "00": "1b", "01": "1c" }[parts[2] as string] ?? parts[2];
  const data = permit.calldata.data.slice(0, -ROOM) + `${parts[1]}${parity}`.padEnd(ROOM, "0");
  return { ...permit.calldata, data };
}
