// What a stranger's client of Solana asks the service, and the chains, knowing nothing but the sandbox's file.
// Arguments of its scripts: the file, then one JSON object {from, to, origin, destination, amount, tradeType?, payer,
// receiver, fee?, key?, sender?, priority?, jitoTip?, sponsor?, bridge?, refunded?, gas?}: a key of base58 in the payer's
// place and in the receiver's, its address, the account that pays for it all, the one bridge to ask, the account that is
// refunded, and native on arrival.
import { readFileSync } from "node:fs";
import { getBase58Encoder } from "@solana/kit";

const sandbox = JSON.parse(readFileSync(process.argv[2], "utf8"));
export const want = JSON.parse(process.argv[3]);
const natives = { EVM: "0x0000000000000000000000000000000000000000", SVM: "11111111111111111111111111111111" };
const chain = (key) => sandbox.chains.find((item) => item.key === key);
const address = (where, symbol) => where.tokens[symbol]?.address ?? natives[where.type];
const accounts = (where) => sandbox.accounts[where.type.toLowerCase()];

export const here = chain(want.from);
export const there = chain(want.to);
export const payer = want.key ? { address: want.sender, private_key: want.key } : accounts(here)[want.payer];
const secretOf = (account) => new Uint8Array(getBase58Encoder().encode(account.private_key));
export const secret = secretOf(payer);
const sponsor = want.sponsor === undefined ? undefined : accounts(here)[want.sponsor];
export const secrets = sponsor ? [secret, secretOf(sponsor)] : [secret];
export const origin = address(here, want.origin);
export const destination = address(there, want.destination);
export const receiver = want.key ? payer.address : accounts(there)[want.receiver].address;
export const feeWallet = sandbox.integrator.svm_wallet;
export const refunded = want.refunded === undefined ? undefined : accounts(here)[want.refunded].address;
export const native = natives.SVM;

export async function quoted() {
  const query = new URLSearchParams({
    senderAddress: payer.address,
    receiverAddress: receiver,
    originChainId: here.id,
    destinationChainId: there.id,
    amount: want.amount,
    originCurrency: origin,
    destinationCurrency: destination,
    integrator: sandbox.integrator.name,
  });
  if (want.fee !== undefined) query.set("fee", want.fee);
  for (const name of ["priority", "jitoTip", "tradeType"]) if (want[name] !== undefined) query.set(name, want[name]);
  if (sponsor) query.set("feePayer", sponsor.address);
  if (want.bridge) query.set("includeBridges", want.bridge);
  if (refunded) query.set("refundTo", refunded);
  if (want.gas) query.set("destinationGas", want.gas);
  const answer = await fetch(`${sandbox.base_url}/v1/quotes?${query}`);
  const quote = await answer.json();
  if (answer.status !== 200) throw new Error(JSON.stringify(quote));
  return quote;
}

// What the receiver has: on an EVM chain by its node, on Solana by the client's own reading.
export async function received(read) {
  if (there.type === "SVM") return read(destination, receiver);
  const [method, params] =
    destination === natives.EVM
      ? ["eth_getBalance", [receiver, "latest"]]
      : ["eth_call", [{ to: destination, data: `0x70a08231${receiver.slice(2).padStart(64, "0")}` }, "latest"]];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(there.rpc_url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return BigInt((await answer.json()).result);
}

// Bridges take their time.
export async function grown(before, read) {
  for (let look = 0; look < 600; look++) {
    const after = await received(read);
    if (after > before) return after - before;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return 0n;
}
