// Wallets as they announce themselves (EIP-6963) and are spoken to (EIP-1193). No wallet's code is loaded from here.

import { $, make, says } from "./dom.js";

const announced = new Map();
let refresh = () => {};

addEventListener("eip6963:announceProvider", (event) => {
  const { info, provider } = event.detail ?? {};
  if (!info?.uuid || typeof provider?.request !== "function") return;
  announced.set(info.uuid, { name: String(info.name ?? says("wallet")).slice(0, 64), icon: iconOf(info.icon), provider });
  refresh();
});
dispatchEvent(new Event("eip6963:requestProvider"));

function iconOf(icon) {
  return typeof icon === "string" && /^data:image\/(png|webp|gif|jpeg|svg\+xml)[;,]/.test(icon) ? icon : null;
}

function known() {
  const wallets = [...announced.values()];
  if (!wallets.length && typeof window.ethereum?.request === "function") {
    wallets.push({ name: says("browserWallet"), icon: null, provider: window.ethereum });
  }
  return wallets;
}

/** Lets the visitor choose a wallet; answers `{name, provider, address, chainId}`, or null if he thinks better of it. */
export async function connect() {
  dispatchEvent(new Event("eip6963:requestProvider"));
  const chosen = await choose();
  if (!chosen) return null;
  const accounts = await chosen.provider.request({ method: "eth_requestAccounts" });
  if (!accounts?.length) throw new Error(says("noAccount"));
  return { ...chosen, address: accounts[0], chainId: await chosen.provider.request({ method: "eth_chainId" }) };
}

function choose() {
  const [dialog, list] = [$("wallet-dialog"), $("wallet-list")];
  return new Promise((resolve) => {
    let choice = null;
    refresh = () => {
      const wallets = known();
      $("wallet-none").hidden = wallets.length > 0;
      list.replaceChildren(...wallets.map((wallet) => make("li", {}, entry(wallet, () => {
        choice = wallet;
        dialog.close();
      }))));
    };
    $("wallet-close").onclick = () => dialog.close();
    dialog.onclose = () => {
      refresh = () => {};
      resolve(choice);
    };
    refresh();
    dialog.showModal();
  });
}

function entry(wallet, onclick) {
  const icon = wallet.icon ? make("img", { src: wallet.icon, alt: "", width: 28, height: 28 }) : null;
  return make("button", { type: "button", onclick }, icon, make("span", { text: wallet.name }));
}

/** Says a wallet's error in words. */
export function walletError(error) {
  if (error?.code === 4001) return says("declined");
  if (error?.code === -32002) return says("asking");
  return String(error?.data?.message ?? error?.message ?? error).slice(0, 300);
}

/** Encodes text as the hex that personal_sign takes. */
export function hexOf(text) {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
