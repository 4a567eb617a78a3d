// The pools of a route, and how close to the best they come.

import type * as english from "../en/pools.ts";
import type { Words } from "../words.ts";

const concentrated = "liquidité concentrée";

export const pools: Words<typeof english> = {
  poolKinds: {
    v2: "produit constant",
    v3: concentrated,
    v4: concentrated,
    slipstream: concentrated,
    solidly: "courbe stable ou volatile",
    curve: "courbe stable",
    vault: "coffre",
    stake: "staking enveloppé",
  },
  pools: "Pools",
  poolsOfStep: (number) => `Pools de l’étape ${number}`,
  throughPools: (paid, count, received) =>
    `${paid} par ${count} pools, contre ${received}. Les pourcentages portent sur tout ce qui entre.`,
  throughOne: (paid, pool, received) => `${paid} par ${pool}, contre ${received}.`,
  traded: (paid, received) => `${paid} contre ${received}`,
  bestPossible: "Le mieux possible avec ces pools",
  nearBest: (percent) => `À moins de ${percent} du mieux possible avec ces pools`,
  boundMeaning: (paid, bound, block) =>
    `De quelque façon que ${paid} soient répartis entre ces pools, ils ne rapportent pas plus de ${bound} : ` +
    `c’est calculé d’après leur état au bloc ${block}. ` +
    "« Ces pools » sont tous ceux que le service lit pour cette paire, même inutilisés.",
  gasCounted: "Le pourcentage tient compte des frais de réseau : chaque pool de plus en coûte.",
  gasLeftOut: "Le pourcentage ne compte pas les frais de réseau, qui dépassent ce qui est reçu.",
};
