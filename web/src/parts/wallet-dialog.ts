// A dialog to choose a wallet.

import { html, nothing, type TemplateResult } from "lit";
import { shorten } from "../addresses.ts";
import type { Session } from "../session.ts";
import type { Announced } from "../wallet/discovery.ts";

export function walletDialog(session: Session, choose: (wallet: Announced) => void, close: () => void, said: string): TemplateResult {
  const wallets = session.connection.discovery.wallets();
  return html`<dialog id="wallet-dialog" aria-labelledby="wallet-title" @close=${close}>
    <h2 id="wallet-title">Choose a wallet</h2>
    <ul class="wallets" id="wallet-list">${wallets.map((wallet) => html`<li><button type="button" @click=${() => choose(wallet)}>
      ${wallet.icon ? html`<img src=${wallet.icon} alt="" width="28" height="28">` : nothing}<span>${wallet.name}</span></button></li>`)}</ul>
    ${wallets.length ? nothing : html`<p class="note mind">No wallet has announced itself to this page. Install or unlock a browser wallet, then try again.</p>`}
    <p class="fault" role="alert">${said}</p>
    <button type="button" id="wallet-close" class="wide" @click=${(event: Event) => (event.target as HTMLElement).closest("dialog")?.close()}>Close</button>
  </dialog>`;
}

export function walletButton(session: Session, open: () => void): TemplateResult {
  const { wallet } = session;
  if (!wallet) return html`<button type="button" id="connect" @click=${open}>Connect wallet</button>`;
  return html`<span class="small mono" id="wallet-state"><span>${wallet.name}</span> <span>${shorten(wallet.address)}</span></span>
    <button type="button" class="plain" id="disconnect" @click=${() => session.connection.leave()}>Disconnect</button>`;
}
