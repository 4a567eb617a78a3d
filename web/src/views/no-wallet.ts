// What is said where no wallet has announced itself: where there are some.

import { html, type TemplateResult } from "lit";
import type { ChainType } from "../api.ts";
import { texts } from "../texts.ts";
import { isPhone, type KnownWallet, knownWallets, openedIn } from "../wallet/known-wallets.ts";

/** Leads to wallets: on a phone to this page in their own browsers, elsewhere to where they are installed from. */
export function noWallet(chainType: ChainType, page: string): TemplateResult {
  const phone = isPhone();
  const lead = (wallet: KnownWallet): TemplateResult =>
    phone
      ? html`<li><a href=${openedIn(wallet, page)} rel="noreferrer">${texts.openIn(wallet.name)}</a></li>`
      : html`<li><a href=${wallet.home} rel="noreferrer" target="_blank">${wallet.name}</a></li>`;
  return html`<div class="note mind" id="wallet-none">
    <p>${phone ? texts.noWalletOnPhone : texts.noWallet(chainType)}</p>
    <ul class="leads">${knownWallets(chainType).map(lead)}</ul></div>`;
}
