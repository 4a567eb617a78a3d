// A dialog to choose a wallet, and to wait for it.

import { html, nothing, type TemplateResult } from "lit";
import type { ChainType } from "../api.ts";
import { texts } from "../texts.ts";
import type { Announced } from "../wallet/discovery.ts";
import type { Pairing } from "../wallet/pairing.ts";
import { noWallet } from "./no-wallet.ts";

export interface WalletDialogProps {
  readonly choice: {
    readonly wanted: ChainType | null;
    readonly asked: Announced | null;
    readonly problem: string;
    join(wallet: Announced): Promise<void>;
    cancel(): void;
  };
  /** The wallets that there are for a type of chain. */
  offered(chainType: ChainType): Announced[];
  /** What is to be scanned with a wallet elsewhere. */
  readonly pairing: Pairing | null;
  /** The address that opens the form as it is filled now. */
  page(): string;
  closed(): void;
}

const OTHER = { EVM: "SVM", SVM: "EVM" } as const;

export function walletDialog(props: WalletDialogProps, wanted: ChainType): TemplateResult {
  const { choice, closed } = props;
  const close = (event: Event): void => (event.target as HTMLElement).closest("dialog")?.close();
  return html`<dialog id="wallet-dialog" aria-labelledby="wallet-title" @close=${closed}>
    <h2 id="wallet-title">${texts.chooseWallet}</h2>
    ${choice.asked ? waiting(props, choice.asked) : list(props, wanted)}
    <p class="fault" role="alert">${choice.problem}</p>
    <button type="button" id="wallet-close" class="wide" @click=${close}>${texts.close}</button>
  </dialog>`;
}

/** What is shown while a wallet does not answer. */
function waiting({ choice, pairing }: WalletDialogProps, asked: Announced): TemplateResult {
  const hint = pairing ? texts.scan : texts.openToConnect;
  return html`<div class="note" id="wallet-waiting">
    <p role="status">${icon(asked)}<strong>${texts.waitingFor(asked.name)}</strong> ${hint}</p>
    ${pairing ? code(pairing) : nothing}
    <button type="button" id="wallet-cancel" @click=${() => choice.cancel()}>${texts.cancel}</button></div>`;
}

/** What connects a wallet that is elsewhere: a code to scan, and the same as a link and as text. */
function code({ uri, path, size }: Pairing): TemplateResult {
  const copy = (event: Event): void => {
    const button = event.target as HTMLButtonElement;
    void navigator.clipboard?.writeText(uri).then(() => {
      button.textContent = texts.copied;
    });
  };
  return html`<svg id="pairing" class="pairing" viewBox="0 0 ${size} ${size}" role="img" aria-label=${texts.scanCode}
      data-uri=${uri}><path d=${path}></path></svg>
    <p class="leads"><a href=${uri}>${texts.onThisDevice}</a>
      <button type="button" class="plain small" @click=${copy}>${texts.copyCode}</button></p>`;
}

/** Both types of wallet, the wanted one first. */
function list(props: WalletDialogProps, wanted: ChainType): TemplateResult {
  const other = OTHER[wanted];
  const others = props.offered(other);
  return html`<div id="wallet-list">${group(props, wanted, true)}
    ${others.length ? group(props, other, false) : nothing}</div>`;
}

function group(props: WalletDialogProps, chainType: ChainType, wanted: boolean): TemplateResult {
  const wallets = props.offered(chainType);
  return html`<h3>${texts.walletsFor(chainType)}</h3>
    <ul class="wallets">${wallets.map((wallet) => entry(wallet, props))}</ul>
    ${wanted && !wallets.length ? noWallet(chainType, props.page()) : nothing}`;
}

const icon = ({ icon: source }: Announced): TemplateResult | typeof nothing =>
  source ? html`<img src=${source} alt="" width="28" height="28">` : nothing;

const entry = (wallet: Announced, { choice }: WalletDialogProps): TemplateResult =>
  html`<li><button type="button" @click=${() => void choice.join(wallet)}>
    ${icon(wallet)}<span>${wallet.name}</span></button></li>`;
