// The dialog of tokens.

import type * as english from "../en/picker.ts";
import type { Words } from "../words.ts";

export const picker: Words<typeof english> = {
  payWith: "Payer avec",
  receive: "Recevoir",
  chain: "Réseau",
  allChains: "Tous les réseaux",
  recent: "Récents",
  favourites: "Favoris",
  addFavourite: (symbol) => `Ajouter ${symbol} aux favoris`,
  removeFavourite: (symbol) => `Retirer ${symbol} des favoris`,
  token: "Token",
  tokens: "Tokens",
  tokenHint: "Symbole, nom ou adresse",
  noSuchToken: "Aucun token de ce nom sur ce réseau. Cherchez sur tous les réseaux, ou collez une adresse.",
  noSuchTokenAnywhere: "Aucun token de ce nom sur ces réseaux. Choisissez son réseau, puis collez une adresse.",
  tokenUnreadable: "À cette adresse, aucun token n’est lisible, ou le service ne répond pas.",
  unlisted:
    "Sur aucune liste : n’importe qui peut créer un token de ce nom. Assurez-vous que c’est celui que vous voulez",
};
