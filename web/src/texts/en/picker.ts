// The dialog of tokens.

export const payWith = "Pay with";
export const receive = "Receive";
export const chain = "Chain";
export const allChains = "All chains";
export const recent = "Recent";
export const favourites = "Favourites";
export const addFavourite = (symbol: string): string => `Add ${symbol} to the favourites`;
export const removeFavourite = (symbol: string): string => `Remove ${symbol} from the favourites`;
export const token = "Token";
export const tokens = "Tokens";
export const tokenHint = "Symbol, name or address";
export const noSuchToken = "No such token on this chain. Search all chains, or paste an address to look it up.";
export const noSuchTokenAnywhere =
  "No such token on these chains. Choose its chain, then paste an address to look it up.";
export const tokenUnreadable = "There is no token at this address that can be read, or the service does not answer.";
export const unlisted = "On no list: anybody can make a token of this name. Make sure it is the one you mean";
