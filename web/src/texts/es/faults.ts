// What is wrong with what was typed, with a wallet, or with an answer, before anything is sent.

import type * as english from "../en/faults.ts";
import type { Words } from "../words.ts";

export const faults: Words<typeof english> = {
  close: "Cerrar",
  enterAmount: "Introduzca un importe",

  evmAddressFault: "Una dirección EVM tiene 0x y 40 dígitos hexadecimales",
  svmAddressFault: "Una dirección de Solana tiene de 32 a 44 letras y dígitos (base58) y representa 32 bytes",
  checksumFault:
    "Las mayúsculas de esta dirección no concuerdan con sus dígitos: hay un carácter equivocado. Cópiela de nuevo",
  digitsOnly: (example) => `Escriba solo dígitos, como ${example}`,
  marksMisplaced: (example) => `Las comas o los puntos están mal puestos: escriba como ${example}`,
  twoMeanings: (whole, broken) => `Esto puede significar dos importes: escriba ${whole} o ${broken}`,
  understoodAs: (amount) => `Se entiende como ${amount}`,
  tooManyDecimals: (decimals, written) =>
    decimals ? `Este token tiene ${decimals} decimales y ha escrito ${written}` : "Este token no tiene decimales",
  moreThanAnyHas: "Es más de lo que existe de cualquier token",
  moreThanZero: "Introduzca más de 0",

  walletSilent: "La billetera no responde",
  noAccount: "La billetera no muestra ninguna cuenta: desbloquéela e inténtelo de nuevo",
  stillElsewhere: (chain) => `La billetera sigue en una red distinta de ${chain}`,
  walletLeft: (chain) =>
    `La billetera ha salido de ${chain}, así que no se le ha pedido enviar. Inténtelo de nuevo: primero se cambia ` +
    `de vuelta`,
  walletLocked: "La billetera está bloqueada, así que no se le ha pedido enviar. Desbloquéela y continúe",
  otherAccount: (address) =>
    `La billetera está ahora en otra cuenta, así que no se le ha pedido enviar. Vuelva en ella a ${address} y continúe`,
  noHash: "no dio ningún hash de transacción",
  noBatchName: "no dio ningún nombre para el lote",
  nodeWrong: "La billetera está en una red distinta de la que dice, o su nodo no funciona. No se ha enviado nada",
  declined: "Ha rechazado en la billetera. No se ha enviado nada",
  alreadyAsking: "La billetera ya le está preguntando: ábrala y responda allí",
  connectionLost: "La billetera ha perdido la conexión con la red. No se ha enviado nada",

  begunWith: (address) => `Esto se empezó con ${address}: conecte esa billetera para continuar`,
  answerChanged: "La respuesta ya no es la que aceptó. No se ha enviado nada: pregunte de nuevo",
  priceFell: "El precio ha caído por debajo de lo que aceptó. No se ha enviado nada: mire el nuevo",
  losesMore: "Se pierde más valor de lo que parecía. No se ha enviado nada: mírelo antes de aceptarlo",
  noTransaction: "La respuesta no trae ninguna transacción. No se ha enviado nada: pregunte de nuevo",
  otherContract:
    "La respuesta llama o aprueba un contrato distinto del propio de esta red, así que no se usa. Elija otra ruta",
  ranAndFailed: "se ejecutó y falló",
  wouldRevert: (why, approved) =>
    `La red revertiría ahora esta transacción (${why})${
      approved ? "; lo aprobado sigue aprobado" : ""
    }. No se ha enviado nada: pregunte de nuevo`,
  tooLittle: (amount) => `Su billetera tiene menos de ${amount}. No se ha enviado nada`,
  tooLittleForFee: (needed, chain, has) =>
    `Su billetera necesita ${needed} en ${chain} para esto y la comisión de red, y tiene ${has}. No se ha enviado nada`,
  nothingMoreAsked: "Ha dejado de esperar a la billetera, así que no se le ha pedido nada más",
  unclear: (why) =>
    `La billetera no ha dado una respuesta clara (${why}). Si se envió de todos modos, aparecerá aquí por sí solo. ` +
    `Mire en su billetera antes de enviar otra vez`,
  approvedTooLittle: (amount) => `Se aprobó menos de ${amount}: apruebe el importe que se pidió`,
  approvalReverted: "La red revirtió la aprobación. No se ha intercambiado nada; su comisión de red está gastada",
  approvalCancelled:
    "Su billetera envió otra transacción en lugar de la aprobación. No se ha intercambiado nada: continúe y apruebe " +
    "de nuevo",
  approvalLate:
    "La aprobación no está en ningún bloque después de diez minutos. Mire en su billetera: quizá siga esperando allí",
  forged: "No es la respuesta del servicio",
  forgedWhy: "Una respuesta no está firmada por el servicio o fue cambiada por el camino. No se ha usado.",
};
