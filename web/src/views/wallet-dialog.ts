// The wallet that is connected, and a dialog to choose one.

import { html, nothing, type TemplateResult } from "lit";
import { shorten } from "../addresses.ts";
import * as texts from "../texts.ts";
import type { Announced } from "../wallet/discovery.ts";

export interface WalletDialogProps {
  wallets: Announced[];
  /** What the last wallet that was chosen has answered, where it was not connected. */
  problem: string;
  choose(wallet: Announced): void;
  closed(): void;
}

export function walletDialog({ wallets, problem, choose, closed }: WalletDialogProps): TemplateResult {
  const close = (event: Event): void => (event.target as HTMLElement).closest("dialog")?.close();
  return html`<dialog id="wallet-dialog" aria-labelledby="wallet-title" @close=${closed}>
    <h2 id="wallet-title">${texts.chooseWallet}</h2>
    <ul class="wallets" id="wallet-list">${wallets.map((wallet) => choice(wallet, choose))}</ul>
    ${wallets.length ? nothing : html`<p class="note mind">${texts.noWallet}</p>`}
    <p class="fault" role="alert">${problem}</p>
    <button type="button" id="wallet-close" class="wide" @click=${close}>${texts.close}</button>
  </dialog>`;
}

const choice = (wallet: Announced, choose: (wallet: Announced) => void): TemplateResult =>
  html`<li><button type="button" @click=${() => choose(wallet)}>
    ${wallet.icon ? html`<img src=${wallet.icon} alt="" width="28" height="28">` : nothing}<span>${wallet.name}</span>
  </button></li>`;

export interface WalletButtonProps {
  wallet: { name: string; address: string } | null;
  connect(): void;
  disconnect(): void;
}

export function walletButton({ wallet, connect, disconnect }: WalletButtonProps): TemplateResult {
  if (!wallet) return html`<button type="button" id="connect" @click=${connect}>${texts.connectWallet}</button>`;
  return html`<span class="small mono" id="wallet-state"><span>${wallet.name}</span>
      <span>${shorten(wallet.address)}</span></span>
    <button type="button" class="plain" id="disconnect" @click=${disconnect}>${texts.disconnect}</button>`;
}
