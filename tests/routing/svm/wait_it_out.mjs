// A client with @solana/kit that sends one answer and waits until it is confirmed, or can never be any more.
// Its argument: {rpc, ws, secret, data, lastValidBlockHeight}; a node that loses what it is sent takes it all the same.
import * as kit from "@solana/kit";
import { lifetimeOf } from "../../e2e/solana_lifetime.mjs";

const want = JSON.parse(process.argv[2]);
const rpc = kit.createSolanaRpc(want.rpc);
const rpcSubscriptions = kit.createSolanaRpcSubscriptions(want.ws);
const wallet = await kit.createKeyPairFromBytes(new Uint8Array(kit.getBase58Encoder().encode(want.secret)));
const given = kit.getTransactionDecoder().decode(kit.getBase64Encoder().encode(want.data));
const message = kit.getCompiledTransactionMessageDecoder().decode(given.messageBytes);
const signed = { ...(await kit.signTransaction([wallet], given)), lifetimeConstraint: lifetimeOf(want, message) };
let ended = false;
try {
  const options = { commitment: "confirmed", skipPreflight: true };
  await kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(signed, options);
} catch (error) {
  if (!kit.isSolanaError(error, kit.SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED)) throw error;
  ended = true;
}
console.log(JSON.stringify({ ended, signature: kit.getSignatureFromTransaction(signed) }));
process.exit(0);
