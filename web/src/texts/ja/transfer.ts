// Wallets and their dialog, and how a transfer stands.

import type * as english from "../en/transfer.ts";
import type { Words } from "../words.ts";

const verb = (type: "swap" | "bridge"): string => (type === "bridge" ? "転送" : "スワップ");

export const transfer: Words<typeof english> = {
  chooseWallet: "ウォレットを選択",
  disconnect: "切断",
  browserWallet: "ブラウザーウォレット",
  unnamedWallet: "ウォレット",
  nodeAnswered: (status) => `ノードの応答: ${status}`,
  nodeElsewhere: "ノードが別のネットワークのものです",
  switchInWallet: (chain) => `ウォレットで${chain}に切り替え`,
  confirmInWallet: "ウォレットで確認してください…",
  openWallet: "ウォレットに何も表示されない場合は、ご自身で開いてください。",
  stopWaiting: "ウォレットの待機をやめる",
  notWaited: "ウォレットの待機をやめました。その後に署名した場合は、ここに自動で表示されます",
  walletLost:
    "ウォレットがロックされたか、接続が切れました。" +
    "すでに署名した分はここに自動で表示されます。それ以外は何も送信されていません",

  otherTab: "別のタブでこの取引を処理しています。そちらで続けるか、そのタブを閉じてください",
  chainGone: "このネットワークにはもう対応していません",
  signedAlready: "このステップはすでに（おそらく別のタブで）署名されています。二重には送信されません",

  states: {
    ready: "あなたの操作待ち",
    approving: "承認待ち",
    signing: "署名待ち",
    sent: "送信済み（未確認）",
    left: "移動中",
    done: "到着",
    refunded: "返金済み",
    recovered: "回収済み",
    failed: "失敗",
    dropped: "未送信",
  },
  headlines: {
    ready: (type, tool) => `あなたの番です: ${tool}での${verb(type)}に署名してください`,
    approve: "あなたの番です: ウォレットで承認してください",
    approving: "承認の確認を待っています",
    signing: "あなたの番です: ウォレットで署名してください",
    sent: "ネットワークの確認を待っています",
    amount: "確認済み: 受取額を読み取っています",
    bridge: (tool, time) => `${tool}を待っています${time ? `（通常は${time}）` : ""}`,
  },
  sentFromHere: "ここから送信した取引",
  notKept:
    "このブラウザーではページが何も保存できません。ページを閉じると、ここの内容は失われます。" +
    "追跡IDを控えておいてください。",
  nothingYet: "まだありません。送信した取引はこのブラウザーだけに保存され、到着するまで追跡されます。",
  removeTransfer: "一覧から削除",
  transferTitle: (paid, received, chain) => `${paid} → ${received}${chain ? `（${chain}）` : ""}`,
  approveInWallet: (amount) => `ウォレットで${amount}ちょうどを承認してください`,
  permitInWallet: (amount) => `ウォレットで署名して${amount}ちょうどを許可してください`,
  approvalPending: "承認がブロックに入るのを待っています",
  approved: (amount) => `${amount}ちょうどを承認しました`,
  waitsForSignature: (type, tool) => `${tool}での${verb(type)}: 署名を待っています`,
  replaced: "ウォレットで置き換えられました。元の取引:",
  signInWallet: "ウォレットで署名してください。すでに署名した場合は、ここに自動で表示されます",
  cancelled: "ウォレットが代わりに別のトランザクションを送信しました（取り消しまたは置き換え）。資金は動いていません",
  dropped:
    "どのブロックにも入らず、今後も入りません。破棄されたか、ウォレットで取り消しまたは置き換えられました。資金は動いていません",
  paysDirectly: (tool) => `（${tool}が指定したアドレスで、サービスのコントラクトを通りません）`,
  goesTo: "送り先: ",
  pending: "送信済み、確認待ち",
  inBlock: "確認済み",
  leftChain: (chain) => `${chain}を出ました`,
  itsChain: "ネットワーク",
  lost: (until) =>
    "ウォレットのノードがこの取引を見失いました。手数料が低すぎたなどの理由で破棄されたか、置き換え中です。" +
    "資金はまだ動いていません。ウォレットに残っていれば、そこで速めるか取り消してください。" +
    (until ? `${until}までに誰も確認できなければ、その後まもなく未送信として扱われます。` : ""),
  anyOf: (symbol) => symbol,
  arrived: (what, chain) => `${what}が${chain ? `${chain}に` : ""}届きました`,
  took: (time) => `（送信から${time}）`,
  estimated: (time) => `（見込み: ${time}）`,
  refunded: "返金されました。",
  refundedWhere: (tool, symbol) =>
    `${tool}は届けられなかったため、${symbol}を支払い元のウォレットに返しました。` +
    "操作は不要です。ウォレットを確認してから、別のルートをお試しください",
  refundedTo: (tool, symbol) =>
    `${tool}は届けられなかったため、${symbol}を指定された返金先アドレスに返しました。操作は不要です。そちらを確認してから、別のルートをお試しください`,
  recovered: "回収されました。",
  recoveredWhere:
    "予定どおりに完了せず、トークンは別の形で受取人に渡されました。受け取り側のウォレットを確認してください",
  reverted:
    "トランザクションがネットワークで取り消されました。資金は動いていません。ネットワーク手数料は消費されました",
  failedAtTool: (tool) => `${tool}によると失敗しました`,
  failedWhatNow: "。何も届いていません。1日たっても何も戻らない場合は、サポートにトランザクションを見せてください",
  onItsWay: (chain, time) =>
    `${chain}に向かっています${time}。このページを離れても取引は続きます。戻ってきたときにここで確認できます`,
  waitsForOutput: "受取額を読み取っています",
  toolPage: (tool, host) => `${tool}の取引ページ（${host}）`,
  trackingId: (integrator) => (integrator ? `${integrator}はポータルで確認できます。追跡ID: ` : "追跡ID: "),
  signFirst: (type) => `続ける: ${verb(type)}に署名`,
  signNext: (type, tool) => `次へ: ${tool}で${verb(type)}`,
  connectTo: (type) => `ウォレットを接続して${verb(type)}`,
  retryStep: "このステップをやり直す",
};
