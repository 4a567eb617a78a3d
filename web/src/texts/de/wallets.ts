// Choosing a wallet, waiting for it, where there is none, and wallets elsewhere.

import type * as english from "../en/wallets.ts";
import type { Words } from "../words.ts";

const of = (chainType: "EVM" | "SVM"): string => (chainType === "SVM" ? "Solana" : "EVM-Netzwerke");

export const wallets: Words<typeof english> = {
  walletsFor: (chainType) => `Für ${of(chainType)}`,
  noWallet: (chainType) =>
    `Keine Wallet für ${of(chainType)} hat sich bei dieser Seite gemeldet. ` +
    "Entsperren Sie Ihre, oder installieren Sie eine und laden Sie die Seite neu:",
  noWalletOnPhone:
    "In einem Browser auf dem Telefon ist keine Wallet. Öffnen Sie " +
    "diese Seite in Ihrer Wallet, mit dem, was Sie ausgefüllt haben:",
  openIn: (wallet) => `In ${wallet} öffnen`,
  waitingFor: (wallet) => `Warten auf ${wallet}…`,
  openToConnect: "Zeigt sie nichts an, öffnen und entsperren Sie sie selbst.",
  cancel: "Abbrechen",
  notConnected: (wallet) =>
    `${wallet} wurde nicht verbunden. Was jetzt noch geantwortet wird, gilt nicht: wählen Sie noch einmal`,
  connectedWallets: "Verbundene Wallets",
  disconnectFrom: (wallet, chainType) => `${wallet} für ${of(chainType)} trennen`,
  receivingWallet: (wallet, chain) => `Auf ${chain} empfängt ${wallet}`,
  connectReceiver: (chain) => `Oder eine Wallet für ${chain} verbinden`,
  lookingAtReceiver: "Die empfangende Wallet wird noch einmal geprüft…",
  receiverMoved:
    "Die empfangende Wallet zeigt dieses Konto nicht mehr, deshalb wurde nichts gesendet. " +
    "Entsperren Sie sie oder wechseln Sie in ihr zu diesem Konto zurück und versuchen Sie es noch einmal",
  ownWallet: "Wallet dieser Website",
  ownEvmFault:
    "Die Eigenschaft wallet.evm ist nicht verwendbar: nötig ist ein Provider nach EIP-1193, mit request(). " +
    "Stattdessen werden Wallets angeboten, die sich melden",
  ownSvmFault:
    "Die Eigenschaft wallet.svm ist nicht verwendbar: nötig ist eine Wallet nach Wallet Standard, " +
    "die sich auf Solana verbindet. " +
    "Stattdessen werden Wallets angeboten, die sich melden",
  remoteNotLoaded: "WalletConnect konnte nicht geladen werden: laden Sie die Seite neu",
  remoteProjectFault:
    "Das Attribut walletconnect ist nicht verwendbar: nötig ist eine " +
    "Projekt-ID, 32 hexadezimale Ziffern. WalletConnect wird nicht angeboten",
  remoteRelayFault:
    "Das Attribut walletconnect-relay ist nicht verwendbar: nötig " +
    "ist das Relay als wss://host. WalletConnect wird nicht angeboten",
  remoteAsks: (host) => `${host} möchte Token tauschen`,
  chainNotAgreed: (chain) =>
    `Die Wallet hat ${chain} nicht zugestimmt: trennen Sie sie, verbinden Sie sie neu und erlauben Sie dieses Netzwerk`,
  notAgreedTo: (method) => `Die Wallet hat ${method} nicht zugestimmt`,
  noPublicNode: (chain) => `${chain} hat keinen öffentlichen Node, den diese Seite lesen kann`,
  relayAway: "Das Relay von WalletConnect antwortet nicht: versuchen Sie es später, oder wählen Sie eine andere Wallet",
  scan: "Scannen Sie dies mit Ihrer Wallet auf einem Telefon.",
  scanCode: "QR-Code für Ihre Wallet",
  onThisDevice: "In einer Wallet auf diesem Gerät öffnen",
  copyCode: "Code als Text kopieren",
};
