// Choosing a wallet, waiting for it, where there is none, and wallets elsewhere.

import type * as english from "../en/wallets.ts";
import type { Words } from "../words.ts";

const of = (chainType: "EVM" | "SVM"): string => (chainType === "SVM" ? "Solana" : "redes EVM");

export const wallets: Words<typeof english> = {
  walletsFor: (chainType) => `Para ${of(chainType)}`,
  noWallet: (chainType) =>
    `Ninguna billetera para ${of(chainType)} se ha anunciado a esta página. ` +
    "Desbloquee la suya, o instale una y recargue la página:",
  noWalletOnPhone:
    "Un navegador de teléfono no tiene billetera. Abra esta página en su billetera, con lo que ha rellenado:",
  openIn: (wallet) => `Abrir en ${wallet}`,
  waitingFor: (wallet) => `Esperando a ${wallet}…`,
  openToConnect: "Si no muestra nada, ábrala y desbloquéela usted mismo.mismo.",
  cancel: "Cancelar",
  notConnected: (wallet) =>
    `${wallet} no se ha conectado. Lo que responda ahora no cuenta: elíjala de nuevo, o elija otra`,
  connectedWallets: "Billeteras conectadas",
  disconnectFrom: (wallet, chainType) => `Desconectar ${wallet} de ${of(chainType)}`,
  receivingWallet: (wallet, chain) => `Recibe en ${chain}: ${wallet}`,
  connectReceiver: (chain) => `O conecte una billetera para ${chain}`,
  lookingAtReceiver: "Comprobando otra vez la billetera que recibe…",
  receiverMoved:
    "La billetera que recibe ya no muestra esa cuenta, así que no se ha enviado nada. " +
    "Desbloquéela, o vuelva a esa cuenta en ella, e inténtelo de nuevo",
  ownWallet: "Billetera de este sitio",
  ownEvmFault:
    "La propiedad wallet.evm no se puede usar: dé un proveedor EIP-1193, con request(). " +
    "Se ofrecen las billeteras que se anuncian",
  ownSvmFault:
    "La propiedad wallet.svm no se puede usar: dé una billetera de Wallet Standard que se conecte en Solana. " +
    "Se ofrecen las billeteras que se anuncian",
  remoteNotLoaded: "No se ha podido cargar WalletConnect: recargue la página",
  remoteProjectFault:
    "El atributo walletconnect no se puede usar: dé un ID de " +
    "proyecto, 32 dígitos hexadecimales. No se ofrece WalletConnect",
  remoteRelayFault:
    "El atributo walletconnect-relay no se puede usar: dé el relé como wss://host. No se ofrece WalletConnect",
  remoteAsks: (host) => `${host} quiere intercambiar tokens`,
  chainNotAgreed: (chain) => `La billetera no ha aceptado ${chain}: desconéctela, conéctela otra vez y permita esa red`,
  notAgreedTo: (method) => `La billetera no ha aceptado ${method}`,
  noPublicNode: (chain) => `${chain} no tiene ningún nodo público que esta página pueda leer`,
  relayAway: "El relé de WalletConnect no responde: inténtelo más tarde, o elija otra billetera",
  scan: "Escanéelo con su billetera en un teléfono.",
  scanCode: "Código QR para su billetera",
  onThisDevice: "Abrir en una billetera de este dispositivo",
  copyCode: "Copiar el código como texto",
};
