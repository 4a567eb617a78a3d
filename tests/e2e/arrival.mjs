// A foreign client, on viem, of what can be done on arrival: quotes, approves, sends what was answered, waits for its end,
// and believes only the chains. Arguments: the sandbox's file, then one JSON object
// {origin, destination, amount, payer, receiver, gas?, bridge?, savings?, close?, way?}: `savings` is a contract's code; it is
// deployed where the transfer goes, and called on arrival with all that comes, after it was closed if `close` is set.
// With way "routes" the route is planned and its step populated.
import { readFileSync } from "node:fs";
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, http, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const sandbox = JSON.parse(readFileSync(process.argv[2], "utf8"));
const want = JSON.parse(process.argv[3]);
const native = "0x0000000000000000000000000000000000000000";
const abi = parseAbi([
  "function approve(address,uint256)",
  "function balanceOf(address) view returns (uint256)",
  "function close(bool)",
  "function depositAll(address,address)",
  "function saved(address,address) view returns (uint256)",
]);
const receiver = sandbox.accounts.evm[want.receiver].address;

function open(key) {
  const described = sandbox.chains.find((item) => item.key === key);
  const currency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const chain = defineChain({
    id: described.id,
    name: described.name,
    nativeCurrency: currency,
    rpcUrls: { default: { http: [described.rpc_url] } },
  });
  const account = privateKeyToAccount(sandbox.accounts.evm[want.payer].private_key);
  const transport = http();
  const reads = createPublicClient({ chain, transport, pollingInterval: 100, cacheTime: 0 });
  const wallet = createWalletClient({ chain, transport, account });
  const mined = async (hash) => {
    const receipt = await reads.waitForTransactionReceipt({ hash });
    if (receipt.status !== "success") throw new Error(`reverted: ${hash}`);
    return receipt;
  };
  const address = (symbol) => described.tokens[symbol]?.address ?? native;
  return { described, reads, wallet, mined, address };
}

async function asked(path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(sandbox.base_url + path, { method: body ? "POST" : "GET", headers, body });
  const json = await answer.json();
  if (answer.status !== 200) throw new Error(`${path.slice(0, 80)}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
}

const [here, there] = [open("sbxa"), open("sbxb")];
const token = there.address(want.destination);
const question = {
  senderAddress: here.wallet.account.address,
  originChainId: here.described.id,
  destinationChainId: there.described.id,
  amount: want.amount,
  originCurrency: here.address(want.origin),
  destinationCurrency: token,
};
let savings;
if (want.savings !== undefined) {
  const deployed = await there.mined(await there.wallet.deployContract({ abi, bytecode: want.savings }));
  savings = deployed.contractAddress;
  const calldata = encodeFunctionData({ abi, functionName: "depositAll", args: [token, receiver] });
  question.destinationCall = { target: savings, calldata, gas: 200000, fallbackAddress: receiver };
} else question.receiverAddress = receiver;
if (want.gas !== undefined) question.destinationGas = want.gas;
if (want.bridge !== undefined)
  Object.assign(question, { includeBridges: want.bridge, integrator: sandbox.integrator.name });

async function quoted() {
  if (want.way !== "routes") {
    const call = question.destinationCall && { destinationCall: JSON.stringify(question.destinationCall) };
    return asked(`/v1/quotes?${new URLSearchParams({ ...question, ...call })}`);
  }
  const { routes } = await asked("/v1/advanced/routes", JSON.stringify(question));
  const context = { senderAddress: question.senderAddress, receiverAddress: receiver };
  const populated = await asked("/v1/advanced/stepTransaction", JSON.stringify({ step: routes[0].steps[0], context }));
  const { gas: _, ...calldata } = populated.transactionRequest;
  return { ...populated, calldata, outputAmount: populated.estimate.toAmount, adapter: populated.tool };
}

const holdings = async () => ({
  tokens: await there.reads.readContract({ address: token, abi, functionName: "balanceOf", args: [receiver] }),
  native: await there.reads.getBalance({ address: receiver }),
});
const quote = await quoted();
if (want.close)
  await there.mined(
    await there.wallet.writeContract({ address: savings, abi, functionName: "close", args: [true] }),
  );
const before = await holdings();
for (const { to, data } of quote.approvals ?? []) await here.mined(await here.wallet.sendTransaction({ to, data }));
const { to, value, data } = quote.calldata;
const receipt = await here.mined(await here.wallet.sendTransaction({ to, data, value: BigInt(value) }));

let status;
const deadline = Date.now() + 60_000;
do {
  if (Date.now() > deadline) throw new Error(`no end: ${JSON.stringify(status)}`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const answer = await fetch(`${sandbox.base_url}/v1/status/${quote.transactionId}`);
  status = await answer.json();
} while (!["success", "recovered", "refunded"].includes(status.status));
const after = await holdings();
const saved =
  savings && (await there.reads.readContract({ address: savings, abi, functionName: "saved", args: [token, receiver] }));
console.log(
  JSON.stringify({
    quote,
    transactionHash: receipt.transactionHash,
    status: status.status,
    tokens: (after.tokens - before.tokens).toString(),
    native: (after.native - before.native).toString(),
    saved: (saved ?? 0n).toString(),
  }),
);
