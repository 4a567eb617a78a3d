// The dialog of tokens.

import type * as english from "../en/picker.ts";
import type { Words } from "../words.ts";

export const picker: Words<typeof english> = {
  payWith: "支払うトークン",
  receive: "受け取るトークン",
  chain: "ネットワーク",
  allChains: "すべて",
  recent: "最近",
  favourites: "お気に入り",
  addFavourite: (symbol) => `${symbol}をお気に入りに追加`,
  removeFavourite: (symbol) => `${symbol}をお気に入りから削除`,
  token: "トークン",
  tokens: "トークン",
  tokenHint: "シンボル・名前・アドレス",
  noSuchToken: "このネットワークには見つかりません。すべてのネットワークで探すか、アドレスを貼り付けてください。",
  noSuchTokenAnywhere: "これらのネットワークには見つかりません。ネットワークを選んでからアドレスを貼り付けてください。",
  tokenUnreadable: "このアドレスに読み取れるトークンがないか、サービスが応答していません。",
  unlisted: "どの一覧にもありません。同じ名前のトークンは誰でも作れます。目的のトークンか確認してください",
};
