// What a test has the client do: bundled, `node scenarios.mjs <scenario> <JSON>` writes what came of it, as JSON.

import { createKeyPairFromBytes, createSolanaRpc, getBase58Encoder } from "@solana/kit";
import { createPublicClient, createWalletClient, defineChain, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { Rhumbline, ServiceError } from "../../../clients/typescript/src/index.ts";
import { coSigned, KitSender } from "../../../clients/typescript/src/kit.ts";
import { ViemSender } from "../../../clients/typescript/src/viem.ts";

const [, , scenario = "", given = "{}"] = process.argv;
const told = JSON.parse(given);
const ID = `0x${"ab".repeat(32)}`;

/** What a call came to: its value, or its error's class, hash and words. */
async function outcome(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    const { name, message, hash, code, retryAfter } = error as ServiceError & { hash?: string };
    return { name, message, hash, code, retryAfter };
  }
}

async function listed<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

const client = () => new Rhumbline(told.url, { key: "rl_live_acme", retries: { first: 0 } });

const SCENARIOS: Record<string, () => Promise<unknown>> = {
  tools: () => outcome(() => client().tools()),
  add: () => outcome(() => client().webhooks.add("https://example.com/hooks")),
  asked: async () => [
    await outcome(() => client().quote({ ...told.asked, amount: 1000000 })),
    await outcome(() => client().quote({ ...told.asked, slippage: 0.005 })),
    await outcome(() => client().quote(told.asked)),
    await outcome(async () => (await client().routes({ ...told.asked, slippage: "0.005" })).length),
    await outcome(() => listed(client().quoteStream({ ...told.asked, amount: 1000000n }))),
    await outcome(() => client().status("0x12")),
  ],
  signed: async () => {
    const signed = new Rhumbline(told.url, { retries: { first: 0 }, signingKeys: told.keys });
    return [
      await outcome(() => signed.quote(told.asked)),
      await outcome(() => listed(signed.quoteStream(told.asked))),
      await outcome(async () => (await signed.routes(told.asked)).length),
      await outcome(() => signed.status(told.id)),
      await outcome(() => signed.signingKeys()),
    ];
  },
  followed: () => listed(client().follow(told.id, { within: 60 })),
  older: async () => [
    await listed(client().follow(ID)),
    await listed(client().quoteStream(told.asked)),
    await outcome(() => listed(client().transactions.stream())),
    await outcome(() => client().wait(`0x${"cd".repeat(32)}`, { within: 0.2 })),
  ],
  evm: async () => {
    const rpcUrls = { default: { http: [told.url] } };
    const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
    const chain = defineChain({ id: told.chainId, name: "Chain", nativeCurrency, rpcUrls });
    const account = privateKeyToAccount(told.key);
    const node = createPublicClient({ chain, transport: http() });
    const wallet = createWalletClient({ account, chain, transport: http() });
    const sender = new ViemSender(wallet, node, { poll: 0.02 });
    const found = [];
    for (const quote of told.quotes) found.push(await outcome(() => sender.execute(quote)));
    return found;
  },
  solana: async () => {
    const keys = await createKeyPairFromBytes(getBase58Encoder().encode(told.key));
    const sender = new KitSender(createSolanaRpc(told.url), keys, { poll: 0.05 });
    const found = [];
    for (const quote of told.quotes) found.push(await outcome(() => sender.execute(quote)));
    if (!told.payer) return found;
    const payer = await createKeyPairFromBytes(getBase58Encoder().encode(told.payer));
    const quote = told.quotes[0];
    const data = await coSigned(quote.calldata.data, payer);
    found.push(await outcome(() => sender.execute({ ...quote, calldata: { ...quote.calldata, data } })));
    found.push(await outcome(() => coSigned(told.quotes[1].calldata.data, payer)));
    return found;
  },
};

console.log(JSON.stringify(await SCENARIOS[scenario]?.()));
