// The pools of a route, and how close to the best they come.

const concentrated = "concentrated liquidity";
export const poolKinds = {
  v2: "constant product",
  v3: concentrated,
  v4: concentrated,
  slipstream: concentrated,
  solidly: "stable or volatile curve",
  curve: "stable curve",
  vault: "vault",
  stake: "wrapped stake",
};
export const pools = "Pools";
export const poolsOfStep = (number: number): string => `Pools of step ${number}`;
export const throughPools = (paid: string, count: number, received: string): string =>
  `${paid} through ${count} pools, for ${received}. Percentages are of all that goes in.`;
export const throughOne = (paid: string, pool: string, received: string): string =>
  `${paid} through ${pool}, for ${received}.`;
export const traded = (paid: string, received: string): string => `${paid} for ${received}`;
export const bestPossible = "The best possible over these pools";
export const nearBest = (percent: string): string => `Within ${percent} of the best possible over these pools`;
export const boundMeaning = (paid: string, bound: string, block: string): string =>
  `However ${paid} is divided over these pools, it brings no more than ${bound}: ` +
  `that is computed from their state at block ${block}. ` +
  "“These pools” are all that the service reads for this pair, the unused ones too.";
export const gasCounted = "The percentage counts the network fee: each further pool costs some.";
export const gasLeftOut = "The percentage leaves out the network fee, which is more than what comes in.";
