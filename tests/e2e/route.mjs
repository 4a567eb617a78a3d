// A foreign client of routes: plans, has each step populated with what the one before really brought, signs, sends, and
// believes only the chains. Arguments: the sandbox's file, then one JSON object
// {from, to, origin, destination, amount, tradeType?, payer, receiver, bridges?, steps, through, fee?}; the route must have so
// many `steps`, and its bridge take the token of the symbol `through`. Gas is not counted as spent, nor as missing from what came.
import { readFileSync } from "node:fs";
import { Connection, Keypair, PublicKey, VersionedTransaction } from "@solana/web3.js";
import { getBase58Encoder } from "@solana/kit";
import { Contract, JsonRpcProvider, Wallet } from "ethers";

const sandbox = JSON.parse(readFileSync(process.argv[2], "utf8"));
const want = JSON.parse(process.argv[3]);
const natives = { EVM: "0x0000000000000000000000000000000000000000", SVM: "11111111111111111111111111111111" };
const chain = (name) => sandbox.chains.find((item) => item.key === name || item.id === name);
const address = (where, symbol) => where.tokens[symbol]?.address ?? natives[where.type];
const account = (where, index) => sandbox.accounts[where.type.toLowerCase()][index];
const erc20 = ["function balanceOf(address) view returns (uint256)", "function approve(address,uint256)"];
const open = (where) =>
  where.type === "EVM"
    ? new JsonRpcProvider(where.rpc_url, where.id, { staticNetwork: true, cacheTimeout: -1 })
    : new Connection(where.rpc_url, { commitment: "confirmed", wsEndpoint: where.ws_url });
const nodes = new Map(sandbox.chains.map((item) => [item.id, open(item)]));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function asked(path, body) {
  const headers = { "content-type": "application/json", "x-api-key": sandbox.integrator.api_key };
  const method = body === undefined ? "GET" : "POST";
  const answer = await fetch(sandbox.base_url + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, json: await answer.json() };
}

async function known(path, body) {
  const { status, json } = await asked(path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
  return json;
}

async function balance(where, token, owner) {
  const node = nodes.get(where.id);
  if (where.type === "EVM")
    return token === natives.EVM ? node.getBalance(owner) : new Contract(token, erc20, node).balanceOf(owner);
  if (token === natives.SVM) return BigInt(await node.getBalance(new PublicKey(owner)));
  const held = await node.getParsedTokenAccountsByOwner(new PublicKey(owner), { mint: new PublicKey(token) });
  return held.value.reduce((sum, each) => sum + BigInt(each.account.data.parsed.info.tokenAmount.amount), 0n);
}

// Sends what makes a transaction; tells the receipt's hash, and adds the gas to what was paid.
async function sent(paid, send) {
  const receipt = await (await send()).wait();
  paid.gas += receipt.gasUsed * receipt.gasPrice;
  return receipt.hash;
}

async function signed(step, paid) {
  const { action, transactionRequest: request, estimate } = step;
  const where = chain(action.fromChainId);
  const node = nodes.get(where.id);
  const own = sandbox.accounts[where.type.toLowerCase()].find((item) => item.address === action.fromAddress);
  if (where.type === "SVM") {
    const transaction = VersionedTransaction.deserialize(Buffer.from(request.data, "base64"));
    transaction.sign([Keypair.fromSecretKey(new Uint8Array(getBase58Encoder().encode(own.private_key)))]);
    const signature = await node.sendRawTransaction(transaction.serialize());
    const { value } = await node.confirmTransaction({ signature, ...(await node.getLatestBlockhash()) });
    if (value.err !== null) throw new Error(JSON.stringify(value.err));
    return signature;
  }
  const wallet = new Wallet(own.private_key, node);
  if (estimate.approvalAddress !== undefined)
    await sent(paid, () => new Contract(action.fromToken.address, erc20, wallet).approve(estimate.approvalAddress, action.fromAmount));
  const { to, value, data, gas } = request;
  return sent(paid, () => wallet.sendTransaction({ to, value, data, ...gas }));
}

// What an owner gains from the first change on: bridges take their time.
async function gained(where, token, owner, before, gas) {
  for (let look = 0; look < 900; look++) {
    const after = (await balance(where, token, owner)) + gas;
    if (after > before) return after - before;
    await pause(50);
  }
  return 0n;
}

async function record(id) {
  for (let look = 0; look < 900; look++) {
    const { status, json } = await asked(`/v1/transactions/${id}`);
    if (status === 200 && json.status !== "bridge_pending") return json;
    await pause(50);
  }
  throw new Error(`no record of ${id}`);
}

const [here, there] = [chain(want.from), chain(want.to)];
const final = account(there, want.receiver).address;
const { routes } = await known("/v1/advanced/routes", {
  senderAddress: account(here, want.payer).address,
  receiverAddress: final,
  originChainId: here.id,
  destinationChainId: there.id,
  amount: want.amount,
  tradeType: want.tradeType,
  originCurrency: address(here, want.origin),
  destinationCurrency: address(there, want.destination),
  integrator: sandbox.integrator.name,
  ...(want.fee === undefined ? {} : { fee: want.fee }),
  ...(want.bridges === undefined ? {} : { includeBridges: want.bridges }),
});
const through = (item) => item.steps.find((step) => step.type === "bridge").action.fromToken.symbol;
const route = routes.find((item) => item.steps.length === want.steps && through(item) === want.through);
if (route === undefined) throw new Error(`no route of ${want.steps} steps through ${want.through} among ${routes.length}`);

const told = [];
let received;
for (const step of route.steps) {
  const { fromChainId, toChainId, fromToken, toToken, fromAddress, toAddress } = step.action;
  const context = { senderAddress: fromAddress, receiverAddress: final };
  const early = received === undefined ? null : (await asked("/v1/advanced/stepTransaction", { step, context })).json;
  if (received !== undefined) context.previousStepReceivedAmount = received.toString();
  const populated = await known("/v1/advanced/stepTransaction", { step, context });
  const [from, to] = [chain(fromChainId), chain(toChainId)];
  const collector = from.type === "SVM" ? sandbox.integrator.svm_wallet : sandbox.integrator.wallet;
  const fees = await balance(from, fromToken.address, collector);
  const spent = await balance(from, fromToken.address, fromAddress);
  const before = await balance(to, toToken.address, toAddress);
  const paid = { gas: 0n };
  const hash = await signed(populated, paid);
  const gas = (where, token, owner) => (where === from && token === natives.EVM && owner === fromAddress ? paid.gas : 0n);
  received = await gained(to, toToken.address, toAddress, before, gas(to, toToken.address, toAddress));
  const kept = await record(populated.transactionId);
  told.push({
    early: early?.details?.message ?? null,
    populated,
    hash,
    received: received.toString(),
    spent: (spent - (await balance(from, fromToken.address, fromAddress)) - gas(from, fromToken.address, fromAddress)).toString(),
    integratorFee: ((await balance(from, fromToken.address, collector)) - fees).toString(),
    record: { status: kept.status, sourceTxHash: kept.sourceTxHash },
  });
}
console.log(JSON.stringify({ route, told }));
process.exit(0);
