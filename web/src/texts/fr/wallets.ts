// Choosing a wallet, waiting for it, where there is none, and wallets elsewhere.

import type * as english from "../en/wallets.ts";
import type { Words } from "../words.ts";

const of = (chainType: "EVM" | "SVM"): string => (chainType === "SVM" ? "Solana" : "les réseaux EVM");

export const wallets: Words<typeof english> = {
  walletsFor: (chainType) => `Pour ${of(chainType)}`,
  noWallet: (chainType) =>
    `Aucun portefeuille pour ${of(chainType)} ne s’est annoncé à cette page. ` +
    "Déverrouillez le vôtre, ou installez-en un et rechargez la page :",
  noWalletOnPhone:
    "Un navigateur de téléphone n’a pas de portefeuille. Ouvrez cette " +
    "page dans votre portefeuille, avec ce que vous avez rempli :",
  openIn: (wallet) => `Ouvrir dans ${wallet}`,
  waitingFor: (wallet) => `En attente de ${wallet}…`,
  openToConnect: "S’il n’affiche rien, ouvrez-le et déverrouillez-le vous-même.",
  cancel: "Annuler",
  notConnected: (wallet) =>
    `${wallet} n’a pas été connecté. Sa réponse ne compte plus : choisissez-le à nouveau, ou un autre`,
  connectedWallets: "Portefeuilles connectés",
  disconnectFrom: (wallet, chainType) => `Déconnecter ${wallet} pour ${of(chainType)}`,
  receivingWallet: (wallet, chain) => `Reçoit sur ${chain} : ${wallet}`,
  connectReceiver: (chain) => `Ou connectez un portefeuille pour ${chain}`,
  lookingAtReceiver: "Nouvelle vérification du portefeuille qui reçoit…",
  receiverMoved:
    "Le portefeuille qui reçoit n’affiche plus ce compte, rien n’a donc été envoyé. " +
    "Déverrouillez-le, ou revenez-y à ce compte, puis réessayez",
  ownWallet: "Portefeuille de ce site",
  ownEvmFault:
    "La propriété wallet.evm est inutilisable : donnez un fournisseur EIP-1193, avec request(). " +
    "Les portefeuilles qui s’annoncent sont proposés à la place",
  ownSvmFault:
    "La propriété wallet.svm est inutilisable : donnez un portefeuille Wallet Standard qui se connecte sur Solana. " +
    "Les portefeuilles qui s’annoncent sont proposés à la place",
  remoteNotLoaded: "WalletConnect n’a pas pu être chargé : rechargez la page",
  remoteProjectFault:
    "L’attribut walletconnect est inutilisable : donnez un ID de " +
    "projet, 32 chiffres hexadécimaux. WalletConnect n’est pas proposé",
  remoteRelayFault:
    "L’attribut walletconnect-relay est inutilisable : donnez le " +
    "relais sous la forme wss://host. WalletConnect n’est pas proposé",
  remoteAsks: (host) => `${host} demande à échanger des tokens`,
  chainNotAgreed: (chain) =>
    `Le portefeuille n’a pas accepté ${chain} : déconnectez-le, reconnectez-le et autorisez ce réseau`,
  notAgreedTo: (method) => `Le portefeuille n’a pas accepté ${method}`,
  noPublicNode: (chain) => `${chain} n’a pas de nœud public que cette page puisse lire`,
  relayAway: "Le relais de WalletConnect ne répond pas : réessayez plus tard, ou choisissez un autre portefeuille",
  scan: "Scannez ceci avec votre portefeuille sur un téléphone.",
  scanCode: "QR code pour votre portefeuille",
  onThisDevice: "Ouvrir dans un portefeuille sur cet appareil",
  copyCode: "Copier le code en texte",
};
