// The end of a transfer, the question before the same is sent again, outages, and what the service serves.

import type * as english from "../en/endings.ts";
import type { Words } from "../words.ts";

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

export const endings: Words<typeof english> = {
  receiptTitle: "Recibo",
  sent: "Enviado",
  received: "Recibido",
  onChain: (chain) => `en ${chain}`,
  rate: "Tipo de cambio, con todas las comisiones",
  shareReceipt: "Enlace a este recibo",
  copyLink: "Copiar enlace",
  copied: "Copiado",
  swapAgain: "Intercambiar otra vez",
  clear: "Quitar",

  underWay: (what) => `Lo mismo ya está en camino: ${what}. Si envía esto, se enviará por segunda vez.`,
  sendTwice: " Enviarlo por segunda vez",
  onItsWayAlready: "Ya está en camino",

  tooMany: "Demasiadas peticiones",
  outage: "El servicio no está disponible",
  sourcesAway: "Las fuentes no responden",
  askedAgainAt: (time) => `Se volverá a preguntar a las ${time}.`,

  swapBefore: "primero un intercambio, en la misma transacción",
  swapOnArrival: "intercambio a la llegada, nada que firmar",
  routeVia: (tool, tokens) => `${tool} · por ${tokens}`,
  routeInSteps: (name, count) => `${name} · ${counted(count, "paso", "pasos")}`,

  backToForm: "Volver",
  coverage: "Lo que ofrece este servicio",
  coverageOf: (chains, tools) =>
    `${counted(chains, "red", "redes")} y ${counted(tools, "fuente", "fuentes")} que compara para cada importe.`,
  chainTools: (exchanges, bridges) =>
    [exchanges ? counted(exchanges, "mercado", "mercados") : "", bridges ? counted(bridges, "puente", "puentes") : ""]
      .filter(Boolean)
      .join(", "),
  receiveOnly: "solo para recibir",
};
