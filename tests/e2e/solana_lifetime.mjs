// What kit waits for: the answer's last height, of the blockhash that its transaction names.
export const lifetimeOf = (quote, message) => ({
  blockhash: message.lifetimeToken, lastValidBlockHeight: BigInt(quote.lastValidBlockHeight),
});
