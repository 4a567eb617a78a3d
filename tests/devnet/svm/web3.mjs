// A stranger with @solana/web3.js: airdrop, transfer, a v0 transaction with a lookup table, history, token balances.
// Arguments: one JSON object {rpc, ws, mint, holder}; prints what it found as JSON.
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";

const want = JSON.parse(process.argv[2]);
const connection = new Connection(want.rpc, { commitment: "confirmed", wsEndpoint: want.ws });
const payer = Keypair.generate();
const found = {};

const settled = async (signature, commitment = "confirmed") => {
  const latest = await connection.getLatestBlockhash();
  // What failed is thrown or returned, by what is first: the notice or the question.
  const { value } = await connection
    .confirmTransaction({ signature, ...latest }, commitment)
    .catch((err) => ({ value: { err } }));
  return value.err;
};
const v0 = async (instructions, tables = []) => {
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message(tables));
  transaction.sign([payer]);
  return transaction;
};

found.version = (await connection.getVersion())["solana-core"];
const airdrop = await connection.requestAirdrop(payer.publicKey, 10 * LAMPORTS_PER_SOL);
found.airdropError = await settled(airdrop);
found.airdropped = await connection.getBalance(payer.publicKey);

// A legacy transaction, confirmed to the end.
const friend = Keypair.generate().publicKey;
const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: friend, lamports: LAMPORTS_PER_SOL });
const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
const legacy = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight }).add(transfer);
legacy.sign(payer);
const sent = await connection.sendRawTransaction(legacy.serialize());
found.transferError = await settled(sent, "finalized");
found.transferred = await connection.getBalance(friend);
found.status = (await connection.getSignatureStatus(sent)).value.confirmationStatus;

// A lookup table, made, filled and used.
const slot = (await connection.getSlot("processed")) - 1;
const [create, table] = AddressLookupTableProgram.createLookupTable({
  authority: payer.publicKey, payer: payer.publicKey, recentSlot: slot,
});
const many = Array.from({ length: 20 }, () => Keypair.generate().publicKey);
const extend = AddressLookupTableProgram.extendLookupTable({
  lookupTable: table, authority: payer.publicKey, payer: payer.publicKey, addresses: many,
});
found.tableError = await settled(await connection.sendTransaction(await v0([create, extend])));
const account = (await connection.getAddressLookupTable(table)).value;
found.entries = account.state.addresses.length;
const gifts = many.map((to) => SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 2e6 }));
const lookedUp = await v0([ComputeBudgetProgram.setComputeUnitLimit({ units: 50_000 }), ...gifts], [account]);
found.size = lookedUp.serialize().length;
const trial = await connection.simulateTransaction(lookedUp, { sigVerify: true, innerInstructions: true });
found.trial = { err: trial.value.err, logs: trial.value.logs.length, units: trial.value.unitsConsumed };
const signature = await connection.sendTransaction(lookedUp);
found.lookupError = await settled(signature);
const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
found.read = {
  version: read.version, loaded: read.meta.loadedAddresses.writable.length, err: read.meta.err,
  units: read.meta.computeUnitsConsumed, paid: read.meta.preBalances[0] - read.meta.postBalances[0],
};
found.gift = await connection.getBalance(many[7]);

// What fails.
const greedy = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: friend, lamports: 10 ** 15 });
try {
  await connection.sendTransaction(await v0([greedy]));
} catch (error) {
  found.refused = error instanceof SendTransactionError ? [error.transactionError.message, error.logs.length] : `${error}`;
}
const landed = await connection.sendTransaction(await v0([greedy]), { skipPreflight: true });
found.landed = await settled(landed);

// History, and tokens.
let history = [];
// A failure is told as soon as it is processed, history begins with what is confirmed.
while (history[0]?.signature !== landed) history = await connection.getSignaturesForAddress(payer.publicKey);
found.history = history.map((each) => each.err === null);
const older = await connection.getSignaturesForAddress(payer.publicKey, { before: landed, until: sent, limit: 5 });
found.between = older.length;
const parsed = await connection.getParsedTokenAccountsByOwner(new PublicKey(want.holder), {
  mint: new PublicKey(want.mint),
});
found.tokens = parsed.value.map((each) => each.account.data.parsed.info.tokenAmount.amount);
found.supply = (await connection.getTokenSupply(new PublicKey(want.mint))).value.decimals;

// Subscriptions.
const changed = new Promise((resolve) => connection.onAccountChange(friend, (info) => resolve(info.lamports)));
const went = new Promise((resolve) => connection.onSlotChange(resolve));
// When a subscription has begun is not told: what is before is missed, so there is more than one to see.
const giving = setInterval(() => connection.requestAirdrop(friend, LAMPORTS_PER_SOL), 100);
found.changed = await changed;
clearInterval(giving);
found.slotWent = (await went).slot > slot;
console.log(JSON.stringify(found));
process.exit(0);
