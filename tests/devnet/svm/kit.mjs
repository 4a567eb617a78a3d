// A stranger with @solana/kit: airdrop, transfer, a v0 transaction with a lookup table, history, token balances.
// Arguments: one JSON object {rpc, ws, mint, holder, table, listed}; prints what it found as JSON.
import * as kit from "@solana/kit";

const want = JSON.parse(process.argv[2]);
const rpc = kit.createSolanaRpc(want.rpc);
const rpcSubscriptions = kit.createSolanaRpcSubscriptions(want.ws);
const sendAndConfirm = kit.sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
const airdrop = kit.airdropFactory({ rpc, rpcSubscriptions });
const found = {};

const payer = await kit.generateKeyPairSigner();
await airdrop({ recipientAddress: payer.address, lamports: kit.lamports(10_000_000_000n), commitment: "confirmed" });
found.airdropped = (await rpc.getBalance(payer.address).send()).value.toString();

const system = kit.address("11111111111111111111111111111111");
const transfer = (to, lamports) => ({
  programAddress: system,
  accounts: [
    { address: payer.address, role: kit.AccountRole.WRITABLE_SIGNER, signer: payer },
    { address: to, role: kit.AccountRole.WRITABLE },
  ],
  data: new Uint8Array(new BigUint64Array([2n | ((lamports & 0xffffffffn) << 32n), lamports >> 32n]).buffer, 0, 12),
});
const signed = async (instructions, tables = {}) => {
  const { value } = await rpc.getLatestBlockhash().send();
  const message = kit.pipe(
    kit.createTransactionMessage({ version: 0 }),
    (each) => kit.setTransactionMessageFeePayerSigner(payer, each),
    (each) => kit.setTransactionMessageLifetimeUsingBlockhash(value, each),
    (each) => kit.appendTransactionMessageInstructions(instructions, each),
    (each) => kit.compressTransactionMessageUsingAddressLookupTables(each, tables),
  );
  return kit.signTransactionMessageWithSigners(message);
};

const friend = (await kit.generateKeyPairSigner()).address;
const paid = await signed([transfer(friend, 1_000_000_000n)]);
const trial = await rpc.simulateTransaction(kit.getBase64EncodedWireTransaction(paid), { encoding: "base64" }).send();
found.trial = { err: trial.value.err, units: trial.value.unitsConsumed.toString() };
await sendAndConfirm(paid, { commitment: "confirmed" });
found.transferred = (await rpc.getBalance(friend).send()).value.toString();

// The table is there already, and is read as kit reads tables: in words.
const table = kit.address(want.table);
const there = await rpc.getAccountInfo(table, { encoding: "base64" }).send();
found.tableOwner = there.value.owner;
const listed = want.listed.map((each) => kit.address(each));
const tables = await kit.fetchAddressesForLookupTables([table], rpc);
found.tableRead = JSON.stringify(tables[table]) === JSON.stringify(listed);
const lookedUp = await signed(listed.map((each) => transfer(each, 2_000_000n)), tables);
await sendAndConfirm(lookedUp, { commitment: "finalized" });
const signature = kit.getSignatureFromTransaction(lookedUp);
const read = await rpc.getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: "json" }).send();
found.read = {
  version: read.version, loaded: read.meta.loadedAddresses.writable.length, err: read.meta.err,
  instructions: read.transaction.message.instructions.length,
};
found.status = (await rpc.getSignatureStatuses([signature]).send()).value[0].confirmationStatus;

const greedy = await signed([transfer(friend, 10n ** 15n)]);
try {
  await sendAndConfirm(greedy, { commitment: "confirmed" });
} catch (error) {
  found.refused = {
    preflight: kit.isSolanaError(error, kit.SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE),
    cause: kit.isSolanaError(error.cause, kit.SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM) && error.cause.context.code,
  };
}
try {
  await sendAndConfirm(greedy, { commitment: "confirmed", skipPreflight: true });
} catch (error) {
  found.landed = kit.isSolanaError(error, kit.SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM) && error.context.code;
}

let history = [];
// A failure is told as soon as it is processed, history begins with what is confirmed.
while (history[0]?.err == null) {
  history = await rpc.getSignaturesForAddress(payer.address, { commitment: "confirmed", limit: 3 }).send();
}
found.history = history.map((each) => each.err === null);
const tokens = await rpc
  .getTokenAccountsByOwner(kit.address(want.holder), { mint: kit.address(want.mint) }, { encoding: "jsonParsed" })
  .send();
found.tokens = tokens.value.map((each) => each.account.data.parsed.info.tokenAmount.amount);
found.token = (await rpc.getTokenAccountBalance(tokens.value[0].pubkey).send()).value.uiAmountString;

const abortSignal = AbortSignal.timeout(10_000);
const notices = await rpcSubscriptions.accountNotifications(friend, { commitment: "confirmed" }).subscribe({ abortSignal });
await rpc.requestAirdrop(friend, kit.lamports(1_000_000_000n)).send();
for await (const notice of notices) {
  found.changed = notice.value.lamports.toString();
  break;
}
console.log(JSON.stringify(found));
process.exit(0);
