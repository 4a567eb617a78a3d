// The table of routes, and why there is none.

import type * as english from "../en/routes.ts";
import type { Words } from "../words.ts";

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

export const routes: Words<typeof english> = {
  routes: (count) => counted(count, "ruta", "rutas"),
  lookingForRoutesLabel: "Buscando rutas",
  sortBy: "Ordenar por ",
  sorts: { best: "Mejor", net: "Neto recibido", time: "Tiempo", fees: "Todas las comisiones" },
  columns: {
    route: "Ruta",
    net: "Recibe",
    paid: "Pagado",
    fees: "Comisiones",
    gas: "Red",
    time: "Tiempo",
    least: "Mínimo",
    steps: "Pasos",
  },
  tags: { RECOMMENDED: "Mejor", FASTEST: "Más rápida", CHEAPEST: "Más valor" },
  tagRules: {
    RECOMMENDED:
      "Mejor: el mayor valor tras el gas y las comisiones, con un pequeño descuento por tiempo y por fallos observados",
    FASTEST: "Más rápida: el menor tiempo y luego el mayor valor",
    CHEAPEST: "Más valor: el mayor valor tras el gas y las comisiones",
  },
  feeTypes: {
    app: "Servicio e integrador, de lo que paga",
    lp: "Proveedores de liquidez, dentro del precio",
    gas: "Red, la paga aparte",
    networkPaid: "Red, lo pagado",
    relayer: "Relayer",
    relayerGas: "Costes de red del relayer",
    relayerService: "Servicio del relayer",
    capital: "Capital",
    destinationGas: "Gas a la llegada, suyo allí",
  },
  signatures: (approvals, transactions) =>
    `Firma ${
      approvals ? `hasta ${counted(approvals, "aprobación", "aprobaciones")} y ` : ""
    }${counted(transactions, "transacción", "transacciones")}.`,
  stepBy: (number, tool) => `Paso ${number}: ${tool}`,
  priceImpact: "Impacto en el precio, dentro del precio",
  net: (dollars) => `${dollars} netos`,
  paidRule: "Lo que se paga y lo que cuesta aparte, en dólares",
  netRule: "Lo que vale, menos lo que se paga aparte: la comisión de red y lo que pide un puente",
  unknownFees: "—",
  detailsOf: (adapter) => `Detalles de ${adapter}`,
  simulation: "Simulación",
  believed: "En qué tiene que confiar",
  nothingBelieved: "En nada más que los contratos propios de la red.",
  notRun: {
    REVERTED: "Fallaría",
    TIMEOUT: "No terminó a tiempo",
    SKIPPED: "Omitida",
    UNSUPPORTED: "No es posible aquí",
    ERROR: "No se pudo ejecutar",
  },
  notRunYet: "Aún no simulada: se hace antes de que firme.",
  measured: (time, percent) =>
    `Simulada sobre el estado actual de la red en ${time}, y el resultado se midió${
      percent ? ` (${percent} frente a lo prometido)` : ""
    }.`,
  startMeasured: "La primera parte se simuló y funciona; el resultado llega a otra red y no se pudo medir.",
  oneTransaction: "una transacción",
  about: (time) => `unos ${time}`,
  hop: (from, tool, to) => `${from} con ${tool} a ${to}`,
  diagram: (hops) => `La ruta: ${hops.join(", luego ")}`,

  sentence: (text) => `${text}.`,
  whatEachSaid: "Qué dijo cada fuente",
  pageFault: "Algo ha fallado en esta página. No se ha enviado nada",
  tooMuchLoss: "Todas las rutas perderían más valor del que permite. Pruebe con menos o permita más deslizamiento",
  changeSlippage: "Cambiar el deslizamiento",
  wrongAddress: "Una dirección no es de su red. Revise el destinatario",
  tooManyQuestions: "Han llegado demasiadas solicitudes desde aquí",
  questionTooLong: "La solicitud es demasiado larga",
  questionRefused: "El servicio no acepta esta solicitud",
  notServed: "El servicio no ofrece esta red o este token. Elija otro",
  noSourceTakes: "Ninguna fuente acepta esta solicitud. Pruebe con otro importe u otro token",
  sourcesRefuse: "Las fuentes rechazan este servicio por ahora. Solo su operador puede cambiarlo; pruebe con otro par",
  sourcesSilent: "Las fuentes no responden en este momento. Suele pasar en unos segundos",
  serviceSilent: "El servicio no responde",
  offline: "El servicio no responde. Compruebe su conexión",
  serviceSlow: "El servicio tarda más de medio minuto",
  outOfOrder: "El servicio no funciona en este momento",
  answeredInPlace: "Algo entre esta página y el servicio ha respondido en su lugar",
  serviceFailed: "El servicio ha fallado con esta solicitud. No se ha enviado nada",
  serviceAnswered: (status) => `El servicio respondió ${status}`,
  tooLow: "Este importe es demasiado bajo para todas las rutas. Pruebe con más",
  tooLowLeast: (least) => `Este importe es demasiado bajo: el mínimo es ${least}`,
  noneSound: "Todas las rutas fallaron al probarlas. Pruebe con menos o con otro par",
  noLiquidity: "No hay liquidez suficiente para este importe, o no hay mercado para este par",
  noSource: "Ninguna fuente admite este par. Elija otro token u otra red",
  tryAmount: (amount) => `Probar con ${amount}`,
  tryAgainIn: (when) => `Reintentar ${when}`,
  noChains: "Este servicio aún no cotiza en ninguna red: su operador no ha configurado ninguna",
  linkNotServed: "El enlace indica un token que aquí no se ofrece: elija otro",
};
