// A foreign client with @solana/web3.js: quotes over HTTP, decodes the transaction, signs, sends, reads balances back.
import { Connection, Keypair, PublicKey, VersionedTransaction } from "@solana/web3.js";
import { feeWallet, grown, here, native, origin, quoted, received, secrets } from "./solana_question.mjs";

const connection = new Connection(here.rpc_url, { commitment: "confirmed", wsEndpoint: here.ws_url });
const wallets = secrets.map((secret) => Keypair.fromSecretKey(secret));
const balance = async (token, owner) => {
  if (token === native) return BigInt(await connection.getBalance(new PublicKey(owner)));
  const held = await connection.getParsedTokenAccountsByOwner(new PublicKey(owner), { mint: new PublicKey(token) });
  return held.value.reduce((sum, each) => sum + BigInt(each.account.data.parsed.info.tokenAmount.amount), 0n);
};

const quote = await quoted();
const transaction = VersionedTransaction.deserialize(Buffer.from(quote.calldata.data, "base64"));
const payer = transaction.message.staticAccountKeys[0].toBase58();
const before = await received(balance);
const feesBefore = await balance(origin, feeWallet);
transaction.sign(wallets);
const signature = await connection.sendRawTransaction(transaction.serialize());
const { lastValidBlockHeight } = quote;
const blockhash = transaction.message.recentBlockhash;
const { value } = await connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight });
console.log(
  JSON.stringify({
    quote,
    payer,
    size: transaction.serialize().length,
    signature,
    error: value.err,
    gained: (await grown(before, balance)).toString(),
    integratorFee: ((await balance(origin, feeWallet)) - feesBefore).toString(),
  }),
);
process.exit(0);
