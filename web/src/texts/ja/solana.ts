// What is said of Solana's transactions and wallets alone.

import type * as english from "../en/solana.ts";
import type { Words } from "../words.ts";

export const solana: Words<typeof english> = {
  noSvmAccount: "ウォレットにSolanaのアカウントが表示されません。ロックを解除して、もう一度お試しください",
  otherSvmAccount: (address) =>
    `ウォレットが別のアカウントになっているかロックされているため、署名を依頼していません。ウォレットで${address}に戻して続けてください`,
  noSignature: "署名が返されませんでした",
  cannotSend: "このウォレットは署名はできますが送信できません。また、このページに応答する公開ノードがありません",
  notSigned: (why) => `${why}。何も送信されていません`,
  noSignedTransaction: "ウォレットから署名済みトランザクションが返されませんでした。何も送信されていません",
  notSolana: "回答がSolanaのトランザクションではありません。別のルートを選んでください",
  notAgreed: (fault) =>
    `回答のトランザクションが、同意いただいた内容と異なります。${fault}。何も署名されていません。別のルートを選んでください`,
  svmFaults: {
    otherSigner: "別のウォレットの署名が必要です",
    secondSigner: "他の誰かの署名も必要です",
    otherProgram: "示された内容と異なるものを呼び出します",
    unreadable: "読み取れません",
    paysMore: "同意した額より多く支払います",
    feeHigher: "表示された額より多くのネットワーク手数料を支払います",
    systemCall: "どのルートにも必要のないウォレット操作をします",
    tokenCall: "どのルートにも必要のないトークン操作をします",
    otherToken: "支払うトークン以外を動かします",
    closesForOthers: "他の誰かのためにアカウントを閉じます",
  },
  wouldRefuse: (why) => `このトランザクションは現在、ネットワークに拒否されます（${why}）。何も送信されていません`,
  tooLittleSvm: "ウォレットの残高が、この取引とネットワーク手数料に足りません。何も送信されていません",
  balanceUnreadable: (chain) => `現在、${chain}の残高を読み取れません。何も送信されていません`,
  tip: "Jitoへのチップ",
  noTip: "なし",
  tipHint: "取引が成功した場合にだけ支払われます。ウォレットがJito経由で送信する場合にだけ役立ちます。",
  networkPaidBy: "ネットワーク手数料は、共に署名する次のアドレスが支払います: ",
  sponsorRefused: (why) => `ネットワーク手数料の支払い者が署名しませんでした（${why}）。何も送信されていません`,
};
