// The end of a transfer, the question before the same is sent again, outages, and what the service serves.

import type * as english from "../en/endings.ts";
import type { Words } from "../words.ts";

export const endings: Words<typeof english> = {
  receiptTitle: "領収書",
  sent: "送信",
  received: "受取",
  onChain: (chain) => `${chain}`,
  rate: "レート（すべての手数料込み）",
  shareReceipt: "この領収書へのリンク",
  copyLink: "リンクをコピー",
  copied: "コピーしました",
  swapAgain: "もう一度スワップ",
  clear: "消去",

  underWay: (what) => `同じものがすでに送金中です：${what}。これを送信すると、二度目の送信になります。`,
  sendTwice: " 二度目を送信する",
  onItsWayAlready: "すでに送金中",

  tooMany: "リクエストが多すぎます",
  outage: "サービスを利用できません",
  sourcesAway: "提供元が応答しません",
  askedAgainAt: (time) => `${time} に再度問い合わせます。`,

  swapBefore: "先にスワップ（同じトランザクション）",
  swapOnArrival: "到着時にスワップ（署名不要）",
  routeVia: (tool, tokens) => `${tool} · ${tokens} 経由`,
  routeInSteps: (name, count) => `${name} · ${count} ステップ`,

  backToForm: "戻る",
  coverage: "このサービスの対応範囲",
  coverageOf: (chains, tools) => `${chains} チェーンに対応し、金額ごとに ${tools} の提供元を比較します。`,
  chainTools: (exchanges, bridges) =>
    [exchanges ? `取引所 ${exchanges}` : "", bridges ? `ブリッジ ${bridges}` : ""].filter(Boolean).join("、"),
  receiveOnly: "受取のみ",
};
