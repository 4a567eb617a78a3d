// Choosing a wallet, waiting for it, where there is none, and wallets elsewhere.

import type * as english from "../en/wallets.ts";
import type { Words } from "../words.ts";

const of = (chainType: "EVM" | "SVM"): string => (chainType === "SVM" ? "Solana" : "EVM 网络");

export const wallets: Words<typeof english> = {
  walletsFor: (chainType) => `用于 ${of(chainType)}`,
  noWallet: (chainType) => `没有用于 ${of(chainType)} 的钱包向本页表明自己。请解锁您的钱包，或安装一个后重新加载页面：`,
  noWalletOnPhone: "手机浏览器里没有钱包。请在您的钱包中打开本页，已填写的内容会保留：",
  openIn: (wallet) => `在 ${wallet} 中打开`,
  waitingFor: (wallet) => `正在等待 ${wallet}…`,
  openToConnect: "如果没有任何显示，请自行打开并解锁。",
  cancel: "取消",
  notConnected: (wallet) => `${wallet} 未连接。它之后的回应无效：请重新选择它或其他钱包`,
  connectedWallets: "已连接的钱包",
  disconnectFrom: (wallet, chainType) => `断开 ${of(chainType)} 上的 ${wallet}`,
  receivingWallet: (wallet, chain) => `在 ${chain} 上接收：${wallet}`,
  connectReceiver: (chain) => `或连接用于 ${chain} 的钱包`,
  lookingAtReceiver: "正在再次核对接收钱包…",
  receiverMoved: "接收钱包不再显示该账户，因此未发送任何内容。" + "请解锁它，或在其中切换回该账户，然后重试",
  ownWallet: "本网站的钱包",
  ownEvmFault: "属性 wallet.evm 无法使用：请提供带有 request() 的 EIP-1193 provider。" + "将改为提供表明自己的钱包",
  ownSvmFault: "属性 wallet.svm 无法使用：请提供可连接 Solana 的 Wallet Standard 钱包。" + "将改为提供表明自己的钱包",
  remoteNotLoaded: "无法加载 WalletConnect：请重新加载页面",
  remoteProjectFault: "属性 walletconnect 无法使用：请提供项目 ID（32 位十六进制数字）。不提供 WalletConnect",
  remoteRelayFault: "属性 walletconnect-relay 无法使用：请以 wss://host 的形式提供中继。不提供 WalletConnect",
  remoteAsks: (host) => `${host} 请求兑换代币`,
  chainNotAgreed: (chain) => `钱包未同意 ${chain}：请断开后重新连接，并允许该网络`,
  notAgreedTo: (method) => `钱包未同意 ${method}`,
  noPublicNode: (chain) => `${chain} 没有本页可以读取的公共节点`,
  relayAway: "WalletConnect 的中继没有回应：请稍后重试，或选择其他钱包",
  scan: "请用手机上的钱包扫描。",
  scanCode: "用于钱包的二维码",
  onThisDevice: "在本设备的钱包中打开",
  copyCode: "将代码复制为文本",
};
