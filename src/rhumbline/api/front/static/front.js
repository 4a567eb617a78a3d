// The front page: a question, its answer, and a wallet if there is one.

import { addressFault } from "./addresses.js";
import { formatAmount, parseAmount } from "./amounts.js";
import { routeItem } from "./answer.js";
import { $, fault, make, shorten } from "./dom.js";
import { go } from "./journey.js";
import { ask } from "./service.js";
import { formOf } from "./target.js";
import { listed, TokenField } from "./tokens.js";
import { connect, walletError } from "./wallets.js";

// Nobody's: an address to ask for before a wallet is connected.
const PLACEHOLDER = { EVM: "0x1111111111111111111111111111111111111111", SVM: "11111111111111111111111111111111" };
const named = new URLSearchParams(location.search).get("integrator") ?? "";
const MOST_COMPARED = 9;
const integrator = /^[A-Za-z0-9._-]{1,31}$/.test(named) ? named : undefined;

let chains = [];
let tools = { exchanges: [], bridges: [] };
let wallet = null;
let trip = null;
let round = 0;
let clock = 0;
let sailing = false;
let asking = false;
const pay = new TokenField("pay-token", changed);
const get = new TokenField("get-token", changed);
const chainOf = (id) => chains.find((chain) => String(chain.id) === $(id).value);

/** Shows an answer; what is still followed of the one before goes on beside it. */
function fill(...content) {
  setAside();
  $("answer").replaceChildren(...content);
}

function setAside() {
  const log = $("log");
  if (log?.dataset.state !== "under way") return;
  log.removeAttribute("id");
  $("voyages").append(make("section", { class: "card", "aria-label": log.dataset.title }, make("h2", { text: log.dataset.title }), log));
}

function changed() {
  trip = null;
  setAside();
  receiverWords();
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
    $("attribution").textContent = `Swaps and transfers that begin here are counted for ${integrator}.`;
    $("attribution").hidden = false;
  }
  const [{ body: list }, { body: found }] = await Promise.all([ask("/v1/chains"), ask("/v1/tools")]);
  tools = found;
  // Chains that are known but have no source of quotes here are left out.
  const quoted = new Set([...tools.exchanges, ...tools.bridges].flatMap((tool) => tool.supportedChains));
  chains = list.chains.filter((chain) => quoted.has(String(chain.id)));
  // Nothing is quoted from a chain without a node of the service's own, so none is offered to pay from.
  const served = new Set($("pay-chain").dataset.served.split(" "));
  const payers = chains.filter((chain) => served.has(String(chain.id)));
  for (const [id, offered] of [["pay-chain", payers], ["get-chain", chains]]) {
    $(id).replaceChildren(...offered.map((chain) => make("option", { value: chain.id, text: chain.name })));
  }
  // Without a bridge there is no way to another chain, so none is offered.
  const bridged = tools.bridges.length > 0;
  $("pay-chain").disabled = !payers.length;
  $("get-chain").disabled = !bridged;
  $("pay-chain").addEventListener("change", () => {
    pay.move($("pay-chain").value).catch(refuse);
    if (!bridged) {
      $("get-chain").value = $("pay-chain").value;
      get.move($("get-chain").value).catch(refuse);
    }
  });
  $("get-chain").addEventListener("change", () => get.move($("get-chain").value).catch(refuse));
  if (!payers.length) throw new Error("This service quotes on no chain yet: its operator has configured none");
  $("get-chain").value = payers[0].id;
  await Promise.all([pay.move($("pay-chain").value, "USDC"), get.move($("get-chain").value, payers[0].nativeToken.symbol)]);
}

/** Asks for a receiver where there must be one: an address of one type of chain is none of another. */
function receiverWords() {
  const [from, to] = [chainOf("pay-chain"), chainOf("get-chain")];
  const needed = Boolean(from && to && from.chainType !== to.chainType);
  $("receiver-need").textContent = needed ? `(an address on ${to.name})` : "(your own wallet if left empty)";
  $("receiver").placeholder = to?.chainType === "SVM" ? "base58 address" : "0x…";
  $("receiver").required = needed;
  fault("receiver", "");
}

/** Reads the form into a question; null, with the faults shown, when something is missing. */
function question() {
  const [from, to] = [chainOf("pay-chain"), chainOf("get-chain")];
  let amount = null;
  if (!pay.isOn(from)) fault("pay-token", "Choose what you pay with");
  if (!get.isOn(to)) fault("get-token", "Choose what you want to receive");
  if (pay.token) {
    try {
      amount = parseAmount($("amount").value, pay.token.decimals);
    } catch (error) {
      fault("amount", error.message);
    }
  }
  const receiver = $("receiver").value.trim();
  if (from && to && !receiver) fault("receiver", from.chainType === to.chainType ? "" : `Enter the address on ${to.name} that is to receive`);
  else fault("receiver", to ? addressFault(to.chainType, receiver) : "");
  const wrong = document.querySelector('#quote [aria-invalid="true"]');
  if (wrong || !from || !to || amount === null) {
    wrong?.focus();
    return null;
  }
  const sender = wallet && from.chainType === "EVM" ? wallet.address : PLACEHOLDER[from.chainType];
  return {
    senderAddress: sender,
    receiverAddress: receiver || undefined,
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

/** Asks and shows; `filters` say which sources may answer. */
async function answerNow(filters = {}) {
  const query = question();
  if (!query) return;
  round += 1;
  const mine = round;
  busy(true);
  const [chain, there] = [chainOf("pay-chain"), chainOf("get-chain")];
  try {
    const crossing = chain.id !== there.id;
    const [found, tokens] = await Promise.all([quote({ ...query, ...filters }), crossing ? listed(String(chain.id)) : []]);
    if (mine !== round) return;
    trip = {
      query, filters, sender: query.senderAddress, quote: found, pay: pay.token, get: get.token, chain, there, crossing,
      listed: tokens, receiver: query.receiverAddress, asked: Date.now(),
    };
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
  const asked = new URLSearchParams(Object.entries({ ...here.query, ...here.filters }).filter(([, value]) => value !== undefined));
  fill(
    routes,
    make("div", { class: "row steer" }, ...actions(here, log), make("button", { type: "button", class: "fit", onclick: () => answerNow(), text: "Ask again" }), ...without(here), age),
    ...others(here, routes),
    log,
    make("details", {}, make("summary", { text: "The same question for your own program" }), make("pre", { tabindex: "0" }, make("code", { text: `curl '${location.origin}/v1/quotes?${asked}'` }))));
  $("answer").hidden = false;
  $("answer").scrollIntoView({ block: "nearest" });
}

function actions(here, log) {
  const said = (text) => [make("p", { class: "small soft", text })];
  if (here.chain.chainType !== "EVM") return said("This page sends from EVM wallets only; the API answers the Solana transaction as well.");
  if (!formOf(here, here.quote)) return said("This page approves to the service's own contract only, and this route does not go through it. The API answers its transaction as well.");
  const verb = here.crossing ? "transfer" : "swap";
  if (!wallet) return [make("button", { type: "button", class: "main", onclick: join, text: `Connect a wallet to ${verb}` })];
  const button = make("button", { type: "button", class: "main", id: "swap", text: here.quote.approvalAddress ? `Approve and ${verb}` : here.crossing ? "Transfer" : "Swap" });
  button.addEventListener("click", () => begun(here, button, log));
  return [button];
}

/** The sources that could answer as well: bridges for a transfer, exchanges for a swap. */
function rest({ crossing, chain, there, quote: { adapter } }) {
  const serves = (tool) => [chain, there].every(({ id }) => tool.supportedChains.includes(String(id)));
  return (crossing ? tools.bridges : tools.exchanges).filter((tool) => tool.key !== adapter && serves(tool));
}

const filter = (here, kind, keys) => ({ [kind + (here.crossing ? "Bridges" : "Exchanges")]: keys });

/** Offers to leave the source that answered out. */
function without(here) {
  if (!rest(here).length) return [];
  const [kind] = Object.keys(filter(here, "exclude"));
  const keys = [here.filters[kind], here.quote.adapter].filter(Boolean).join(",");
  return [make("button", { type: "button", class: "fit plain", onclick: () => answerNow({ [kind]: keys }), text: `Without ${here.quote.adapter}` })];
}

/** Offers to ask the other sources one by one; each is a question of its own on the public tier. */
function others(here, routes) {
  const found = rest(here).slice(0, MOST_COMPARED);
  if (!found.length) return [];
  const button = make("button", { type: "button", class: "plain", id: "compare", text: `Compare with ${found.length} other source${found.length > 1 ? "s" : ""}` });
  button.addEventListener("click", async () => {
    button.disabled = true;
    const asked = await Promise.allSettled(found.map((tool) => quote({ ...here.query, ...filter(here, "include", tool.key) })));
    const answers = asked.filter((one) => one.status === "fulfilled").map((one) => one.value);
    answers.sort((a, b) => (BigInt(b.outputAmount) > BigInt(a.outputAmount) ? 1 : -1));
    routes.append(...answers.map((one, place) => routeItem(one, here, place + 1, () => answerNow(filter(here, "include", one.adapter)))));
    button.replaceWith(make("p", { class: "small soft", text: `${answers.length} of ${found.length} other sources have a route.` }));
  });
  return [button];
}

async function begun(here, button, list) {
  sailing = true;
  button.disabled = true;
  $("quote").inert = true;
  // The price asked for anew is a bridge's own: another one is another promise.
  const filters = here.crossing ? filter(here, "include", here.quote.adapter) : here.filters;
  const landed = () => {
    sailing = false;
    $("quote").inert = false;
  };
  const again = () => quote({ ...here.query, ...filters });
  if (await go({ wallet, trip: here, again, list, integrator, landed, sent: () => button.remove() })) return;
  button.disabled = false;
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
  fill(make("div", { class: "note bad" }, make("p", {}, make("strong", { text: error.message })), lines));
  $("answer").hidden = false;
  $("answer-status").textContent = error.message;
}

function busy(now) {
  asking = now;
  $("get-quote").disabled = now;
  $("get-quote").textContent = now ? "Asking…" : "Get quote";
  $("quote").setAttribute("aria-busy", String(now));
}

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
begin().catch(refuse);
