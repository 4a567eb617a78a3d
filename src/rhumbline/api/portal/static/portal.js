// What the portal cannot do without a script: a wallet's signature. And one comfort, copying a key.

import { $ } from "./dom.js";
import { connect, hexOf, walletError } from "./wallets.js";

async function post(path, body) {
  const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? answer.message ?? `The service answered ${response.status}`);
  return answer;
}

const sign = (wallet, message) => wallet.provider.request({ method: "personal_sign", params: [hexOf(message), wallet.address] });

async function signIn(say) {
  const wallet = await connect();
  if (!wallet) return;
  const { message } = await post("/portal/challenge", { address: wallet.address, chainId: wallet.chainId });
  say("Sign the message in your wallet.");
  const signature = await sign(wallet, message);
  say("Signing in…");
  location.assign((await post("/portal/sign-in", { message, signature })).next);
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
        throw new Error(`Choose the account that is signed in here, ${form.dataset.address}`);
      }
      form.elements.signature.value = await sign(wallet, form.elements.message.value);
      form.submit();
    });
  });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText($(button.dataset.copy).textContent);
    $("copied").textContent = "Copied";
  });
}
