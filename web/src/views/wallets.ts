// The wallets that are connected, each with a way to let go of it.

import { html, nothing, type TemplateResult } from "lit";
import { shorten } from "../addresses.ts";
import type { ChainType } from "../api.ts";
import type { Wallet } from "../connection.ts";
import { texts } from "../texts.ts";

type Connected = Pick<Wallet, "name" | "address" | "chainType">;

export interface WalletsProps {
  /** The wallet that pays what the form says. */
  readonly wallet: Connected | null;
  readonly connections: { all(): Connected[]; leave(chainType: ChainType): void };
}

/** Shows who pays first; without anybody who does, offers to connect. */
export function wallets(props: WalletsProps, connect: () => void): TemplateResult {
  const { wallet, connections } = props;
  const others = connections.all().filter((each) => each !== wallet);
  const shown = wallet ? [wallet, ...others] : others;
  const ids = ["disconnect", "disconnect-other"];
  return html`${
    shown.length
      ? html`<div id="wallet-state" role="group" aria-label=${texts.connectedWallets}>
          ${shown.map((each, place) => connected(props, each, ids[place] ?? ""))}</div>`
      : nothing
  }
    ${wallet ? nothing : html`<button type="button" id="connect" @click=${connect}>${texts.connectWallet}</button>`}`;
}

function connected({ connections }: WalletsProps, { name, address, chainType }: Connected, id: string): TemplateResult {
  const several = connections.all().length > 1;
  const label = several ? texts.disconnectFrom(name, chainType) : texts.disconnect;
  return html`<span class="connected" data-chain-type=${chainType}>
    <span class="small mono who"><span>${name}</span> <span title=${address}>${shorten(address)}</span></span>
    <button type="button" class="plain" id=${id} aria-label=${label}
      @click=${() => connections.leave(chainType)}>${texts.disconnect}</button></span>`;
}
