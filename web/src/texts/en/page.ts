// What stands on the page: the frame, the form, names of receivers, losses.

// The frame around all of it
export const viewLabel = "View";
export const swapView = "Swap";
export const historyView = "History";
export const language = "Language";
export const automatic = "Automatic";
export const servedBy = "Served by";
export const forIntegrator = (name: string): string => ` for ${name}`;
export const holdsNothing = ". It holds no funds; only your wallet signs.";
export const noService = "This page names no address of a service: look at this attribute of the element:";
export const emptyForm =
  "Enter an amount, and the routes appear here: what each brings, what it costs, how long it takes.";
export const bestAnswer = (amount: string, adapter: string): string => `Best answer: ${amount} by ${adapter}`;
export const tryAgain = "Try again";
export const askAgain = "Ask again";
export const pickerNotLoaded = "The list of tokens could not be loaded: reload the page";

// The form
export const youPay = "You pay";
export const youReceive = "You receive";
export const expected = (amount: string): string => `About ${amount} expected`;
export const expectedRule = "What you typed arrives at least. If prices stay as they are, this much arrives.";
export const flipSides = "Swap the two sides";
export const tokenToPay = "Token to pay with: ";
export const tokenToReceive = "Token to receive: ";
export const choose = "Choose";
export const balance = (amount: string): string => `Balance ${amount}`;
export const payShare = (percent: string): string => `Pay ${percent} of the balance`;
export const max = "Max";
export const maxLess = (kept: string): string => `Max, less ${kept} that is kept for the network fee`;
export const rateLabel = (rate: string): string => `Rate: ${rate}. Show it the other way round`;
export const countdownTitle = "After that the routes are asked for again";
export const slippage = "Slippage";
export const slippageNow = (percent: string): string => `Slippage: ${percent || "auto"}`;
export const auto = "Auto";
export const ownSlippage = "Custom slippage in percent";
export const ownPercent = "Custom %";
export const slippageHint =
  "How much less than quoted may arrive. Auto sets it by pair and route; below that nothing is swapped.";
/** `example` is a percentage as it is written here: "0.5". */
export const slippageFault = (example: string): string => `Write a percentage above 0 and below 50, such as ${example}`;
export const priority = "Priority fee";
export const priorities = { low: "Low", medium: "Medium", high: "High" };
export const priorityHint =
  "What the transaction pays to be executed sooner when Solana is busy. Auto follows what others pay.";
export const gasOnArrival = (symbol: string): string => `Bring a little ${symbol} for fees there`;
export const gasOnArrivalHint = "Enough for about ten swaps there, paid out of what arrives.";
export const refundTo = "Refund address";
export const refundOptional = "(the wallet that pays if left empty)";
export const refundHint = (chain: string): string =>
  `If the bridge fails, your tokens come back to this address on ${chain}. Only bridges that promise it are asked.`;
export const refundNow = (address: string): string => `Refund to ${address}`;
export const checkRefund = "Check the refund address";
export const calledOnArrival = "On arrival this site has the tokens used by a contract: ";
export const calledElse = ". If that fails, the receiver has them.";
export const aboutSoMuch = "About: the routes are still being asked for";
export const verified = " Its answers are checked by their signature.";
export const addReceiver = "+ Send to another address";
export const receiver = "Receiver";
export const receiverOn = (chain: string): string => `(an address on ${chain})`;
export const receiverOptional = "(your own wallet if left empty)";
export const receiverSvm = "base58 address";
export const receiverEvm = "0x…";
export const receiverNamed = "0x… or name.eth";
export const lookingUp = "Looking up the name…";
export const nameMeans = (chain: string): string => ` on ${chain} is `;
export const compareIt = ": compare it.";

// The one button
export const loading = "Loading…";
export const chooseTokens = "Choose tokens";
export const chooseTwoTokens = "Choose two different tokens";
export const enterReceiver = (chain: string): string => `Enter a receiver on ${chain}`;
export const checkReceiver = "Check the receiver";
export const checkSlippage = "Check the slippage";
export const connectWallet = "Connect wallet";
export const connectWalletFor = (chain: string): string => `Connect a wallet for ${chain}`;
export const notEnough = (symbol: string): string => `Not enough ${symbol}`;
export const notEnoughForFee = (symbol: string): string => `Not enough ${symbol} for the network’s fee`;
export const lookingForRoutes = "Looking for routes…";
export const lookingAtBalance = "Looking at your balance…";
export const noRoute = "No route";
export const chooseRoute = "Choose a route";
export const switchTo = (chain: string): string => `Switch to ${chain}`;
export const confirmLoss = "Confirm the loss first";
export const send = (crossing: boolean): string => (crossing ? "Transfer" : "Swap");
export const approveAndSend = (crossing: boolean): string => `Approve and ${crossing ? "transfer" : "swap"}`;

// Names of receivers
export const namesNoAddress = "This name names no address";
export const nameTooSlow = "The name could not be looked up in time: try again, or paste the address";
export const nameNotFound = "The name could not be looked up: paste the address";
export const namesNotHere = "Names cannot be looked up here: paste the address";
export const nameMoved = (name: string): string => `${name} now means another address: compare it, then go on`;
export const lookingUpAgain = "Looking up the name once more…";
export const formChanged = "The form or the wallet has changed in the meantime: check it again";
/** Why the front page's own resolver refuses a name. */
export const nameRefusals = {
  refused: "This name cannot be looked up: paste the address",
  invalid: "This is no valid ENS name: it has characters that no name may have, or some made to look like others",
  tooMany: "Too many names were looked up from here: try again later, or paste the address",
  outOfOrder: "The service cannot look names up just now: try again, or paste the address",
};

// Losses
export const lossUnknown = "Not all prices are known, so the loss is unknown. Compare the amounts and fees yourself.";
export const loss = (share: string, worst: string): string =>
  `You lose ${share} of the value${worst ? `, and up to ${worst} if only the minimum arrives` : ""}, fees included.`;
export const lossOfAll = "You lose all of the value: the fees are worth more than what arrives.";
export const acceptLoss = " I accept this loss";
export const acceptStep = " I accept this";
export const minimumFell = (now: string, before: string): string =>
  `This step brings at least ${now} now; it was at least ${before}. `;
