// The balances of many tokens by one call, where the chain has Multicall3 (https://www.multicall3.com).

import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { NATIVE, same } from "../addresses.ts";
import type { Chain, Token } from "../api.ts";
import { balanceOf, word } from "./evm.ts";
import type { Read } from "./nodes.ts";

// Written out: a parser of ABIs would be heavier than all that is done with it here.
const ABI = [
  {
    type: "function",
    name: "aggregate3",
    stateMutability: "payable",
    inputs: [
      {
        name: "calls",
        type: "tuple[]",
        components: [
          { name: "target", type: "address" },
          { name: "allowFailure", type: "bool" },
          { name: "callData", type: "bytes" },
        ],
      },
    ],
    outputs: [
      {
        name: "results",
        type: "tuple[]",
        components: [
          { name: "success", type: "bool" },
          { name: "returnData", type: "bytes" },
        ],
      },
    ],
  },
] as const;
const MOST = 300;

/** Returns the balances that could be read, by the tokens' addresses. */
export async function balancesOf(
  read: Read,
  chain: Chain,
  tokens: readonly Token[],
  owner: string,
): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>();
  const native = tokens.find(({ address }) => same(address, NATIVE));
  if (native) found.set(native.address, await balanceOf(read, NATIVE, owner));
  const others = tokens.filter((token) => token !== native).slice(0, MOST);
  if (!chain.multicallAddress || !others.length) return found;
  const calls = others.map(({ address }) => ({
    target: address as `0x${string}`,
    allowFailure: true,
    callData: `0x70a08231${word(owner)}` as `0x${string}`,
  }));
  const data = encodeFunctionData({ abi: ABI, functionName: "aggregate3", args: [calls] });
  const answer = (await read("eth_call", { to: chain.multicallAddress, data }, "latest")) as `0x${string}`;
  const results = decodeFunctionResult({ abi: ABI, functionName: "aggregate3", data: answer });
  others.forEach(({ address }, place) => {
    const result = results[place];
    if (result?.success && /^0x[0-9a-f]{64}$/i.test(result.returnData)) found.set(address, BigInt(result.returnData));
  });
  return found;
}
