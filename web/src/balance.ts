// Balances of either type of chain.

import type { Chain } from "./api.ts";
import type { Wallet } from "./connection.ts";
import { balanceOf, EvmWallet, evmRead } from "./wallet/evm.ts";
import { nodeOf, type Read } from "./wallet/nodes.ts";

/** Returns how to read a chain: by a wallet that is on it, else by public nodes. */
export const readerOf = (wallet: Wallet | null, chain: Chain): Read | null =>
  (wallet instanceof EvmWallet ? evmRead(wallet, chain) : null) ?? nodeOf(chain);

/** Reads a balance in raw units; throws what the node throws. */
export async function readBalance(read: Read, chain: Chain, token: string, owner: string): Promise<bigint> {
  if (chain.chainType === "EVM") return balanceOf(read, token, owner);
  const { svmBalanceOf } = await import("./wallet/solana.ts");
  return svmBalanceOf(read, token, owner);
}

/** Reads what an owner has of a token and of the chain's native one, in raw units; null for what cannot be read. */
export async function readBoth(
  read: Read | null,
  chain: Chain,
  token: string,
  owner: string,
): Promise<{ balance: bigint | null; native: bigint | null }> {
  const look = async (address: string): Promise<bigint | null> =>
    read ? readBalance(read, chain, address, owner).catch(() => null) : null;
  const [balance, native] = await Promise.all([look(token), look(chain.nativeToken.address)]);
  return { balance, native };
}
