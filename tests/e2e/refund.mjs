// A foreign client whose transfer fails: quotes with `refundTo`, approves, sends, and waits until the tokens are back.
// Arguments: the sandbox's file, then one JSON object {bridge, origin, destination, amount, tradeType, payer, refunded,
// there}.
import { readFileSync } from "node:fs";
import { Contract, JsonRpcProvider, Wallet } from "ethers";

const sandbox = JSON.parse(readFileSync(process.argv[2], "utf8"));
const want = JSON.parse(process.argv[3]);
const chain = sandbox.chains.find((item) => item.key === "sbxa");
const there = sandbox.chains.find((item) => item.key === want.there);
const provider = new JsonRpcProvider(chain.rpc_url, chain.id, { staticNetwork: true, cacheTimeout: -1 });
const wallet = new Wallet(sandbox.accounts.evm[want.payer].private_key, provider);
const refundTo = sandbox.accounts.evm[want.refunded].address;
const token = new Contract(
  chain.tokens[want.origin].address,
  ["function balanceOf(address) view returns (uint256)", "function approve(address,uint256)"],
  wallet,
);

const query = new URLSearchParams({
  senderAddress: wallet.address,
  originChainId: chain.id,
  destinationChainId: there.id,
  amount: want.amount,
  originCurrency: chain.tokens[want.origin].address,
  destinationCurrency: there.tokens[want.destination].address,
  tradeType: want.tradeType,
  includeBridges: want.bridge,
  refundTo,
});
const answer = await fetch(`${sandbox.base_url}/v1/quotes?${query}`);
const quote = await answer.json();
if (answer.status !== 200) throw new Error(JSON.stringify(quote));

for (const approval of quote.approvals ?? []) await (await wallet.sendTransaction(approval)).wait();
const balances = () => Promise.all([refundTo, wallet.address].map((owner) => token.balanceOf(owner)));
const before = await balances();
const receipt = await (await wallet.sendTransaction({ ...quote.calldata, ...quote.gas })).wait();
let after = await balances();
for (const until = Date.now() + 60_000; after[0] === before[0] && Date.now() < until; after = await balances()) {
  await new Promise((done) => setTimeout(done, 200));
}
console.log(
  JSON.stringify({
    quote,
    refundTo,
    transactionHash: receipt.hash,
    refunded: (after[0] - before[0]).toString(),
    paid: (before[1] - after[1]).toString(),
  }),
);
provider.destroy();
