// What is said of Solana's transactions and wallets alone.

import type * as english from "../en/solana.ts";
import type { Words } from "../words.ts";

export const solana: Words<typeof english> = {
  noSvmAccount: "La billetera no muestra ninguna cuenta de Solana: desbloquéela e inténtelo de nuevo",
  otherSvmAccount: (address) =>
    `La billetera está ahora en otra cuenta, o bloqueada, así que no se le ha pedido firmar. Vuelva en ella a ` +
    `${address} y continúe`,
  noSignature: "no dio ninguna firma",
  cannotSend: "Esta billetera firma pero no envía, y ningún nodo público de la red responde a esta página",
  notSigned: (why) => `${why}. No se ha enviado nada`,
  noSignedTransaction: "La billetera no dio ninguna transacción firmada. No se ha enviado nada",
  notSolana: "La respuesta no es una transacción de Solana. Elija otra ruta",
  notAgreed: (fault) =>
    `La transacción de la respuesta no es la que aceptó: ${fault}. No se ha firmado nada. Elija otra ruta`,
  svmFaults: {
    otherSigner: "tendría que firmarla otra billetera",
    secondSigner: "también tendría que firmarla otra persona",
    otherProgram: "no llama a lo que dice",
    unreadable: "no se puede leer",
    paysMore: "paga más de lo acordado",
    feeHigher: "paga a la red más de lo indicado",
    systemCall: "hace algo con su billetera que ninguna ruta necesita",
    tokenCall: "hace algo con sus tokens que ninguna ruta necesita",
    otherToken: "mueve tokens distintos de aquellos con los que paga",
    closesForOthers: "cierra una cuenta a favor de otra persona",
  },
  wouldRefuse: (why) => `La red rechazaría ahora esta transacción (${why}). No se ha enviado nada`,
  tooLittleSvm: "Su billetera tiene demasiado poco para esto y la comisión de red. No se ha enviado nada",
  balanceUnreadable: (chain) => `No se puede leer su saldo en ${chain} en este momento. No se ha enviado nada`,
  tip: "Propina a Jito",
  noTip: "Ninguna",
  tipHint: "Solo se paga si la operación sale bien. Solo ayuda si su billetera envía a través de Jito.",
  networkPaidBy: "La comisión de red la paga alguien que también firma: ",
  sponsorRefused: (why) => `Quien debía pagar la comisión de red no ha firmado (${why}). No se ha enviado nada`,
};
