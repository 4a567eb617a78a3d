// The dialog of tokens.

import type * as english from "../en/picker.ts";
import type { Words } from "../words.ts";

export const picker: Words<typeof english> = {
  payWith: "支付",
  receive: "接收",
  chain: "网络",
  allChains: "所有网络",
  recent: "最近使用",
  favourites: "收藏",
  addFavourite: (symbol) => `收藏 ${symbol}`,
  removeFavourite: (symbol) => `取消收藏 ${symbol}`,
  token: "代币",
  tokens: "代币",
  tokenHint: "代号、名称或地址",
  noSuchToken: "该网络上没有这个代币。请在所有网络中搜索，或粘贴地址查询。",
  noSuchTokenAnywhere: "这些网络上没有这个代币。请先选择其网络，再粘贴地址查询。",
  tokenUnreadable: "该地址没有可读取的代币，或服务没有响应。",
  unlisted: "不在任何列表上：任何人都可以创建同名代币。请确认这是您要的那个",
};
