// A foreign client with @solana/kit: quotes over HTTP, decodes the transaction, signs, sends, reads balances back.
import * as kit from "@solana/kit";
import { lifetimeOf } from "./solana_lifetime.mjs";
import { feeWallet, grown, here, native, origin, quoted, received, secrets } from "./solana_question.mjs";

const rpc = kit.createSolanaRpc(here.rpc_url);
const wallets = await Promise.all(secrets.map((secret) => kit.createKeyPairFromBytes(secret)));
const balance = async (token, owner) => {
  if (token === native) return (await rpc.getBalance(kit.address(owner), { commitment: "confirmed" }).send()).value;
  const filter = { mint: kit.address(token) };
  const options = { encoding: "jsonParsed", commitment: "confirmed" };
  const held = await rpc.getTokenAccountsByOwner(kit.address(owner), filter, options).send();
  return held.value.reduce((sum, each) => sum + BigInt(each.account.data.parsed.info.tokenAmount.amount), 0n);
};

const quote = await quoted();
const given = kit.getTransactionDecoder().decode(kit.getBase64Encoder().encode(quote.calldata.data));
const message = kit.getCompiledTransactionMessageDecoder().decode(given.messageBytes);
const before = await received(balance);
const feesBefore = await balance(origin, feeWallet);
const signed = { ...(await kit.signTransaction(wallets, given)), lifetimeConstraint: lifetimeOf(quote, message) };
const rpcSubscriptions = kit.createSolanaRpcSubscriptions(here.ws_url);
await kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, { commitment: "confirmed" });
const signature = kit.getSignatureFromTransaction(signed);
const [status] = (await rpc.getSignatureStatuses([signature]).send()).value;
console.log(
  JSON.stringify({
    quote,
    payer: message.staticAccounts[0],
    size: kit.getTransactionEncoder().encode(signed).length,
    signature,
    error: status.err,
    gained: (await grown(before, balance)).toString(),
    integratorFee: ((await balance(origin, feeWallet)) - feesBefore).toString(),
  }),
);
process.exit(0);
