// What is wrong with what was typed, with a wallet, or with an answer, before anything is sent.

// The frame around all of it
export const close = "Close";

// The one button
export const enterAmount = "Enter an amount";

// What is wrong with what was typed
export const evmAddressFault = "An EVM address has 0x and 40 hexadecimal digits";
export const svmAddressFault = "A Solana address has 32 to 44 letters and digits (base58), and stands for 32 bytes";
export const checksumFault =
  "The capitals of this address do not match its digits: one of them is wrong. Copy it again";
/** `example` is a number as it is written here: "1,234.5". */
export const digitsOnly = (example: string): string => `Write digits only, such as ${example}`;
export const marksMisplaced = (example: string): string =>
  `The commas or points are misplaced: write it like ${example}`;
/** `whole` and `broken` are its two meanings: "1234" and "1.2340". */
export const twoMeanings = (whole: string, broken: string): string =>
  `This can mean two amounts: write ${whole} or ${broken}`;
export const understoodAs = (amount: string): string => `Understood as ${amount}`;
export const tooManyDecimals = (decimals: number, written: number): string =>
  decimals ? `This token has ${decimals} decimal places, and you wrote ${written}` : "This token has no decimal places";
export const moreThanAnyHas = "This is more than any token has";
export const moreThanZero = "Enter more than 0";

// Wallets
export const walletSilent = "The wallet does not answer";
export const noAccount = "The wallet shows no account: unlock it, then try again";
export const stillElsewhere = (chain: string): string => `The wallet is still on another chain than ${chain}`;
export const walletLeft = (chain: string): string =>
  `The wallet has left ${chain}, so it was not asked to send. Try again: it is switched back first`;
export const walletLocked = "The wallet is locked, so it was not asked to send. Unlock it, then go on";
export const otherAccount = (address: string): string =>
  `The wallet is now on another account, so it was not asked to send. Go back to ${address} in it, then go on`;
export const noHash = "it answered no transaction hash";
export const noBatchName = "it answered no name for the batch";
export const nodeWrong = "The wallet is on another chain than it says, or its node is out of order. Nothing was sent";
export const declined = "You declined in the wallet. Nothing was sent";
export const alreadyAsking = "The wallet is already asking you: open it and answer there";
export const connectionLost = "The wallet has lost its connection to the chain. Nothing was sent";

// What stops a transfer before it is sent
export const begunWith = (address: string): string => `This was begun with ${address}: connect that wallet to go on`;
export const answerChanged = "The answer is no longer the one you agreed to. Nothing was sent: ask again";
export const priceFell = "The price fell below what you agreed to. Nothing was sent: look at the new one";
export const losesMore =
  "This loses more of the value than it seemed. Nothing was sent: look at it, and agree or do not";
export const noTransaction = "The answer has no transaction. Nothing was sent: ask again";
export const otherContract =
  "The answer calls or approves another contract than this chain's own, so it is not used. Choose another route";
export const ranAndFailed = "it was run and failed";
export const wouldRevert = (why: string, approved = false): string =>
  `The chain would revert this transaction now (${why})${
    approved ? "; what was approved stays approved" : ""
  }. Nothing was sent: ask again`;
export const tooLittle = (amount: string): string => `Your wallet has less than ${amount}. Nothing was sent`;
export const tooLittleForFee = (needed: string, chain: string, has: string): string =>
  `Your wallet needs ${needed} on ${chain} for this and the network's fee, and has ${has}. Nothing was sent`;
export const nothingMoreAsked = "You stopped waiting for the wallet, so it was not asked for anything more";
export const unclear = (why: string): string =>
  `The wallet gave no clear answer (${why}). If it was sent all the same, it appears here by itself. ` +
  `Look in your wallet before you send again`;
export const approvedTooLittle = (amount: string): string =>
  `Less than ${amount} was approved: approve the amount that was asked for`;
export const approvalReverted = "The chain reverted the approval. Nothing was swapped; its network fee is spent";
export const approvalCancelled =
  "Your wallet sent another transaction in place of the approval. Nothing was swapped: go on, and approve anew";
export const approvalLate =
  "The approval is in no block after ten minutes. Look in your wallet: it may still be waiting there";
export const forged = "Not the service’s answer";
export const forgedWhy = "An answer is not signed by the service, or was changed on its way. Nothing was done with it.";
