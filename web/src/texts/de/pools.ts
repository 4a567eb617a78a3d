// The pools of a route, and how close to the best they come.

import type * as english from "../en/pools.ts";
import type { Words } from "../words.ts";

const concentrated = "konzentrierte Liquidität";

export const pools: Words<typeof english> = {
  poolKinds: {
    v2: "konstantes Produkt",
    v3: concentrated,
    v4: concentrated,
    slipstream: concentrated,
    solidly: "stabile oder volatile Kurve",
    curve: "stabile Kurve",
    vault: "Vault",
    stake: "verpacktes Staking",
  },
  pools: "Pools",
  poolsOfStep: (number) => `Pools von Schritt ${number}`,
  throughPools: (paid, count, received) =>
    `${paid} durch ${count} Pools, für ${received}. Die Prozentsätze beziehen sich auf alles, was hineingeht.`,
  throughOne: (paid, pool, received) => `${paid} durch ${pool}, für ${received}.`,
  traded: (paid, received) => `${paid} für ${received}`,
  bestPossible: "Das Bestmögliche über diese Pools",
  nearBest: (percent) => `Höchstens ${percent} unter dem Bestmöglichen über diese Pools`,
  boundMeaning: (paid, bound, block) =>
    `Wie auch immer ${paid} auf diese Pools verteilt wird, es kommen nicht mehr als ${bound} heraus: ` +
    `berechnet aus ihrem Stand bei Block ${block}. ` +
    "„Diese Pools“ sind alle, die der Dienst für dieses Paar liest, auch die nicht genutzten.",
  gasCounted: "Der Prozentsatz berücksichtigt die Netzwerkgebühr: Jeder weitere Pool kostet etwas.",
  gasLeftOut: "Der Prozentsatz lässt die Netzwerkgebühr weg, weil sie höher ist als das, was herauskommt.",
};
