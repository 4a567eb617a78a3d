// From an answer to a receipt: the right chain, an approval of the exact amount, the transaction, and what became of it.

import { formatAmount } from "./amounts.js";
import { lookout } from "./crossing.js";
import { formOf, payee, same, word } from "./target.js";

const APPROVE = "0x095ea7b3";
const ALLOWANCE = "0xdd62ed3e";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const FRESH_MS = 20_000;
const PATIENCE_MS = 600_000;
const POLL_MS = 1000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class PriceMoved extends Error {}

/**
 * Sails: `wallet` of wallets.js, `chain` of /v1/chains, `trip` with quote, pay, get, sender, receiver and `asked` (when),
 * `again` asks the same question anew, `log(name, state, text, hash)` tells of each step. Answers the receipt. A `trip`
 * that is `crossing` goes to the chain `there`: then the answer also has `arrivals`, for `follow` of crossing.js.
 */
export async function sail({ wallet, chain, trip, again, log }) {
  const { provider, address } = wallet;
  const call = (method, ...params) => provider.request({ method, params });
  // An answer for somebody else would pay somebody else.
  if (!same(address, trip.sender)) throw new Error("This answer was made for another wallet: ask again");
  await reach(call, chain, log);

  const amount = BigInt(trip.quote.inputAmount);
  const spender = trip.quote.approvalAddress;
  const form = checkedForm(chain, trip, trip.quote);
  if (spender) {
    await approve({ call, chain, address, token: trip.pay, spender, amount, log });
  }

  let { quote } = trip;
  if (Date.now() - trip.asked > FRESH_MS) {
    log("send", "doing", "Asking for the present price");
    quote = await again();
    const agreed = quote.inputAmount === trip.quote.inputAmount && quote.approvalAddress === spender;
    if (!agreed || BigInt(quote.minOutputAmount) < BigInt(trip.quote.minOutputAmount)) throw new PriceMoved();
    const alike = checkedForm(chain, trip, quote) === form && (!trip.crossing || quote.adapter === trip.quote.adapter);
    if (!alike) throw new Error("The answer is now of another kind than the one you agreed to. Nothing was sent: ask again");
    readdress(form, trip.quote, quote, log);
  }
  const { to, value, data } = quote.calldata;
  const arrivals = trip.crossing ? await lookout({ ...trip, quote, receiver: trip.receiver ?? address }) : null;
  log("send", "doing", trip.crossing ? "Sign the transfer in your wallet" : "Sign the swap in your wallet");
  // The wallet knows the market for gas best; the limit is what the simulation needed, and some.
  const hash = await send(call, chain, { from: address, to, value, data, ...(quote.gas?.gasLimit ? { gas: quote.gas.gasLimit } : {}) });
  log("send", "done", "Sent", hash);
  log("follow", "doing", "Waiting until it is in a block");
  const receipt = await receiptOf(call, hash);
  if (BigInt(receipt.status) !== 1n) throw new Error(`The chain reverted the transaction. Nothing was ${trip.crossing ? "transferred" : "swapped"}; the network fee is spent`);
  log("follow", "done", trip.crossing ? `Left ${chain.name} in block ${BigInt(receipt.blockNumber)}` : arrival(receipt, trip.get, trip.receiver ?? address));
  return { receipt, hash, quote, arrivals };
}

async function reach(call, chain, log) {
  if (BigInt(await call("eth_chainId")) === BigInt(chain.id)) return;
  log("chain", "doing", `Switch your wallet to ${chain.name}`);
  try {
    await call("wallet_switchEthereumChain", { chainId: chain.idHex });
  } catch (error) {
    if (error?.code !== 4902) throw error;
    const { name, symbol, decimals } = chain.nativeToken;
    await call("wallet_addEthereumChain", { chainId: chain.idHex, chainName: chain.name, rpcUrls: chain.rpcUrls, nativeCurrency: { name, symbol, decimals } });
  }
  if (BigInt(await call("eth_chainId")) !== BigInt(chain.id)) throw new Error(`The wallet is still on another chain than ${chain.name}`);
  log("chain", "done", `Your wallet is on ${chain.name}`);
}

/** What is called, and whom the token is approved to, is what this page sends, or nothing is signed. */
function checkedForm(chain, trip, quote) {
  const form = formOf({ ...trip, chain }, quote);
  if (!form) throw new Error("The answer names another contract than this chain's own, so it is not used");
  return form;
}

/**
 * Tells that a direct form pays another address than the one that was named. A bridge may have a deposit address of its own
 * for each answer; a contract that is called is part of what was agreed to.
 */
function readdress(form, agreed, quote, log) {
  const [before, now] = [payee(form, agreed), payee(form, quote)];
  if (form === "contract" || same(before, now)) return;
  const deposits = [agreed, quote].every(({ calldata: { data } }) => form === "transfer" || data === "0x");
  if (!deposits) throw new Error(`The answer now calls ${now}, and not ${before} as you agreed to. Nothing was sent: ask again`);
  log("payee", "done", `It goes to ${now}: ${quote.adapter} has named a new deposit address, in place of ${before}`);
}

/** Sends on this chain or not at all: a wallet may have been moved meanwhile, and not each heeds the chain it is told. */
async function send(call, chain, transaction) {
  if (BigInt(await call("eth_chainId")) !== BigInt(chain.id)) throw new Error(`The wallet has left ${chain.name}, so it was not asked to send. Try again: it is switched back first`);
  return call("eth_sendTransaction", { ...transaction, chainId: chain.idHex });
}

async function approve({ call, chain, address, token, spender, amount, log }) {
  const allowance = async () => BigInt(await call("eth_call", { to: token.address, data: ALLOWANCE + word(address) + word(spender) }, "latest"));
  const give = async (raw, text) => {
    log("approve", "doing", text);
    const hash = await send(call, chain, { from: address, to: token.address, value: "0x0", data: APPROVE + word(spender) + word(raw) });
    if (BigInt((await receiptOf(call, hash)).status) !== 1n) throw new Error("The chain reverted the approval");
    return hash;
  };
  const given = await allowance();
  if (given >= amount) return;
  const named = `${formatAmount(amount, token.decimals)} ${token.symbol}`;
  // Some tokens refuse to change an allowance that is not zero.
  if (given > 0n && !(await runs(call, { from: address, to: token.address, data: APPROVE + word(spender) + word(amount) }))) {
    await give(0n, `This token wants its old approval taken back first`);
  }
  const hash = await give(amount, `Approve exactly ${named} in your wallet`);
  if ((await allowance()) < amount) throw new Error(`Less than ${named} was approved: approve the amount that was asked for`);
  log("approve", "done", `Approved exactly ${named}`, hash);
}

async function runs(call, transaction) {
  try {
    await call("eth_call", transaction, "latest");
    return true;
  } catch {
    return false;
  }
}

async function receiptOf(call, hash) {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const receipt = await call("eth_getTransactionReceipt", hash);
    if (receipt) return receipt;
  }
  throw new Error("It is in no block after ten minutes. Look in your wallet: it may still be waiting there");
}

/** Says what arrived, as far as the receipt tells: transfers of a token are logged, native money is not. */
function arrival(receipt, get, receiver) {
  const block = `in block ${BigInt(receipt.blockNumber)}`;
  const transfers = receipt.logs.filter((item) => same(item.address, get.address) && item.topics[0] === TRANSFER && item.topics.length === 3 && same(item.topics[2], `0x${word(receiver)}`));
  if (!transfers.length) return `Done ${block}`;
  const sum = transfers.reduce((total, item) => total + BigInt(item.data), 0n);
  return `Done ${block}: ${formatAmount(sum, get.decimals)} ${get.symbol} arrived`;
}
