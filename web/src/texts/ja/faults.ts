// What is wrong with what was typed, with a wallet, or with an answer, before anything is sent.

import type * as english from "../en/faults.ts";
import type { Words } from "../words.ts";

export const faults: Words<typeof english> = {
  close: "閉じる",
  enterAmount: "金額を入力",

  evmAddressFault: "EVMアドレスは0xと16進数40桁です",
  svmAddressFault: "Solanaアドレスは32～44文字の英数字（base58）で、32バイトを表します",
  checksumFault: "このアドレスの大文字・小文字が桁と合いません。どこかが間違っています。もう一度コピーしてください",
  digitsOnly: (example) => `${example}のように数字だけで入力してください`,
  marksMisplaced: (example) => `コンマやピリオドの位置が違います。例: ${example}`,
  twoMeanings: (whole, broken) => `2通りの金額に読めます。${whole}または${broken}と入力してください`,
  understoodAs: (amount) => `${amount}として扱います`,
  tooManyDecimals: (decimals, written) =>
    decimals
      ? `このトークンの小数は${decimals}桁までですが、${written}桁入力されています`
      : "このトークンに小数はありません",
  moreThanAnyHas: "どのトークンの総量よりも多い金額です",
  moreThanZero: "0より大きい金額を入力してください",

  walletSilent: "ウォレットが応答しません",
  noAccount: "ウォレットにアカウントが表示されません。ロックを解除して、もう一度お試しください",
  stillElsewhere: (chain) => `ウォレットはまだ${chain}以外のネットワークにあります`,
  walletLeft: (chain) =>
    `ウォレットが${chain}から離れたため、送信を依頼していません。もう一度お試しください。先にネットワークを戻します`,
  walletLocked: "ウォレットがロックされているため、送信を依頼していません。ロックを解除して続けてください",
  otherAccount: (address) =>
    `ウォレットが別のアカウントになっているため、送信を依頼していません。ウォレットで${address}に戻して続けてください`,
  noHash: "トランザクションハッシュが返されませんでした",
  noBatchName: "バッチの名前が返されませんでした",
  nodeWrong: "ウォレットが表示と異なるネットワークにあるか、そのノードが故障しています。何も送信されていません",
  declined: "ウォレットで拒否しました。何も送信されていません",
  alreadyAsking: "ウォレットがすでに確認を求めています。ウォレットを開いて応答してください",
  connectionLost: "ウォレットとネットワークの接続が切れました。何も送信されていません",

  begunWith: (address) => `これは${address}で開始されました。続けるにはそのウォレットを接続してください`,
  answerChanged: "回答が、同意いただいた内容と変わりました。何も送信されていません。見積もりを取り直してください",
  priceFell: "価格が、同意いただいた水準を下回りました。何も送信されていません。新しい価格をご確認ください",
  losesMore: "表示されていたより大きな損失になります。何も送信されていません。確認のうえで同意してください",
  noTransaction: "回答にトランザクションがありません。何も送信されていません。見積もりを取り直してください",
  otherContract:
    "回答がこのネットワークのコントラクト以外を呼び出すか承認するため、使用しません。別のルートを選んでください",
  ranAndFailed: "試行に失敗しました",
  wouldRevert: (why, approved) =>
    `このトランザクションは現在、取り消されます（${why}）${
      approved ? "。承認済みの分はそのまま残ります" : ""
    }。何も送信されていません。見積もりを取り直してください`,
  tooLittle: (amount) => `ウォレットの残高が${amount}に足りません。何も送信されていません`,
  tooLittleForFee: (needed, chain, has) =>
    `ネットワーク手数料を含めて${chain}上に${needed}が必要ですが、ウォレットには${has}しかありません。何も送信されていません`,
  nothingMoreAsked: "ウォレットの待機をやめたため、これ以上は何も依頼していません",
  unclear: (why) =>
    `ウォレットの回答がはっきりしません（${why}）。実際に送信されていた場合は、ここに自動で表示されます。再送する前にウォレットを確認してください`,
  approvedTooLittle: (amount) => `承認された額が${amount}に足りません。求められた額を承認してください`,
  approvalReverted:
    "承認がネットワークで取り消されました。スワップは行われていません。承認のネットワーク手数料は消費されました",
  approvalCancelled:
    "ウォレットが承認の代わりに別のトランザクションを送信しました。スワップは行われていません。続けて、もう一度承認してください",
  approvalLate: "10分たっても承認がブロックに入っていません。ウォレットを確認してください。まだ待機中かもしれません",
  forged: "サービスの回答ではありません",
  forgedWhy: "回答にサービスの署名がないか、途中で変更されています。使用されていません。",
};
