// Wallets and their dialog, and how a transfer stands.

import type * as english from "../en/transfer.ts";
import type { Words } from "../words.ts";

const verb = (type: "swap" | "bridge"): string => (type === "bridge" ? "转账" : "兑换");

export const transfer: Words<typeof english> = {
  chooseWallet: "选择钱包",
  disconnect: "断开连接",
  browserWallet: "浏览器钱包",
  unnamedWallet: "钱包",
  nodeAnswered: (status) => `节点返回了 ${status}`,
  nodeElsewhere: "该节点属于另一个网络",
  switchInWallet: (chain) => `请在钱包中切换到 ${chain}`,
  confirmInWallet: "请在钱包中确认…",
  openWallet: "如果钱包没有任何显示，请自行打开。",
  stopWaiting: "停止等待钱包",
  notWaited: "您已停止等待钱包。如果您之后仍然签名，会自动显示在这里",
  walletLost: "钱包已锁定或断开了连接。您之前签名的会自动显示在这里；否则未发送任何内容",

  otherTab: "另一个标签页正在处理这笔转账：请在那里继续，或将其关闭",
  chainGone: "该网络已不再支持",
  signedAlready: "这一步已经签名，可能是在另一个标签页中。不会重复发送",

  states: {
    ready: "等待您操作",
    approving: "等待授权",
    signing: "等待您签名",
    sent: "已发送，尚未确认",
    left: "途中",
    done: "已到账",
    refunded: "已退款",
    recovered: "已找回",
    failed: "失败",
    dropped: "未发送",
  },
  headlines: {
    ready: (type, tool) => `请您操作：签名通过 ${tool} 的${verb(type)}`,
    approve: "请您操作：在钱包中授权",
    approving: "正在等待授权得到确认",
    signing: "请您操作：在钱包中签名",
    sent: "正在等待网络确认",
    amount: "已确认：正在读取到账金额",
    bridge: (tool, time) => `正在等待 ${tool}${time ? `，通常需要 ${time}` : ""}`,
  },
  sentFromHere: "您从这里发送的",
  notKept: "该浏览器不允许本页保存任何内容：关闭页面后，这里的内容就会消失。请记下跟踪编号。",
  nothingYet: "还没有。您发送的内容只保存在此浏览器中，并会跟踪到账为止。",
  removeTransfer: "从列表中移除",
  transferTitle: (paid, received, chain) => `${paid} 换 ${received}${chain ? `（${chain}）` : ""}`,
  approveInWallet: (amount) => `请在钱包中授权恰好 ${amount}`,
  permitInWallet: (amount) => `请在钱包中签名，允许使用恰好 ${amount}`,
  approvalPending: "正在等待授权进入区块",
  approved: (amount) => `已授权恰好 ${amount}`,
  waitsForSignature: (type, tool) => `通过 ${tool} ${verb(type)}：等待您签名`,
  replaced: "已在您的钱包中被替换：原为",
  signInWallet: "请在钱包中签名。如果您已签名，会自动显示在这里",
  cancelled: "您的钱包发送了另一笔交易来代替：它在那里被取消或替换。资金没有移动",
  dropped: "它不在任何区块中，今后也不会：它被丢弃，或在您的钱包中被取消或替换。资金没有移动",
  paysDirectly: (tool) => `，由 ${tool} 指定，不经过服务的合约`,
  goesTo: "发往 ",
  pending: "已发送，等待确认",
  inBlock: "已确认",
  leftChain: (chain) => `已离开 ${chain}`,
  itsChain: "其网络",
  lost: (until) =>
    "您钱包的节点找不到它了：可能因费用过低而被丢弃，或正在被替换。" +
    "目前资金没有移动。如果它还在钱包中，请在那里加速或取消。" +
    (until ? `如果到 ${until} 仍无人看到它，之后不久会视为未发送。` : ""),
  anyOf: (symbol) => symbol,
  arrived: (what, chain) => `${what} 已到账${chain ? `（${chain}）` : ""}`,
  took: (time) => `，发送后 ${time}`,
  estimated: (time) => `（预计${time}）`,
  refunded: "已退款。",
  refundedWhere: (tool, symbol) =>
    `${tool} 无法交付，已将您的 ${symbol} 退回付款的钱包。您无需操作；请查看钱包，再尝试其他路线`,
  refundedTo: (tool, symbol) =>
    `${tool} 无法交付，已将您的 ${symbol} 退回您指定的退款地址。您无需操作；请查看该地址，再尝试其他路线`,
  recovered: "已找回。",
  recoveredWhere: "未按计划结束，代币已以另一种形式交给接收方。请查看接收的钱包",
  reverted: "网络回退了该交易。资金没有移动；网络费已花费",
  failedAtTool: (tool) => `${tool} 报告失败`,
  failedWhatNow: "：没有到账。如果一天内没有退回，请向其客服出示该交易",
  onItsWay: (chain, time) => `正在前往 ${chain}${time}。您可以离开本页：转账会继续进行，回来时可在这里查看`,
  waitsForOutput: "正在读取到账金额",
  toolPage: (tool, host) => `${tool} 上的页面（${host}）`,
  trackingId: (integrator) => (integrator ? `${integrator} 可在门户中看到；跟踪编号：` : "跟踪编号："),
  signFirst: (type) => `继续：签名${verb(type)}`,
  signNext: (type, tool) => `下一步：通过 ${tool} ${verb(type)}`,
  connectTo: (type) => `连接钱包以${verb(type)}`,
  retryStep: "重试这一步",
};
