// A foreign client with @solana/kit whose transfer fails: names who is refunded, sends, waits until the tokens are back.
import * as kit from "@solana/kit";
import { lifetimeOf } from "./solana_lifetime.mjs";
import { here, native, origin, payer, quoted, refunded, secret } from "./solana_question.mjs";

const rpc = kit.createSolanaRpc(here.rpc_url);
const wallet = await kit.createKeyPairFromBytes(secret);
const balance = async (owner) => {
  if (origin === native) return (await rpc.getBalance(kit.address(owner), { commitment: "confirmed" }).send()).value;
  const options = { encoding: "jsonParsed", commitment: "confirmed" };
  const held = await rpc.getTokenAccountsByOwner(kit.address(owner), { mint: kit.address(origin) }, options).send();
  return held.value.reduce((sum, each) => sum + BigInt(each.account.data.parsed.info.tokenAmount.amount), 0n);
};
const balances = () => Promise.all([refunded, payer.address].map(balance));

const quote = await quoted();
const given = kit.getTransactionDecoder().decode(kit.getBase64Encoder().encode(quote.calldata.data));
const message = kit.getCompiledTransactionMessageDecoder().decode(given.messageBytes);
const before = await balances();
const signed = { ...(await kit.signTransaction([wallet], given)), lifetimeConstraint: lifetimeOf(quote, message) };
const rpcSubscriptions = kit.createSolanaRpcSubscriptions(here.ws_url);
await kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, { commitment: "confirmed" });
let after = await balances();
for (let look = 0; after[0] === before[0] && look < 600; look++) {
  await new Promise((resolve) => setTimeout(resolve, 50));
  after = await balances();
}
console.log(
  JSON.stringify({
    quote,
    refundTo: refunded,
    signature: kit.getSignatureFromTransaction(signed),
    refunded: (after[0] - before[0]).toString(),
    paid: (before[1] - after[1]).toString(),
  }),
);
process.exit(0);
