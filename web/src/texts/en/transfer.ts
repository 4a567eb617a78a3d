// Wallets and their dialog, and how a transfer stands.

type StepType = "swap" | "bridge";

/** A bridge transfers, an exchange swaps. */
const verb = (type: StepType): string => (type === "bridge" ? "transfer" : "swap");

// Wallets
export const chooseWallet = "Choose a wallet";
export const disconnect = "Disconnect";
export const browserWallet = "Browser wallet";
export const unnamedWallet = "Wallet";
export const nodeAnswered = (status: number): string => `the node answered ${status}`;
export const nodeElsewhere = "the node is of another chain";
export const switchInWallet = (chain: string): string => `Switch to ${chain} in your wallet`;
export const confirmInWallet = "Confirm in your wallet…";
export const openWallet = "If your wallet shows nothing, open it yourself. ";
export const stopWaiting = "Stop waiting for the wallet";
export const notWaited = "You stopped waiting for the wallet. If you sign all the same, it appears here by itself";
export const walletLost =
  "The wallet is locked or has lost its connection. " +
  "What you had signed before appears here by itself; else nothing was sent";

// What stops a transfer before it is sent
export const otherTab = "Another tab is working on this transfer: go on there, or close it";
export const chainGone = "This chain is not served any more";
export const signedAlready = "This step is signed already, in another tab perhaps. It is not sent twice";

// How a transfer stands
export const states = {
  ready: "Waiting for you",
  approving: "Waiting for the approval",
  signing: "Waiting for your signature",
  sent: "Sent, not confirmed yet",
  left: "On its way",
  done: "Arrived",
  refunded: "Refunded",
  recovered: "Recovered",
  failed: "Failed",
  dropped: "Not sent",
};
export const headlines = {
  ready: (type: StepType, tool: string): string => `Your turn: sign the ${verb(type)} by ${tool}`,
  approve: "Your turn: approve in your wallet",
  approving: "Waiting for the approval to be confirmed",
  signing: "Your turn: sign in your wallet",
  sent: "Waiting for the network to confirm it",
  amount: "Confirmed: reading how much arrived",
  bridge: (tool: string, time: string): string => `Waiting for ${tool}${time ? `, usually ${time}` : ""}`,
};
export const sentFromHere = "What you sent from here";
export const notKept =
  "This browser does not let the page keep anything: what is here is gone when you close it. " +
  "Write the tracking IDs down.";
export const nothingYet = "Nothing yet. What you send is kept in this browser only, and followed until it has arrived.";
export const removeTransfer = "Remove from this list";
export const transferTitle = (paid: string, received: string, chain: string): string =>
  `${paid} to ${received}${chain ? ` on ${chain}` : ""}`;
export const approveInWallet = (amount: string): string => `Approve exactly ${amount} in your wallet`;
export const permitInWallet = (amount: string): string => `Permit exactly ${amount} by a signature in your wallet`;
export const approvalPending = "Waiting for the approval to be mined";
export const approved = (amount: string): string => `Approved exactly ${amount}`;
export const waitsForSignature = (type: StepType, tool: string): string =>
  `${type === "bridge" ? "Transfer" : "Swap"} by ${tool}: waiting for your signature`;
export const replaced = "Replaced in your wallet: it was";
export const signInWallet = "Sign in your wallet. If you have signed already, it appears here by itself";
export const cancelled =
  "Your wallet sent another transaction in its place: it was cancelled or replaced there. Nothing was moved";
export const dropped =
  "It is in no block and never will be: it was dropped, cancelled or replaced in your wallet. Nothing was moved";
export const paysDirectly = (tool: string): string =>
  `, which ${tool} has named, without the service’s contract between`;
export const goesTo = "It goes to ";
export const pending = "Sent, waiting to be confirmed";
export const inBlock = "Confirmed";
export const leftChain = (chain: string): string => `Left ${chain}`;
export const itsChain = "its chain";
export const lost = (until: string): string =>
  "Your wallet’s node has lost it: it was dropped, perhaps for too low a fee, or is being replaced. " +
  "Nothing was moved so far. Speed it up or cancel it in your wallet, where it is still there." +
  (until ? ` Unless anybody sees it by ${until}, it counts as not sent soon after.` : "");
export const anyOf = (symbol: string): string => `The ${symbol}`;
export const arrived = (what: string, chain: string): string => `${what} arrived${chain ? ` on ${chain}` : ""}`;
export const took = (time: string): string => `, ${time} after it was sent`;
export const estimated = (time: string): string => ` (estimated ${time})`;
export const refunded = "Refunded.";
export const refundedWhere = (tool: string, symbol: string): string =>
  ` ${tool} could not deliver, and sent your ${symbol} back to the wallet that paid. ` +
  `You need do nothing; look there, then try another route`;
export const refundedTo = (tool: string, symbol: string): string =>
  ` ${tool} could not deliver, and sent your ${symbol} back to the refund address that you named. You need ` +
  "do nothing; look there, then try another route";
export const recovered = "Recovered.";
export const recoveredWhere =
  " It did not end as planned, and the tokens were handed to the receiver in another form. " +
  "Look in the receiving wallet";
export const reverted = "The chain reverted the transaction. Nothing was moved; the network’s fee is spent";
export const failedAtTool = (tool: string): string => `Failed, as ${tool} says`;
export const failedWhatNow = ": nothing arrived. If nothing comes back within a day, show its support the transaction";
export const onItsWay = (chain: string, time: string): string =>
  `On its way to ${chain}${time}. ` +
  `You may leave this page: the transfer goes on without it, and is here when you come back`;
export const waitsForOutput = "Reading how much arrived";
export const toolPage = (tool: string, host: string): string => `${tool}’s own page of it, at ${host}`;
export const trackingId = (integrator: string | undefined): string =>
  `${integrator ? `${integrator} sees it in the portal; its` : "Its"} tracking ID is `;
export const signFirst = (type: StepType): string => `Go on: sign the ${verb(type)}`;
export const signNext = (type: StepType, tool: string): string => `Next: ${verb(type)} by ${tool}`;
export const connectTo = (type: StepType): string => `Connect a wallet to ${verb(type)}`;
export const retryStep = "Try this step again";
