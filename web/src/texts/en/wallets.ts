// Choosing a wallet, waiting for it, where there is none, and wallets elsewhere.

type ChainType = "EVM" | "SVM";

const of = (chainType: ChainType): string => (chainType === "SVM" ? "Solana" : "EVM chains");

export const walletsFor = (chainType: ChainType): string => `For ${of(chainType)}`;
export const noWallet = (chainType: ChainType): string =>
  `No wallet for ${of(chainType)} has announced itself to this page. ` +
  "Unlock yours, or install one and reload the page:";
export const noWalletOnPhone =
  "A browser on a phone has no wallet in it. Open this page in your wallet, with what you have filled in:";
export const openIn = (wallet: string): string => `Open in ${wallet}`;
export const waitingFor = (wallet: string): string => `Waiting for ${wallet}…`;
export const openToConnect = "If it shows nothing, open it yourself and unlock it there.";
export const cancel = "Cancel";
export const notConnected = (wallet: string): string =>
  `${wallet} was not connected. What it answers now is not taken: choose it again, or another`;
export const connectedWallets = "Connected wallets";
export const disconnectFrom = (wallet: string, chainType: ChainType): string =>
  `Disconnect ${wallet} on ${of(chainType)}`;

// The wallet that receives
export const receivingWallet = (wallet: string, chain: string): string => `Received on ${chain} by ${wallet}`;
export const connectReceiver = (chain: string): string => `Or connect a wallet for ${chain}`;
export const lookingAtReceiver = "Looking at the receiving wallet once more…";
export const receiverMoved =
  "The receiving wallet does not show that account any more, so nothing was sent. " +
  "Unlock it, or go back to that account in it, then try again";

// The page's own wallets
export const ownWallet = "This site’s wallet";
export const ownEvmFault =
  "The property wallet.evm cannot be used: give an EIP-1193 provider, with request(). " +
  "Wallets that announce themselves are offered instead";
export const ownSvmFault =
  "The property wallet.svm cannot be used: give a Wallet Standard wallet that connects on Solana. " +
  "Wallets that announce themselves are offered instead";

// Wallets elsewhere, over WalletConnect's relay
export const remoteNotLoaded = "WalletConnect could not be loaded: reload the page";
export const remoteProjectFault =
  "The attribute walletconnect cannot be used: give a project ID, 32 hexadecimal digits. WalletConnect is not offered";
export const remoteRelayFault =
  "The attribute walletconnect-relay cannot be used: give the relay as wss://host. WalletConnect is not offered";
export const remoteAsks = (host: string): string => `${host} asks to swap tokens`;
export const chainNotAgreed = (chain: string): string =>
  `The wallet has not agreed to ${chain}: disconnect it, then connect it again and allow that chain`;
export const notAgreedTo = (method: string): string => `The wallet has not agreed to ${method}`;
export const noPublicNode = (chain: string): string => `${chain} has no public node that this page can read`;
export const relayAway = "The relay of WalletConnect does not answer: try again later, or choose another wallet";
export const scan = "Scan this with your wallet on a phone.";
export const scanCode = "QR code for your wallet";
export const onThisDevice = "Open in a wallet on this device";
export const copyCode = "Copy the code as text";
