// A foreign client: knows nothing but the sandbox's file, quotes over HTTP, approves, sends, and reads balances back.
// Arguments: the file, then one JSON object {chain, origin, destination, amount, payer, receiver?, fee?}.
import { readFileSync } from "node:fs";
import { Contract, JsonRpcProvider, Wallet } from "ethers";

const sandbox = JSON.parse(readFileSync(process.argv[2], "utf8"));
const want = JSON.parse(process.argv[3]);
const chain = sandbox.chains.find((item) => item.key === want.chain);
const provider = new JsonRpcProvider(chain.rpc_url, chain.id, { staticNetwork: true, cacheTimeout: -1 });
const wallet = new Wallet(sandbox.accounts.evm[want.payer].private_key, provider);
const receiver = want.receiver === undefined ? wallet.address : sandbox.accounts.evm[want.receiver].address;
const native = "0x0000000000000000000000000000000000000000";
const address = (symbol) => (symbol === "ETH" ? native : chain.tokens[symbol].address);
const erc20 = ["function balanceOf(address) view returns (uint256)", "function approve(address,uint256)"];
const balance = (token, owner) =>
  token === native ? provider.getBalance(owner) : new Contract(token, erc20, provider).balanceOf(owner);

const query = new URLSearchParams({
  senderAddress: wallet.address,
  receiverAddress: receiver,
  originChainId: chain.id,
  destinationChainId: chain.id,
  amount: want.amount,
  originCurrency: address(want.origin),
  destinationCurrency: address(want.destination),
  integrator: sandbox.integrator.name,
});
if (want.fee !== undefined) query.set("fee", want.fee);
const answer = await fetch(`${sandbox.base_url}/v1/quotes?${query}`);
const quote = await answer.json();
if (answer.status !== 200) throw new Error(JSON.stringify(quote));

if (quote.approvalAddress !== undefined) {
  const token = new Contract(address(want.origin), erc20, wallet);
  await (await token.approve(quote.approvalAddress, want.amount)).wait();
}
const before = await balance(address(want.destination), receiver);
const feesBefore = await balance(address(want.origin), sandbox.integrator.wallet);
const sent = await wallet.sendTransaction({ ...quote.calldata, ...quote.gas });
const receipt = await sent.wait();
const gas = receiver === wallet.address && want.destination === "ETH" ? receipt.fee : 0n;
const after = await balance(address(want.destination), receiver);
const feesAfter = await balance(address(want.origin), sandbox.integrator.wallet);
console.log(
  JSON.stringify({
    quote,
    transactionHash: receipt.hash,
    gained: (after - before + gas).toString(),
    integratorFee: (feesAfter - feesBefore).toString(),
  }),
);
provider.destroy();
