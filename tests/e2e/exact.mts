// A foreign client, on viem: looks at the price of a pair, asks for an exact output, believes the answer only if the
// service has signed it (RFC 9421, by our client's `verifyAnswer`), sends what was answered, and reads balances back.
// Arguments: the sandbox's file, then one JSON object {origin, destination, amount, payer}: `amount` is what has to arrive.
import { readFileSync } from "node:fs";
import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type SigningKey, verifyAnswer } from "../../clients/typescript/src/signatures.ts";

const sandbox = JSON.parse(readFileSync(process.argv[2] as string, "utf8"));
const want = JSON.parse(process.argv[3] as string);
const described = sandbox.chains.find((item: { key: string }) => item.key === "sbxa");
const account = privateKeyToAccount(sandbox.accounts.evm[want.payer].private_key);
const chain = defineChain({
  id: described.id,
  name: described.name,
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [described.rpc_url] } },
});
const reads = createPublicClient({ chain, transport: http(), pollingInterval: 100, cacheTime: 0 });
const wallet = createWalletClient({ account, chain, transport: http() });
const abi = parseAbi(["function approve(address,uint256)", "function balanceOf(address) view returns (uint256)"]);
const [origin, destination]: Hex[] = [want.origin, want.destination].map((symbol) => described.tokens[symbol].address);

const { keys } = (await (await fetch(`${sandbox.base_url}/.well-known/jwks.json`)).json()) as { keys: SigningKey[] };

/** Asks, and believes nothing that is not signed; tells whether the same with one digit more would be believed. */
async function asked(path: string, query: Record<string, string>) {
  const target = `${path}?${new URLSearchParams(query)}`;
  const answer = await fetch(sandbox.base_url + target);
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`);
  const signed = { method: "GET", target, status: 200, headers: answer.headers, body };
  await verifyAnswer(signed, keys);
  const lie = body.replace('"outputAmount":"', '"outputAmount":"9');
  const believed = await verifyAnswer({ ...signed, body: lie }, keys).then(
    () => true,
    () => false,
  );
  return { json: JSON.parse(body), believed };
}

const pair = {
  originChainId: String(chain.id),
  destinationChainId: String(chain.id),
  originCurrency: origin as string,
  destinationCurrency: destination as string,
};
const quote = await asked("/v1/quotes", {
  ...pair,
  senderAddress: account.address,
  amount: want.amount,
  tradeType: "EXACT_OUTPUT",
});
const { calldata, approvals = [], inputAmount } = quote.json;
const price = await asked("/v1/prices/pair", { ...pair, amount: inputAmount });
const held = (token: Hex) => reads.readContract({ address: token, abi, functionName: "balanceOf", args: [account.address] });
const balances = () => Promise.all([held(origin as Hex), held(destination as Hex)]);
const before = await balances();
for (const { to, value, data } of [...approvals, calldata]) {
  const hash = await wallet.sendTransaction({ to, data, value: BigInt(value) });
  const { status } = await reads.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`reverted: ${hash}`);
}
const after = await balances();
console.log(
  JSON.stringify({
    quote: quote.json,
    price: price.json,
    believed: quote.believed || price.believed,
    paid: String((before[0] as bigint) - (after[0] as bigint)),
    gained: String((after[1] as bigint) - (before[1] as bigint)),
  }),
);
