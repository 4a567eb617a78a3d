// What is said of Solana's transactions and wallets alone.

import type * as english from "../en/solana.ts";
import type { Words } from "../words.ts";

export const solana: Words<typeof english> = {
  noSvmAccount: "钱包没有显示 Solana 账户：请解锁后重试",
  otherSvmAccount: (address) => `钱包现在使用另一个账户或已锁定，因此未请求它签名。请在钱包中切换回 ${address} 后继续`,
  noSignature: "它没有返回签名",
  cannotSend: "该钱包只签名不发送，而网络没有公共节点响应本页",
  notSigned: (why) => `${why}。未发送任何内容`,
  noSignedTransaction: "钱包没有返回已签名的交易。未发送任何内容",
  notSolana: "报价不是 Solana 的交易。请选择其他路线",
  notAgreed: (fault) => `报价中的交易不是您同意的那笔：${fault}。未签名任何内容。请选择其他路线`,
  svmFaults: {
    otherSigner: "它应由另一个钱包签名",
    secondSigner: "它还需要其他人签名",
    otherProgram: "它调用的与所说的不符",
    unreadable: "它无法读取",
    paysMore: "它支付的多于所同意的",
    feeHigher: "它支付的网络费多于所显示的",
    systemCall: "它对您的钱包做了任何路线都不需要的操作",
    tokenCall: "它对您的代币做了任何路线都不需要的操作",
    otherToken: "它转移了您支付以外的代币",
    closesForOthers: "它为他人的利益关闭账户",
  },
  wouldRefuse: (why) => `网络现在会拒绝该交易（${why}）。未发送任何内容`,
  tooLittleSvm: "您的钱包不足以支付这笔交易和网络费。未发送任何内容",
  balanceUnreadable: (chain) => `目前无法读取您在 ${chain} 上的余额。未发送任何内容`,
  tip: "给 Jito 的小费",
  noTip: "无",
  tipHint: "仅在交易成功时支付。只有您的钱包通过 Jito 发送时才有帮助。",
  networkPaidBy: "网络费由另一位共同签名者支付：",
  sponsorRefused: (why) => `应支付网络费的一方没有签名（${why}）。未发送任何内容`,
};
