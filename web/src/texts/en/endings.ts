// The end of a transfer, the question before the same is sent again, outages, and what the service serves.

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

// The receipt
export const receiptTitle = "Receipt";
export const sent = "Sent";
export const received = "Received";
export const onChain = (chain: string): string => `on ${chain}`;
export const rate = "Rate, all fees within";
export const shareReceipt = "Link to this receipt";
export const copyLink = "Copy link";
export const copied = "Copied";
export const swapAgain = "Swap again";
export const clear = "Clear";

// The same once more
export const underWay = (what: string): string =>
  `The same is on its way already: ${what}. If you send this, it is sent a second time.`;
export const sendTwice = " Send it a second time";
export const onItsWayAlready = "Already on its way";

// Why nothing is answered just now
export const tooMany = "Too many requests";
export const outage = "The service is not available";
export const sourcesAway = "The sources do not answer";
export const askedAgainAt = (time: string): string => `It is asked again at ${time}.`;

// Routes and their steps
export const swapBefore = "swap first, in the same transaction";
export const swapOnArrival = "swap on arrival, nothing to sign";
export const routeVia = (tool: string, tokens: string): string => `${tool} · via ${tokens}`;
export const routeInSteps = (name: string, count: number): string => `${name} · ${counted(count, "step")}`;

// What is served
export const backToForm = "Back";
export const coverage = "What this service serves";
export const coverageOf = (chains: number, tools: number): string =>
  `${counted(chains, "chain")}, and ${counted(tools, "source")} that it compares for every amount.`;
export const chainTools = (exchanges: number, bridges: number): string =>
  [exchanges ? counted(exchanges, "exchange") : "", bridges ? counted(bridges, "bridge") : ""]
    .filter(Boolean)
    .join(", ");
export const receiveOnly = "to receive on only";
