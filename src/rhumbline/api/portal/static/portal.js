// What the portal cannot do without a script: a wallet's signature. And one comfort, copying a key.

import { $, says } from "./dom.js";
import { connect, hexOf, walletError } from "./wallets.js";

async function post(path, body) {
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? answer.message ?? says("answered", { status: response.status }));
  return answer;
}

const sign = (wallet, message) => wallet.provider.request({ method: "personal_sign", params: [hexOf(message), wallet.address] });

async function signIn(say) {
  const wallet = await connect();
  if (!wallet) return;
  const { message } = await post("/portal/challenge", { address: wallet.address, chainId: wallet.chainId });
  say(says("sign"));
  const signature = await sign(wallet, message);
  say(says("signingIn"));
  await post("/portal/sign-in", { message, signature });
  // The code of an invitation stands behind the #, which no request has.
  location.assign($("sign-in").dataset.then + location.hash);
}

/** Runs what a button begins: shows its fault, and lets it be pressed once at a time. */
async function guarded(button, faultId, work) {
  button.disabled = true;
  $(faultId).textContent = "";
  try {
    await work();
  } catch (error) {
    $(faultId).textContent = walletError(error);
  } finally {
    button.disabled = false;
  }
}

const entry = $("sign-in");
if (entry) {
  const say = (text) => {
    $("sign-in-state").textContent = text;
  };
  entry.disabled = false;
  entry.addEventListener("click", () => guarded(entry, "sign-in-fault", () => signIn(say).finally(() => say(""))));
}

const form = $("sign-form");
if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(form.querySelector("button"), "sign-form-fault", async () => {
      const wallet = await connect();
      if (!wallet) return;
      if (wallet.address.toLowerCase() !== form.dataset.address.toLowerCase()) {
        throw new Error(says("otherAccount", { address: form.dataset.address }));
      }
      form.elements.signature.value = await sign(wallet, form.elements.message.value);
      form.submit();
    });
  });
}

// A second press would send the form twice. What is kept of a page to go back to can be pressed again.
const pressable = (form, can) => form.querySelectorAll("button").forEach((button) => (button.disabled = !can));
for (const each of document.querySelectorAll("form[method=post]:not(.languages)")) {
  if (each !== form) each.addEventListener("submit", () => pressable(each, false));
}
addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[method=post]").forEach((each) => pressable(each, true));
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText($(button.dataset.copy).textContent);
    $(`${button.dataset.copy}-copied`).textContent = says("copied");
  });
}

const invitation = $("invitation");
if (invitation && location.hash.length > 1) {
  invitation.value = location.hash.slice(1);
  // Neither the history nor a screen shows it any longer than needed.
  history.replaceState(null, "", location.pathname);
}
