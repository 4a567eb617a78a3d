// Balances of either type of chain.

import type { Chain } from "./api.ts";
import { balanceOf } from "./wallet/evm.ts";
import type { Read } from "./wallet/nodes.ts";

/** Reads a balance in raw units; throws what the node throws. */
export async function readBalance(read: Read, chain: Chain, token: string, owner: string): Promise<bigint> {
  if (chain.chainType === "EVM") return balanceOf(read, token, owner);
  const { svmBalanceOf } = await import("./wallet/solana.ts");
  return svmBalanceOf(read, token, owner);
}
