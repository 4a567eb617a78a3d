// What is wrong with what was typed, with a wallet, or with an answer, before anything is sent.

import type * as english from "../en/faults.ts";
import type { Words } from "../words.ts";

export const faults: Words<typeof english> = {
  close: "关闭",
  enterAmount: "输入金额",

  evmAddressFault: "EVM 地址由 0x 和 40 位十六进制数字组成",
  svmAddressFault: "Solana 地址由 32 到 44 个字母和数字（base58）组成，代表 32 个字节",
  checksumFault: "该地址的大小写与其数字不符：有一位是错的。请重新复制",
  digitsOnly: (example) => `请只用数字填写，例如 ${example}`,
  marksMisplaced: (example) => `逗号或句点的位置不对：请写成 ${example} 这样`,
  twoMeanings: (whole, broken) => `这可能表示两种金额：请写 ${whole} 或 ${broken}`,
  understoodAs: (amount) => `理解为 ${amount}`,
  tooManyDecimals: (decimals, written) =>
    decimals ? `该代币有 ${decimals} 位小数，而您写了 ${written} 位` : "该代币没有小数位",
  moreThanAnyHas: "这超过了任何代币的总量",
  moreThanZero: "请输入大于 0 的金额",

  walletSilent: "钱包没有响应",
  noAccount: "钱包没有显示账户：请解锁后重试",
  stillElsewhere: (chain) => `钱包仍不在 ${chain} 网络上`,
  walletLeft: (chain) => `钱包已离开 ${chain}，因此未请求它发送。请重试：会先切换回来`,
  walletLocked: "钱包已锁定，因此未请求它发送。请解锁后继续",
  otherAccount: (address) => `钱包现在使用另一个账户，因此未请求它发送。请在钱包中切换回 ${address} 后继续`,
  noHash: "它没有返回交易哈希",
  noBatchName: "它没有返回批次的名称",
  nodeWrong: "钱包所在的网络与它所说的不同，或者它的节点出了故障。未发送任何内容",
  declined: "您在钱包中拒绝了。未发送任何内容",
  alreadyAsking: "钱包已在等待您的答复：请打开钱包并在其中回应",
  connectionLost: "钱包与网络断开了连接。未发送任何内容",

  begunWith: (address) => `这是用 ${address} 开始的：请连接该钱包以继续`,
  answerChanged: "报价已不是您同意的那个。未发送任何内容：请重新询价",
  priceFell: "价格已低于您同意的水平。未发送任何内容：请查看新价格",
  losesMore: "损失比先前显示的更大。未发送任何内容：请查看后再决定是否同意",
  noTransaction: "报价中没有交易。未发送任何内容：请重新询价",
  otherContract: "报价调用或授权了本网络自有合约以外的合约，因此不予使用。请选择其他路线",
  ranAndFailed: "试运行失败",
  wouldRevert: (why, approved) =>
    `该交易现在会被回退（${why}）${approved ? "；已给出的授权仍然有效" : ""}。未发送任何内容：请重新询价`,
  tooLittle: (amount) => `您的钱包不足 ${amount}。未发送任何内容`,
  tooLittleForFee: (needed, chain, has) =>
    `连同网络费，您的钱包在 ${chain} 上需要 ${needed}，现有 ${has}。未发送任何内容`,
  nothingMoreAsked: "您已停止等待钱包，因此未再向它请求任何内容",
  unclear: (why) => `钱包没有给出明确答复（${why}）。如果仍然发送了，会自动显示在这里。再次发送之前，请先查看您的钱包`,
  approvedTooLittle: (amount) => `授权的金额不足 ${amount}：请授权所请求的金额`,
  approvalReverted: "授权被网络回退。未进行任何兑换；授权的网络费已花费",
  approvalCancelled: "您的钱包发送了另一笔交易来代替授权。未进行任何兑换：请继续并重新授权",
  approvalLate: "十分钟后授权仍未进入任何区块。请查看您的钱包：它可能仍在那里等待",
  forged: "不是该服务的答复",
  forgedWhy: "某个答复未由该服务签名，或在途中被更改。未使用该答复。",
};
