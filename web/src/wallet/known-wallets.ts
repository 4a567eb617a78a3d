// Well-known wallets: where people get them, and how each opens a page in its own browser on a phone. Nothing is loaded
// from any of them; these are links that people follow.

import type { ChainType } from "../api.ts";

export interface KnownWallet {
  name: string;
  chainTypes: readonly ChainType[];
  /** Where it is installed from. */
  home: string;
  /** Its universal link that opens `page`, an encoded address, in its browser; `bare` has no scheme. */
  link: (page: string, bare: string, origin: string) => string;
}

const BOTH: readonly ChainType[] = ["EVM", "SVM"];

const WALLETS: readonly KnownWallet[] = [
  {
    // https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/ (read 2026-11-27): the
    // address stands there without its scheme, and is not encoded.
    name: "MetaMask",
    chainTypes: BOTH,
    home: "https://metamask.io/download",
    link: (_page, bare) => `https://link.metamask.io/dapp/${bare}`,
  },
  {
    // https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration (read 2026-11-27)
    name: "Base",
    chainTypes: ["EVM"],
    home: "https://www.coinbase.com/wallet/downloads",
    link: (page) => `https://go.cb-w.com/dapp?cb_url=${page}`,
  },
  {
    // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking (read 2026-11-27); coin 60 is Ethereum.
    name: "Trust Wallet",
    chainTypes: ["EVM"],
    home: "https://trustwallet.com/download",
    link: (page) => `https://link.trustwallet.com/open_url?coin_id=60&url=${page}`,
  },
  {
    // https://web3.okx.com/build/docs/waas/app-universal-link (read 2026-11-27): one link in another, encoded twice.
    name: "OKX Wallet",
    chainTypes: BOTH,
    home: "https://web3.okx.com/download",
    link: (page) =>
      `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${page}`)}`,
  },
  {
    // https://docs.phantom.com/phantom-deeplinks/other-methods/browse (read 2026-11-27)
    name: "Phantom",
    chainTypes: BOTH,
    home: "https://phantom.com/download",
    link: (page, _bare, origin) => `https://phantom.app/ul/browse/${page}?ref=${origin}`,
  },
  {
    // As the vendor's own @solana/wallet-adapter-solflare 0.6.32 opens it (read 2026-11-27).
    name: "Solflare",
    chainTypes: ["SVM"],
    home: "https://www.solflare.com/download/",
    link: (page, _bare, origin) => `https://solflare.com/ul/v1/browse/${page}?ref=${origin}`,
  },
];

/** Returns those for a type of chain. */
export const knownWallets = (chainType: ChainType): KnownWallet[] =>
  WALLETS.filter(({ chainTypes }) => chainTypes.includes(chainType));

/** Returns the link that opens a page in the wallet's own browser. */
export function openedIn({ link }: KnownWallet, page: string): string {
  const { href, protocol, origin } = new URL(page);
  return link(encodeURIComponent(href), href.slice(`${protocol}//`.length), encodeURIComponent(origin));
}

/** Returns whether this is a phone or a tablet; an iPad says that it is a Mac, with a screen to touch. */
export function isPhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /Android|iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
