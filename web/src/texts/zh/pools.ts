// The pools of a route, and how close to the best they come.

import type * as english from "../en/pools.ts";
import type { Words } from "../words.ts";

const concentrated = "集中流动性";

export const pools: Words<typeof english> = {
  poolKinds: {
    v2: "恒定乘积",
    v3: concentrated,
    v4: concentrated,
    slipstream: concentrated,
    solidly: "稳定或波动曲线",
    curve: "稳定曲线",
    vault: "金库",
    stake: "封装质押",
  },
  pools: "资金池",
  poolsOfStep: (number) => `第 ${number} 步的资金池`,
  throughPools: (paid, count, received) => `${paid} 经过 ${count} 个资金池，换得 ${received}。百分比相对于全部投入。`,
  throughOne: (paid, pool, received) => `${paid} 经过 ${pool}，换得 ${received}。`,
  traded: (paid, received) => `${paid} 换 ${received}`,
  bestPossible: "这些资金池可能达到的最佳结果",
  nearBest: (percent) => `与这些资金池可能达到的最佳结果相差不超过 ${percent}`,
  boundMeaning: (paid, bound, block) =>
    `无论 ${paid} 如何分配到这些资金池，得到的都不会超过 ${bound}：` +
    `这是根据它们在区块 ${block} 的状态计算的。` +
    "“这些资金池”指服务为该币对读取的所有资金池，包括未使用的。",
  gasCounted: "百分比已计入网络费：每多一个资金池都要多花一些。",
  gasLeftOut: "百分比未计入网络费，因为它超过了所得。",
};
