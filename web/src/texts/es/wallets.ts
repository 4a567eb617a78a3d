// Choosing a wallet, waiting for it, where there is none, and wallets elsewhere.

import type * as english from "../en/wallets.ts";
import type { Words } from "../words.ts";

const of = (chainType: "EVM" | "SVM"): string => (chainType === "SVM" ? "Solana" : "redes EVM");

export const wallets: Words<typeof english> = {
  walletsFor: (chainType) => `Para ${of(chainType)}`,
  noWallet: (chainType) =>
    `Ninguna billetera para ${of(chainType)} se ha anunciado a esta página. ` +
    "Desbloquea la tuya, o instala una y recarga la página:",
  noWalletOnPhone:
    "Un navegador de teléfono no tiene billetera. Abre esta página en tu billetera, con lo que has rellenado:",
  openIn: (wallet) => `Abrir en ${wallet}`,
  waitingFor: (wallet) => `Esperando a ${wallet}…`,
  openToConnect: "Si no muestra nada, ábrela y desbloquéala tú.",
  cancel: "Cancelar",
  notConnected: (wallet) =>
    `${wallet} no se ha conectado. Lo que responda ahora no cuenta: elígela de nuevo, o elige otra`,
  connectedWallets: "Billeteras conectadas",
  disconnectFrom: (wallet, chainType) => `Desconectar ${wallet} de ${of(chainType)}`,
  receivingWallet: (wallet, chain) => `Recibe en ${chain}: ${wallet}`,
  connectReceiver: (chain) => `O conecta una billetera para ${chain}`,
  lookingAtReceiver: "Comprobando otra vez la billetera que recibe…",
  receiverMoved:
    "La billetera que recibe ya no muestra esa cuenta, así que no se ha enviado nada. " +
    "Desbloquéala, o vuelve a esa cuenta en ella, e inténtalo de nuevo",
  ownWallet: "Billetera de este sitio",
  ownEvmFault:
    "La propiedad wallet.evm no se puede usar: da un proveedor EIP-1193, con request(). " +
    "Se ofrecen las billeteras que se anuncian",
  ownSvmFault:
    "La propiedad wallet.svm no se puede usar: da una billetera de Wallet Standard que se conecte en Solana. " +
    "Se ofrecen las billeteras que se anuncian",
  remoteNotLoaded: "No se ha podido cargar WalletConnect: recarga la página",
  remoteProjectFault:
    "El atributo walletconnect no se puede usar: da un ID de " +
    "proyecto, 32 dígitos hexadecimales. No se ofrece WalletConnect",
  remoteRelayFault:
    "El atributo walletconnect-relay no se puede usar: da el relé como wss://host. No se ofrece WalletConnect",
  remoteAsks: (host) => `${host} quiere intercambiar tokens`,
  chainNotAgreed: (chain) => `La billetera no ha aceptado ${chain}: desconéctala, conéctala otra vez y permite esa red`,
  notAgreedTo: (method) => `La billetera no ha aceptado ${method}`,
  noPublicNode: (chain) => `${chain} no tiene ningún nodo público que esta página pueda leer`,
  relayAway: "El relé de WalletConnect no responde: inténtalo más tarde, o elige otra billetera",
  scan: "Escanéalo con tu billetera en un teléfono.",
  scanCode: "Código QR para tu billetera",
  onThisDevice: "Abrir en una billetera de este dispositivo",
  copyCode: "Copiar el código como texto",
};
