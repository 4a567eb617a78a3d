// The dialog of tokens.

import type * as english from "../en/picker.ts";
import type { Words } from "../words.ts";

export const picker: Words<typeof english> = {
  payWith: "Pagar con",
  receive: "Recibir",
  chain: "Red",
  allChains: "Todas las redes",
  recent: "Recientes",
  favourites: "Favoritos",
  addFavourite: (symbol) => `Añadir ${symbol} a favoritos`,
  removeFavourite: (symbol) => `Quitar ${symbol} de favoritos`,
  token: "Token",
  tokens: "Tokens",
  tokenHint: "Símbolo, nombre o dirección",
  noSuchToken: "No hay tal token en esta red. Busque en todas las redes o pegue una dirección.",
  noSuchTokenAnywhere: "No hay tal token en estas redes. Elija su red y pegue una dirección.",
  tokenUnreadable: "En esta dirección no hay ningún token que se pueda leer, o el servicio no responde.",
  unlisted: "En ninguna lista: cualquiera puede crear un token con este nombre. Compruebe que es el que busca",
};
