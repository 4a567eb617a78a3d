// Foreign clients, and ours: one signature and one transaction, with what was answered. Arguments: the sandbox's file, then
// one JSON object {library, chain, origin, destination, amount, payer}; the library "step" is ours, for a route's step.
import { readFileSync } from "node:fs";
import { JsonRpcProvider, Wallet } from "ethers";
import { createPublicClient, createWalletClient, defineChain, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { permitted, Rhumbline, type Step } from "../../clients/typescript/src/index.ts";
import { ViemSender } from "../../clients/typescript/src/viem.ts";

const sandbox = JSON.parse(readFileSync(process.argv[2] as string, "utf8"));
const want = JSON.parse(process.argv[3] as string);
const chain = sandbox.chains.find((item: { key: string }) => item.key === want.chain);
const key: Hex = sandbox.accounts.evm[want.payer].private_key;
const account = privateKeyToAccount(key);
const rhumbline = new Rhumbline(sandbox.base_url);
const asked = {
  senderAddress: account.address,
  originChainId: chain.id,
  destinationChainId: chain.id,
  amount: want.amount,
  originCurrency: chain.tokens[want.origin].address,
  destinationCurrency: chain.tokens[want.destination].address,
};

async function ofRoute(): Promise<Step> {
  const [route] = await rhumbline.routes(asked);
  const context = { senderAddress: account.address, receiverAddress: account.address, permits: true };
  return rhumbline.stepTransaction(route?.steps[0] as Step, context);
}

const quote = want.library === "step" ? await ofRoute() : await rhumbline.quote({ ...asked, permits: true });
const permit = quote.permit;
if (permit === undefined) throw new Error("there is no permit");
const network = defineChain({
  id: chain.id,
  name: chain.key,
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [chain.rpc_url] } },
});
const wallet = createWalletClient({ account, chain: network, transport: http() });
const node = createPublicClient({ chain: network, transport: http() });

const by: Record<string, () => Promise<string>> = {
  async ethers() {
    const provider = new JsonRpcProvider(chain.rpc_url, chain.id, { staticNetwork: true, cacheTimeout: -1 });
    const signer = new Wallet(key, provider);
    const { domain, types, message } = permit.typedData as never;
    const { EIP712Domain: _, ...named } = types as Record<string, never>;
    const signature = (await signer.signTypedData(domain, named, message)).slice(2);
    // What docs/permits.md says, by hand.
    const data = permit.calldata.data.slice(0, -192) + signature + "0".repeat(62);
    const sent = await signer.sendTransaction({ ...permit.calldata, data, gasLimit: permit.gasLimit });
    await sent.wait();
    provider.destroy();
    return sent.hash;
  },
  async viem() {
    const signature = await wallet.signTypedData(permit.typedData as never);
    const { to, value, data } = permitted(permit, signature);
    const gas = BigInt(permit.gasLimit as string);
    const hash = await wallet.sendTransaction({ to: to as Hex, value: BigInt(value), data: data as Hex, gas });
    await node.waitForTransactionReceipt({ hash, pollingInterval: 100 });
    return hash;
  },
  async ours() {
    const sender = new ViemSender(wallet, node, { poll: 0.2 });
    const { hash } = await sender.execute(quote);
    if ((await sender.execute(quote)).hash !== hash) throw new Error("the same quote was sent twice");
    return hash;
  },
};
const run = by[want.library === "step" ? "ours" : want.library];
if (run === undefined) throw new Error("unknown library");
console.log(JSON.stringify({ quote, transactionHash: await run() }));
