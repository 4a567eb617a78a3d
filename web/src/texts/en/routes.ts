// The table of routes, and why there is none.

// The table of routes
export const routes = (count: number): string => `${count} ${count === 1 ? "route" : "routes"}`;
export const lookingForRoutesLabel = "Looking for routes";
export const sortBy = "Sort by ";
export const sorts = { best: "Best", net: "Net received", time: "Time", fees: "All fees" };
export const columns = {
  route: "Route",
  net: "Received",
  paid: "Paid",
  fees: "Fees",
  gas: "Network fee",
  time: "Time",
  least: "At least",
  steps: "Steps",
};
export const tags = { RECOMMENDED: "Best", FASTEST: "Fastest", CHEAPEST: "Most value" };
export const tagRules = {
  RECOMMENDED: "Best: the most value after gas and fees, less a little for time and for observed failures",
  FASTEST: "Fastest: the least time, then the most value",
  CHEAPEST: "Most value: the most value after gas and fees",
};
export const feeTypes = {
  app: "Service and integrator, taken from what you pay",
  lp: "Liquidity providers, within the price",
  gas: "Network, paid by you on top",
  networkPaid: "Network, as it was paid",
  relayer: "Relayer",
  relayerGas: "Relayer's network costs",
  relayerService: "Relayer's service",
  capital: "Capital",
  destinationGas: "Gas on arrival, yours there",
};
const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
export const signatures = (approvals: number, transactions: number): string =>
  `You sign ${approvals ? `up to ${counted(approvals, "approval")} and ` : ""}${counted(transactions, "transaction")}.`;
export const stepBy = (number: number, tool: string): string => `Step ${number}: ${tool}`;
export const priceImpact = "Price impact, within the price";
export const net = (dollars: string): string => `${dollars} net`;
export const paidRule = "What is paid and what it costs beside that, in dollars";
export const netRule = "What it is worth, less what is paid on top: the network fee, and what a bridge asks for";
export const unknownFees = "—";
export const detailsOf = (adapter: string): string => `Details of ${adapter}`;
export const simulation = "Simulation";
export const believed = "What you have to trust";
export const nothingBelieved = "Nothing beyond the chain’s own contracts.";
export const notRun = {
  REVERTED: "It would fail",
  TIMEOUT: "Not finished in time",
  SKIPPED: "Left out",
  UNSUPPORTED: "Not possible here",
  ERROR: "Failed to run",
};
export const notRunYet = "Not simulated yet: that is done before you sign.";
export const measured = (time: string, percent: string): string =>
  `Simulated on the chain’s current state in ${time}, and the output was measured${
    percent ? ` (${percent} against what was promised)` : ""
  }.`;
export const startMeasured =
  "The first part was simulated and succeeds; the output arrives on another chain and could not be measured.";
export const oneTransaction = "one transaction";
export const about = (time: string): string => `about ${time}`;
export const hop = (from: string, tool: string, to: string): string => `${from} by ${tool} to ${to}`;
export const diagram = (hops: string[]): string => `The route: ${hops.join(", then ")}`;

// Why there is no route, and what can be done about it
/** Ends a sentence that is kept without its full stop. */
export const sentence = (text: string): string => `${text}.`;
export const whatEachSaid = "What each source said";
export const pageFault = "Something went wrong on this page. Nothing was sent";
export const tooMuchLoss =
  "Every route would lose more of the value than you allow. Try a smaller amount, or allow more slippage";
export const changeSlippage = "Change slippage";
export const wrongAddress = "An address does not belong to its chain. Check the receiver";
export const tooManyQuestions = "Too many requests came from here";
export const questionTooLong = "The request is too long";
export const questionRefused = "The service does not accept this request";
export const notServed = "The service does not serve this chain or token. Choose another one";
export const noSourceTakes = "No source accepts this request. Try another amount or another token";
export const sourcesRefuse =
  "The sources refuse this service at the moment. Only its operator can change that; try another pair";
export const sourcesSilent = "The sources do not answer just now. It usually passes in a few seconds";
export const serviceSilent = "The service does not answer";
export const offline = "The service does not answer. Check whether you are online";
export const serviceSlow = "The service takes longer than half a minute";
export const outOfOrder = "The service is out of order at the moment";
export const answeredInPlace = "Something between this page and the service answered instead";
export const serviceFailed = "The service failed on this request. Nothing was sent";
export const serviceAnswered = (status: number): string => `The service answered ${status}`;
export const tooLow = "This amount is too low for every route. Try more";
export const tooLowLeast = (least: string): string => `This amount is too low: the least is ${least}`;
export const noneSound = "Every route failed when it was tried. Try a smaller amount or another pair";
export const noLiquidity = "There is not enough liquidity for this amount, or no market for this pair";
export const noSource = "No source supports this pair. Choose another token or chain";
export const tryAmount = (amount: string): string => `Try ${amount}`;
/** `when` is "in 5 sec." */
export const tryAgainIn = (when: string): string => `Try again ${when}`;
export const noChains = "This service quotes on no chain yet: its operator has configured none";
export const linkNotServed = "The link names a token that is not served here: choose another";
