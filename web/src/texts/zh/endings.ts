// The end of a transfer, the question before the same is sent again, outages, and what the service serves.

import type * as english from "../en/endings.ts";
import type { Words } from "../words.ts";

export const endings: Words<typeof english> = {
  receiptTitle: "收据",
  sent: "已发送",
  received: "已收到",
  onChain: (chain) => `在 ${chain} 上`,
  rate: "汇率（含全部费用）",
  shareReceipt: "此收据的链接",
  copyLink: "复制链接",
  copied: "已复制",
  swapAgain: "再次兑换",
  clear: "清除",

  underWay: (what) => `相同的转账已在途中：${what}。如果发送，将会第二次发送。`,
  sendTwice: " 仍要第二次发送",
  onItsWayAlready: "已在途中",

  tooMany: "请求过多",
  outage: "服务不可用",
  sourcesAway: "来源没有响应",
  askedAgainAt: (time) => `将于 ${time} 再次请求。`,

  swapBefore: "先兑换，在同一笔交易中",
  swapOnArrival: "到达时兑换，无需签名",
  routeVia: (tool, tokens) => `${tool} · 经由 ${tokens}`,
  routeInSteps: (name, count) => `${name} · ${count} 步`,

  backToForm: "返回",
  coverage: "本服务支持的范围",
  coverageOf: (chains, tools) => `${chains} 条链，每个金额比较 ${tools} 个来源。`,
  chainTools: (exchanges, bridges) =>
    [exchanges ? `${exchanges} 个交易所` : "", bridges ? `${bridges} 个跨链桥` : ""].filter(Boolean).join("，"),
  receiveOnly: "仅可接收",
};
