// The pools of a route, and how close to the best they come.

import type * as english from "../en/pools.ts";
import type { Words } from "../words.ts";

const concentrated = "集中流動性";

export const pools: Words<typeof english> = {
  poolKinds: {
    v2: "定積型",
    v3: concentrated,
    v4: concentrated,
    slipstream: concentrated,
    solidly: "ステーブル型または変動型",
    curve: "ステーブル型",
    vault: "ボールト",
    stake: "ラップ済みステーキング",
  },
  pools: "プール",
  poolsOfStep: (number) => `ステップ${number}のプール`,
  throughPools: (paid, count, received) =>
    `${paid}を${count}個のプールに通し、${received}を受け取ります。割合は投入額全体に対するものです。`,
  throughOne: (paid, pool, received) => `${paid}を${pool}に通し、${received}を受け取ります。`,
  traded: (paid, received) => `${paid} → ${received}`,
  bestPossible: "これらのプールで可能な最良の結果です",
  nearBest: (percent) => `これらのプールで可能な最良の結果との差は${percent}以内です`,
  boundMeaning: (paid, bound, block) =>
    `${paid}をこれらのプールにどう分けても、受取額は${bound}を超えません。` +
    `ブロック${block}時点の状態から計算しています。` +
    "「これらのプール」とは、この通貨ペアについてサービスが読み取るすべてのプールで、使わないものも含みます。",
  gasCounted: "割合にはネットワーク手数料が含まれます。プールが増えるごとに費用がかかります。",
  gasLeftOut: "ネットワーク手数料が受取額を上回るため、割合には含めていません。",
};
