// Wallets and their dialog, and how a transfer stands.

import type * as english from "../en/transfer.ts";
import type { Words } from "../words.ts";

type StepType = "swap" | "bridge";

const noun = (type: StepType): string => (type === "bridge" ? "transferencia" : "operación");
const verb = (type: StepType): string => (type === "bridge" ? "transferir" : "intercambiar");

export const transfer: Words<typeof english> = {
  chooseWallet: "Elija una billetera",
  disconnect: "Desconectar",
  browserWallet: "Billetera del navegador",
  unnamedWallet: "Billetera",
  nodeAnswered: (status) => `el nodo respondió ${status}`,
  nodeElsewhere: "el nodo es de otra red",
  switchInWallet: (chain) => `Cambie a ${chain} en su billetera`,
  confirmInWallet: "Confirme en su billetera…",
  openWallet: "Si su billetera no muestra nada, ábrala. ",
  stopWaiting: "Dejar de esperar a la billetera",
  notWaited: "Ha dejado de esperar a la billetera. Si firma de todos modos, aparecerá aquí por sí solo",
  walletLost:
    "La billetera está bloqueada o ha perdido la conexión. " +
    "Lo que firmó antes aparecerá aquí por sí solo; si no, no se ha enviado nada",

  otherTab: "Otra pestaña está trabajando en esta transferencia: continúe allí o ciérrela",
  chainGone: "Esta red ya no se ofrece",
  signedAlready: "Este paso ya está firmado, quizá en otra pestaña. No se envía dos veces",

  states: {
    ready: "Le toca a usted",
    approving: "Esperando la aprobación",
    signing: "Esperando su firma",
    sent: "Enviada, sin confirmar aún",
    left: "En camino",
    done: "Ha llegado",
    refunded: "Reembolsada",
    recovered: "Recuperada",
    failed: "Ha fallado",
    dropped: "No enviada",
  },
  headlines: {
    ready: (type, tool) => `Le toca: firme la ${noun(type)} con ${tool}`,
    approve: "Le toca: apruebe en su billetera",
    approving: "Esperando que se confirme la aprobación",
    signing: "Le toca: firme en su billetera",
    sent: "Esperando que la red la confirme",
    amount: "Confirmada: leyendo cuánto ha llegado",
    bridge: (tool, time) => `Esperando a ${tool}${time ? `, normalmente ${time}` : ""}`,
  },
  sentFromHere: "Lo que ha enviado desde aquí",
  notKept:
    "Este navegador no deja que la página guarde nada: lo que hay aquí desaparece cuando la cierre. " +
    "Anote los identificadores de seguimiento.",
  nothingYet: "Nada todavía. Lo que envíe se guarda solo en este navegador y se sigue hasta que llegue.",
  removeTransfer: "Quitar de esta lista",
  transferTitle: (paid, received, chain) => `${paid} a ${received}${chain ? ` en ${chain}` : ""}`,
  approveInWallet: (amount) => `Apruebe exactamente ${amount} en su billetera`,
  permitInWallet: (amount) => `Permita exactamente ${amount} con una firma en su billetera`,
  approvalPending: "Esperando que la aprobación entre en un bloque",
  approved: (amount) => `Aprobado exactamente ${amount}`,
  waitsForSignature: (type, tool) =>
    `${type === "bridge" ? "Transferencia" : "Intercambio"} con ${tool}: esperando su firma`,
  replaced: "Reemplazada en su billetera: era",
  signInWallet: "Firme en su billetera. Si ya lo ha hecho, aparecerá aquí por sí solo",
  cancelled: "Su billetera envió otra transacción en su lugar: allí se canceló o se reemplazó. No se ha movido nada",
  dropped:
    "No está en ningún bloque ni lo estará: se descartó, o se canceló o reemplazó en su billetera. No se ha movido " +
    "nada",
  paysDirectly: (tool) => `, que ha indicado ${tool}, sin el contrato del servicio de por medio`,
  goesTo: "Va a ",
  pending: "Enviada, esperando confirmación",
  inBlock: "Confirmada",
  leftChain: (chain) => `Ha salido de ${chain}`,
  itsChain: "su red",
  lost: (until) =>
    "El nodo de su billetera la ha perdido: se descartó, quizá por una comisión demasiado baja, o se está " +
    "reemplazando. " +
    "Hasta ahora no se ha movido nada. Acelérela o cancélela en su billetera, si sigue allí." +
    (until ? ` Si nadie la ve antes de las ${until}, poco después cuenta como no enviada.` : ""),
  anyOf: (symbol) => symbol,
  arrived: (what, chain) => `Han llegado ${what}${chain ? ` a ${chain}` : ""}`,
  took: (time) => `, ${time} después de enviarse`,
  estimated: (time) => ` (estimado: ${time})`,
  refunded: "Reembolsada.",
  refundedWhere: (tool, symbol) =>
    ` ${tool} no pudo entregar y devolvió sus ${symbol} a la billetera que pagó. ` +
    "No tiene que hacer nada; mire allí y pruebe con otra ruta",
  refundedTo: (tool, symbol) =>
    ` ${tool} no pudo entregar y devolvió sus ${symbol} a la dirección de reembolso que usted indicó. No tiene ` +
    "que hacer nada; mire allí y pruebe con otra ruta",
  recovered: "Recuperada.",
  recoveredWhere:
    " No terminó como estaba previsto y los tokens se entregaron al destinatario en otra forma. " +
    "Mire en la billetera que recibe",
  reverted: "La red revirtió la transacción. No se ha movido nada; la comisión de red está gastada",
  failedAtTool: (tool) => `Ha fallado, según ${tool}`,
  failedWhatNow: ": no ha llegado nada. Si en un día no vuelve nada, muestre la transacción a su soporte",
  onItsWay: (chain, time) =>
    `En camino a ${chain}${time}. ` +
    "Puede salir de esta página: la transferencia sigue sin ella y estará aquí cuando vuelva",
  waitsForOutput: "Leyendo cuánto ha llegado",
  toolPage: (tool, host) => `Su página en ${tool}, en ${host}`,
  trackingId: (integrator) =>
    integrator ? `${integrator} la ve en el portal; su identificador es ` : "Su identificador de seguimiento es ",
  signFirst: (type) => `Continuar: firmar la ${noun(type)}`,
  signNext: (type, tool) => `Siguiente: ${verb(type)} con ${tool}`,
  connectTo: (type) => `Conecte una billetera para ${verb(type)}`,
  retryStep: "Reintentar este paso",
};
