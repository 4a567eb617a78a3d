// The pools of a route, and how close to the best they come.

import type * as english from "../en/pools.ts";
import type { Words } from "../words.ts";

const concentrated = "liquidez concentrada";

export const pools: Words<typeof english> = {
  poolKinds: {
    v2: "producto constante",
    v3: concentrated,
    v4: concentrated,
    slipstream: concentrated,
    solidly: "curva estable o volátil",
    curve: "curva estable",
    vault: "bóveda",
    stake: "staking envuelto",
  },
  pools: "Pools",
  poolsOfStep: (number) => `Pools del paso ${number}`,
  throughPools: (paid, count, received) =>
    `${paid} por ${count} pools, a cambio de ${received}. Los porcentajes son sobre todo lo que entra.`,
  throughOne: (paid, pool, received) => `${paid} por ${pool}, a cambio de ${received}.`,
  traded: (paid, received) => `${paid} por ${received}`,
  bestPossible: "Lo mejor posible con estos pools",
  nearBest: (percent) => `A menos de un ${percent} de lo mejor posible con estos pools`,
  boundMeaning: (paid, bound, block) =>
    `Se reparta como se reparta ${paid} entre estos pools, no da más de ${bound}: ` +
    `se calcula con su estado en el bloque ${block}. ` +
    "«Estos pools» son todos los que el servicio lee para este par, también los no usados.",
  gasCounted: "El porcentaje cuenta la comisión de red: cada pool más cuesta algo.",
  gasLeftOut: "El porcentaje deja fuera la comisión de red, que es mayor que lo que se recibe.",
};
