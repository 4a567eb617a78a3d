// Choosing a wallet, waiting for it, where there is none, and wallets elsewhere.

import type * as english from "../en/wallets.ts";
import type { Words } from "../words.ts";

const of = (chainType: "EVM" | "SVM"): string => (chainType === "SVM" ? "Solana" : "EVMネットワーク");

export const wallets: Words<typeof english> = {
  walletsFor: (chainType) => `${of(chainType)}用`,
  noWallet: (chainType) =>
    `このページで使える${of(chainType)}用のウォレットが見つかりません。` +
    "ロックを解除するか、インストールしてページを再読み込みしてください:",
  noWalletOnPhone:
    "スマートフォンのブラウザーにはウォレットがありません。入力した内容のまま、このページをウォレットで開いてください:",
  openIn: (wallet) => `${wallet}で開く`,
  waitingFor: (wallet) => `${wallet}の応答を待っています…`,
  openToConnect: "何も表示されない場合は、ご自身で開いてロックを解除してください。",
  cancel: "キャンセル",
  notConnected: (wallet) =>
    `${wallet}は接続されませんでした。この後の応答は無効です。もう一度選ぶか、別のウォレットを選んでください`,
  connectedWallets: "接続中のウォレット",
  disconnectFrom: (wallet, chainType) => `${of(chainType)}の${wallet}を切断`,
  receivingWallet: (wallet, chain) => `${chain}での受取: ${wallet}`,
  connectReceiver: (chain) => `または${chain}用のウォレットを接続`,
  lookingAtReceiver: "受取ウォレットをもう一度確認しています…",
  receiverMoved:
    "受取ウォレットにそのアカウントが表示されなくなったため、何も送信していません。" +
    "ロックを解除するか、そのアカウントに戻してから、もう一度お試しください",
  ownWallet: "このサイトのウォレット",
  ownEvmFault:
    "プロパティwallet.evmは使えません: request()を持つEIP-1193プロバイダーを指定してください。" +
    "代わりに、見つかったウォレットを表示します",
  ownSvmFault:
    "プロパティwallet.svmは使えません: Solanaに接続できるWallet Standardのウォレットを指定してください。" +
    "代わりに、見つかったウォレットを表示します",
  remoteNotLoaded: "WalletConnectを読み込めませんでした。ページを再読み込みしてください",
  remoteProjectFault:
    "属性walletconnectは使えません: プロジェクトID(32桁の16進数)を指定してください。WalletConnectは表示されません",
  remoteRelayFault:
    "属性walletconnect-relayは使えません: リレーをwss://hostの形で指定してください。WalletConnectは表示されません",
  remoteAsks: (host) => `${host}がトークンのスワップを求めています`,
  chainNotAgreed: (chain) =>
    `ウォレットは${chain}を許可していません。切断してから接続し直し、そのネットワークを許可してください`,
  notAgreedTo: (method) => `ウォレットは${method}を許可していません`,
  noPublicNode: (chain) => `${chain}には、このページが読める公開ノードがありません`,
  relayAway: "WalletConnectのリレーが応答しません。後でもう一度試すか、別のウォレットを選んでください",
  scan: "スマートフォンのウォレットで読み取ってください。",
  scanCode: "ウォレット用のQRコード",
  onThisDevice: "この端末のウォレットで開く",
  copyCode: "コードをテキストでコピー",
};
