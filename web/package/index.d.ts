// The element's types: importing the package defines <rhumbline-swap>.

import type { DestinationCall, Sponsor, SwapEvents } from "./public-types.js";

export type * from "./public-types.js";

/** Resolves a receiver's name on a chain; throws an Error in words for people. */
export type ResolveName = (name: string, chainId: number) => Promise<{ name: string; address: string }>;

/** The page's own wallets, in place of those that announce themselves. */
export interface OwnWallets {
  /** An EIP-1193 provider. */
  evm?: { request(asked: { method: string; params?: unknown }): Promise<unknown> } | null;
  /** A wallet of the Wallet Standard. */
  svm?: object | null;
  /** What people know it by. */
  name?: string;
  /** A `data:` URL. */
  icon?: string;
}

export interface RhumblineSwap extends HTMLElement {
  resolveName: ResolveName | undefined;
  wallet: OwnWallets | undefined;
  /** What is called on the destination's chain with what arrives. */
  destinationCall: DestinationCall | null | undefined;
  /** Who pays the network on Solana in the visitor's place. */
  sponsor: Sponsor | null | undefined;
  addEventListener<Name extends keyof SwapEvents>(
    name: Name,
    listener: (event: CustomEvent<SwapEvents[Name]>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "rhumbline-swap": RhumblineSwap;
  }
}
