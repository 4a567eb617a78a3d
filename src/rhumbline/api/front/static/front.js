// The front page: a question, its answer, and a wallet if there is one.

import { formatAmount, parseAmount } from "./amounts.js";
import { routeItem } from "./answer.js";
import { $, fault, make, shorten } from "./dom.js";
import { ask } from "./service.js";
import { TokenField } from "./tokens.js";
import { PriceMoved, sail } from "./voyage.js";
import { connect, walletError } from "./wallets.js";

// Nobody's: an address to ask for before a wallet is connected.
const PLACEHOLDER = { EVM: "0x1111111111111111111111111111111111111111", SVM: "11111111111111111111111111111111" };
const named = new URLSearchParams(location.search).get("integrator") ?? "";
const integrator = /^[A-Za-z0-9._-]{1,31}$/.test(named) ? named : undefined;

let chains = [];
let exchanges = [];
let wallet = null;
let trip = null;
let round = 0;
let clock = 0;
let sailing = false;
let asking = false;
const pay = new TokenField("pay-token", changed);
const get = new TokenField("get-token", changed);
const chainOf = (id) => chains.find((chain) => String(chain.id) === $(id).value);

function changed() {
  trip = null;
  // What is on its way answers a question that is no longer asked.
  round += 1;
  busy(false);
  $("answer").hidden = true;
  let hint = "";
  fault("amount", "");
  if (pay.token && $("amount").value.trim()) {
    try {
      hint = `${parseAmount($("amount").value, pay.token.decimals)} in smallest units`;
    } catch (error) {
      fault("amount", error.message);
    }
  }
  $("amount-hint").textContent = hint;
}

async function begin() {
  if (integrator) {
    $("attribution").textContent = `Swaps that begin here are counted for ${integrator}.`;
    $("attribution").hidden = false;
  }
  const [{ body: list }, { body: tools }] = await Promise.all([ask("/v1/chains"), ask("/v1/tools")]);
  ({ exchanges } = tools);
  // Chains that are known but have no source of quotes here are left out.
  const quoted = new Set([...tools.exchanges, ...tools.bridges].flatMap((tool) => tool.supportedChains));
  chains = list.chains.filter((chain) => quoted.has(String(chain.id)));
  for (const id of ["pay-chain", "get-chain"]) {
    $(id).replaceChildren(...chains.map((chain) => make("option", { value: chain.id, text: chain.name })));
  }
  // Without a bridge there is no way to another chain, so none is offered.
  const bridged = tools.bridges.length > 0;
  $("pay-chain").disabled = !chains.length;
  $("get-chain").disabled = !bridged;
  $("pay-chain").addEventListener("change", () => {
    pay.move($("pay-chain").value).catch(trouble);
    if (!bridged) {
      $("get-chain").value = $("pay-chain").value;
      get.move($("get-chain").value).catch(trouble);
    }
  });
  $("get-chain").addEventListener("change", () => get.move($("get-chain").value).catch(trouble));
  if (!chains.length) throw new Error("This service quotes on no chain yet: its operator has configured none");
  await Promise.all([pay.move($("pay-chain").value, "USDC"), get.move($("get-chain").value, chains[0].nativeToken.symbol)]);
}

/** Reads the form into a question; null, with the faults shown, when something is missing. */
function question() {
  const [from, to] = [chainOf("pay-chain"), chainOf("get-chain")];
  let amount = null;
  if (!pay.token) fault("pay-token", "Choose what you pay with");
  if (!get.token) fault("get-token", "Choose what you want to receive");
  if (pay.token) {
    try {
      amount = parseAmount($("amount").value, pay.token.decimals);
    } catch (error) {
      fault("amount", error.message);
    }
  }
  const receiver = $("receiver").value.trim();
  fault("receiver", to?.chainType === "EVM" && receiver && !/^0x[0-9a-fA-F]{40}$/.test(receiver) ? "An EVM address has 0x and 40 hexadecimal digits" : "");
  const wrong = document.querySelector('#quote [aria-invalid="true"]');
  if (wrong || !from || !to || amount === null) {
    wrong?.focus();
    return null;
  }
  const sender = wallet && from.chainType === "EVM" ? wallet.address : PLACEHOLDER[from.chainType];
  return {
    senderAddress: sender,
    receiverAddress: receiver || (from.chainType === to.chainType ? undefined : PLACEHOLDER[to.chainType]),
    originChainId: from.id, destinationChainId: to.id,
    originCurrency: pay.token.address, destinationCurrency: get.token.address,
    amount: amount.toString(), integrator,
  };
}

async function quote(query) {
  const { body, limit } = await ask("/v1/quotes", query);
  if (limit) {
    const until = limit.resets ? `, until ${limit.resets.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}` : "";
    $("limit").textContent = `Public tier: ${limit.left} of ${limit.limit} quotes left${until}.`;
  }
  return body;
}

async function answerNow() {
  const query = question();
  if (!query) return;
  round += 1;
  const mine = round;
  busy(true);
  try {
    const found = await quote(query);
    if (mine !== round) return;
    trip = { query, sender: query.senderAddress, quote: found, pay: pay.token, get: get.token, chain: chainOf("pay-chain"), receiver: query.receiverAddress, asked: Date.now() };
    show();
    $("answer-status").textContent = `Best answer: ${formatAmount(found.outputAmount, trip.get.decimals)} ${trip.get.symbol} by ${found.adapter}`;
  } catch (error) {
    if (mine === round) refuse(error);
  } finally {
    if (mine === round) busy(false);
  }
}

function show() {
  const here = trip;
  const age = make("span", { class: "small soft fit", "aria-hidden": "true" });
  clearInterval(clock);
  clock = setInterval(() => {
    const seconds = Math.round((Date.now() - here.asked) / 1000);
    age.textContent = seconds < 5 ? "" : `asked ${seconds < 90 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`} ago`;
  }, 1000);
  const routes = make("ol", { class: "routes", "aria-label": "Answers, best first" }, routeItem(here.quote, here, 0));
  const log = make("ol", { class: "log", "aria-live": "polite", id: "log", hidden: true });
  const asked = new URLSearchParams(Object.entries(here.query).filter(([, value]) => value !== undefined));
  $("answer").replaceChildren(
    routes,
    make("div", { class: "row steer" }, ...actions(here, log), make("button", { type: "button", class: "fit", onclick: answerNow, text: "Ask again" }), age),
    ...others(here, routes),
    log,
    make("details", {}, make("summary", { text: "The same question for your own program" }), make("pre", { tabindex: "0" }, make("code", { text: `curl '${location.origin}/v1/quotes?${asked}'` }))));
  $("answer").hidden = false;
  $("answer").scrollIntoView({ block: "nearest" });
}

function actions(here, log) {
  if (here.chain.chainType !== "EVM") return [make("p", { class: "small soft", text: "This page sends from EVM wallets only; the API answers the Solana transaction as well." })];
  if (!wallet) return [make("button", { type: "button", class: "main", onclick: join, text: "Connect a wallet to swap" })];
  if (Object.values(PLACEHOLDER).includes(here.receiver)) return [make("p", { class: "small soft", text: "Enter a receiver on the other chain to swap." })];
  const button = make("button", { type: "button", class: "main", id: "swap", text: here.quote.approvalAddress ? "Approve and swap" : "Swap" });
  button.addEventListener("click", () => go(here, button, log));
  return [button];
}

/** Offers to ask the other exchanges one by one; each is a question of its own on the public tier. */
function others(here, routes) {
  const rest = exchanges.filter((tool) => tool.key !== here.quote.adapter && tool.supportedChains.includes(String(here.chain.id))).slice(0, 5);
  if (!rest.length || here.query.originChainId !== here.query.destinationChainId) return [];
  const button = make("button", { type: "button", class: "plain", text: `Compare with ${rest.length} other source${rest.length > 1 ? "s" : ""}` });
  button.addEventListener("click", async () => {
    button.disabled = true;
    const asked = await Promise.allSettled(rest.map((tool) => quote({ ...here.query, includeExchanges: tool.key })));
    const found = asked.filter((one) => one.status === "fulfilled").map((one) => one.value);
    found.sort((a, b) => (BigInt(b.outputAmount) > BigInt(a.outputAmount) ? 1 : -1));
    routes.append(...found.map((one, place) => routeItem(one, here, place + 1)));
    button.replaceWith(make("p", { class: "small soft", text: `${found.length} of ${rest.length} other sources have a route.` }));
  });
  return [button];
}

async function go(here, button, list) {
  const lines = new Map();
  const log = (name, state, text, hash) => {
    list.hidden = false;
    if (!lines.has(name)) list.append(lines.set(name, make("li")).get(name));
    const line = lines.get(name);
    const explorer = here.chain.blockExplorerUrls?.replace(/\/$/, "");
    const shown = hash && explorer && /^https:\/\//.test(explorer) ? make("a", { href: `${explorer}/tx/${hash}`, rel: "noreferrer", text: shorten(hash) }) : hash ? make("code", { text: hash }) : null;
    line.className = state;
    line.replaceChildren(make("span", {}, `${text} `, shown));
  };
  sailing = true;
  button.disabled = true;
  $("quote").inert = true;
  try {
    const done = await sail({ wallet, chain: here.chain, trip: here, again: () => quote(here.query), log });
    log("id", "done", `${integrator ? `${integrator} sees it in the portal; its` : "Its"} tracking ID is`, done.transactionId);
    button.remove();
  } catch (error) {
    const moved = error instanceof PriceMoved;
    log("failed", "failed", moved ? "The price fell below what you agreed to. Nothing was sent: ask again" : walletError(error));
    button.disabled = false;
  } finally {
    sailing = false;
    $("quote").inert = false;
  }
}

async function join() {
  try {
    wallet = await connect();
  } catch (error) {
    $("wallet-state").textContent = walletError(error);
    return;
  }
  if (!wallet) return;
  wallet.provider.on?.("accountsChanged", (accounts) => {
    wallet = accounts.length ? { ...wallet, address: accounts[0] } : null;
    joined();
  });
  joined();
}

/** Shows who is connected; an answer for another sender does not hold for him. */
function joined() {
  $("wallet-state").textContent = wallet ? `${wallet.name} ${shorten(wallet.address)}` : "";
  $("connect").textContent = wallet ? "Disconnect" : "Connect wallet";
  // What is being signed goes on with the wallet that it began with.
  if (sailing) return;
  const had = trip !== null || asking;
  changed();
  if (had) answerNow();
}

function refuse(error) {
  clearInterval(clock);
  const lines = error.faults?.length ? make("ul", {}, ...error.faults.map((text) => make("li", { text }))) : null;
  $("answer").replaceChildren(make("div", { class: "note bad" }, make("p", {}, make("strong", { text: error.message })), lines));
  $("answer").hidden = false;
  $("answer-status").textContent = error.message;
}

function busy(now) {
  asking = now;
  $("get-quote").disabled = now;
  $("get-quote").textContent = now ? "Asking…" : "Get quote";
  $("quote").setAttribute("aria-busy", String(now));
}

const trouble = (error) => refuse(error);

$("amount").addEventListener("input", changed);
$("receiver").addEventListener("input", changed);
$("quote").addEventListener("submit", (event) => {
  event.preventDefault();
  answerNow();
});
$("connect").addEventListener("click", () => {
  if (!wallet) return void join();
  wallet = null;
  joined();
});
begin().catch(trouble);
