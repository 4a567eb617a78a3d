// The dialog of tokens.

import type * as english from "../en/picker.ts";
import type { Words } from "../words.ts";

export const picker: Words<typeof english> = {
  payWith: "Zahlen mit",
  receive: "Erhalten",
  chain: "Netzwerk",
  allChains: "Alle Netzwerke",
  recent: "Zuletzt",
  favourites: "Favoriten",
  addFavourite: (symbol) => `${symbol} zu den Favoriten hinzufügen`,
  removeFavourite: (symbol) => `${symbol} aus den Favoriten entfernen`,
  token: "Token",
  tokens: "Token",
  tokenHint: "Symbol, Name oder Adresse",
  noSuchToken:
    "Kein solcher Token in diesem Netzwerk. Suchen Sie in allen Netzwerken, oder fügen Sie eine Adresse ein.",
  noSuchTokenAnywhere:
    "Kein solcher Token in diesen Netzwerken. Wählen Sie sein Netzwerk, und fügen Sie dann eine Adresse ein.",
  tokenUnreadable: "An dieser Adresse ist kein lesbarer Token, oder der Dienst antwortet nicht.",
  unlisted:
    "Auf keiner Liste: Jeder kann einen Token dieses Namens anlegen. Vergewissern Sie sich, dass es der richtige ist",
};
