// What is wrong with what was typed, with a wallet, or with an answer, before anything is sent.

import type * as english from "../en/faults.ts";
import type { Words } from "../words.ts";

export const faults: Words<typeof english> = {
  close: "Cerrar",
  enterAmount: "Introduce un importe",

  evmAddressFault: "Una dirección EVM tiene 0x y 40 dígitos hexadecimales",
  svmAddressFault: "Una dirección de Solana tiene de 32 a 44 letras y dígitos (base58) y representa 32 bytes",
  checksumFault:
    "Las mayúsculas de esta dirección no concuerdan con sus dígitos: hay un carácter equivocado. Cópiala de nuevo",
  digitsOnly: (example) => `Escribe solo dígitos, como ${example}`,
  marksMisplaced: (example) => `Las comas o los puntos están mal puestos: escribe como ${example}`,
  twoMeanings: (whole, broken) => `Esto puede significar dos importes: escribe ${whole} o ${broken}`,
  understoodAs: (amount) => `Se entiende como ${amount}`,
  tooManyDecimals: (decimals, written) =>
    decimals ? `Este token tiene ${decimals} decimales y has escrito ${written}` : "Este token no tiene decimales",
  moreThanAnyHas: "Es más de lo que existe de cualquier token",
  moreThanZero: "Introduce más de 0",

  walletSilent: "La billetera no responde",
  noAccount: "La billetera no muestra ninguna cuenta: desbloquéala e inténtalo de nuevo",
  stillElsewhere: (chain) => `La billetera sigue en una red distinta de ${chain}`,
  walletLeft: (chain) =>
    `La billetera ha salido de ${chain}, así que no se le ha pedido enviar. Inténtalo de nuevo: primero se cambia ` +
    `de vuelta`,
  walletLocked: "La billetera está bloqueada, así que no se le ha pedido enviar. Desbloquéala y continúa",
  otherAccount: (address) =>
    `La billetera está ahora en otra cuenta, así que no se le ha pedido enviar. Vuelve en ella a ${address} y continúa`,
  noHash: "no dio ningún hash de transacción",
  noBatchName: "no dio ningún nombre para el lote",
  nodeWrong: "La billetera está en una red distinta de la que dice, o su nodo no funciona. No se ha enviado nada",
  declined: "Has rechazado en la billetera. No se ha enviado nada",
  alreadyAsking: "La billetera ya te está preguntando: ábrela y responde allí",
  connectionLost: "La billetera ha perdido la conexión con la red. No se ha enviado nada",

  begunWith: (address) => `Esto se empezó con ${address}: conecta esa billetera para continuar`,
  answerChanged: "La respuesta ya no es la que aceptaste. No se ha enviado nada: pregunta de nuevo",
  priceFell: "El precio ha caído por debajo de lo que aceptaste. No se ha enviado nada: mira el nuevo",
  losesMore: "Se pierde más valor de lo que parecía. No se ha enviado nada: míralo antes de aceptarlo",
  noTransaction: "La respuesta no trae ninguna transacción. No se ha enviado nada: pregunta de nuevo",
  otherContract:
    "La respuesta llama o aprueba un contrato distinto del propio de esta red, así que no se usa. Elige otra ruta",
  ranAndFailed: "se ejecutó y falló",
  wouldRevert: (why, approved) =>
    `La red revertiría ahora esta transacción (${why})${
      approved ? "; lo aprobado sigue aprobado" : ""
    }. No se ha enviado nada: pregunta de nuevo`,
  tooLittle: (amount) => `Tu billetera tiene menos de ${amount}. No se ha enviado nada`,
  tooLittleForFee: (needed, chain, has) =>
    `Tu billetera necesita ${needed} en ${chain} para esto y la comisión de red, y tiene ${has}. No se ha enviado nada`,
  nothingMoreAsked: "Has dejado de esperar a la billetera, así que no se le ha pedido nada más",
  unclear: (why) =>
    `La billetera no ha dado una respuesta clara (${why}). Si se envió de todos modos, aparecerá aquí por sí solo. ` +
    `Mira en tu billetera antes de enviar otra vez`,
  approvedTooLittle: (amount) => `Se aprobó menos de ${amount}: aprueba el importe que se pidió`,
  approvalReverted: "La red revirtió la aprobación. No se ha intercambiado nada; su comisión de red está gastada",
  approvalCancelled:
    "Tu billetera envió otra transacción en lugar de la aprobación. No se ha intercambiado nada: continúa y aprueba " +
    "de nuevo",
  approvalLate:
    "La aprobación no está en ningún bloque después de diez minutos. Mira en tu billetera: quizá siga esperando allí",
};
