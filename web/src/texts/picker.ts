// The dialog of tokens.

export const payWith = "Pay with";
export const receive = "Receive";
export const chain = "Chain";
export const token = "Token";
export const tokens = "Tokens";
export const tokenHint = "Symbol, name or address";
export const noSuchToken = "No such token on this chain. Paste an address to look it up.";
export const tokenUnreadable = "There is no token at this address that can be read, or the service does not answer.";
export const unlisted = "On no list: anybody can make a token of this name. Make sure it is the one you mean";
