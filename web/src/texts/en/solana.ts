// What is said of Solana's transactions and wallets alone.

export const noSvmAccount = "The wallet shows no account for Solana: unlock it, then try again";
export const otherSvmAccount = (address: string): string =>
  `The wallet is now on another account, or locked, so it was not asked to sign. ` +
  `Go back to ${address} in it, then go on`;
export const noSignature = "it answered no signature";
export const cannotSend = "This wallet signs but does not send, and no public node of the chain answers this page";
export const notSigned = (why: string): string => `${why}. Nothing was sent`;
export const noSignedTransaction = "The wallet answered no signed transaction. Nothing was sent";
export const notSolana = "The answer is no transaction of Solana's. Choose another route";
export const notAgreed = (fault: string): string =>
  `The answer's transaction is not what you agreed to: ${fault}. Nothing was signed. Choose another route`;
export const svmFaults = {
  otherSigner: "it is another wallet's to sign",
  secondSigner: "somebody else has to sign it, too",
  otherProgram: "it does not call what it says",
  unreadable: "it cannot be read",
  paysMore: "it pays more than was agreed",
  feeHigher: "it pays the network more than was stated",
  systemCall: "it does something with your wallet that no route needs",
  tokenCall: "it does something with your tokens that no route needs",
  otherToken: "it moves other tokens than you pay with",
  closesForOthers: "it closes an account in favour of somebody else",
};
export const wouldRefuse = (why: string): string =>
  `The chain would refuse this transaction now (${why}). Nothing was sent`;
export const tooLittleSvm = "Your wallet has too little for this and the network's fee. Nothing was sent";
export const balanceUnreadable = (chain: string): string =>
  `Your balance on ${chain} cannot be read just now. Nothing was sent`;
export const tip = "Tip to Jito";
export const noTip = "None";
export const tipHint = "Paid only if the trade succeeds. It helps only where your wallet sends through Jito.";
export const networkPaidBy = "The network’s fee is paid by somebody who signs too: ";
export const sponsorRefused = (why: string): string =>
  `Who was to pay the network’s fee has not signed (${why}). Nothing was sent`;
