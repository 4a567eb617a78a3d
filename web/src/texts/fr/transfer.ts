// Wallets and their dialog, and how a transfer stands.

import type * as english from "../en/transfer.ts";
import type { Words } from "../words.ts";

type StepType = "swap" | "bridge";

const noun = (type: StepType): string => (type === "bridge" ? "le transfert" : "l’échange");
const verb = (type: StepType): string => (type === "bridge" ? "transférer" : "échanger");

export const transfer: Words<typeof english> = {
  chooseWallet: "Choisissez un portefeuille",
  disconnect: "Déconnecter",
  browserWallet: "Portefeuille du navigateur",
  unnamedWallet: "Portefeuille",
  nodeAnswered: (status) => `le nœud a répondu ${status}`,
  nodeElsewhere: "le nœud est d’un autre réseau",
  switchInWallet: (chain) => `Passez sur ${chain} dans votre portefeuille`,
  confirmInWallet: "Confirmez dans votre portefeuille…",
  openWallet: "Si votre portefeuille n’affiche rien, ouvrez-le vous-même. ",
  stopWaiting: "Ne plus attendre le portefeuille",
  notWaited: "Vous avez cessé d’attendre le portefeuille. Si vous signez malgré tout, cela apparaîtra ici de soi-même",
  walletLost:
    "Le portefeuille est verrouillé ou a perdu sa connexion. " +
    "Ce que vous aviez signé avant apparaîtra ici de soi-même ; sinon rien n’a été envoyé",

  otherTab: "Un autre onglet travaille à ce transfert : continuez là-bas, ou fermez-le",
  chainGone: "Ce réseau n’est plus proposé",
  signedAlready: "Cette étape est déjà signée, peut-être dans un autre onglet. Elle n’est pas envoyée deux fois",

  states: {
    ready: "En attente de vous",
    approving: "En attente de l’approbation",
    signing: "En attente de votre signature",
    sent: "Envoyé, pas encore confirmé",
    left: "En route",
    done: "Arrivé",
    refunded: "Remboursé",
    recovered: "Récupéré",
    failed: "Échoué",
    dropped: "Non envoyé",
  },
  headlines: {
    ready: (type, tool) => `À vous : signez ${noun(type)} par ${tool}`,
    approve: "À vous : approuvez dans votre portefeuille",
    approving: "En attente de la confirmation de l’approbation",
    signing: "À vous : signez dans votre portefeuille",
    sent: "En attente de la confirmation du réseau",
    amount: "Confirmé : lecture du montant arrivé",
    bridge: (tool, time) => `En attente de ${tool}${time ? `, d’ordinaire ${time}` : ""}`,
  },
  sentFromHere: "Ce que vous avez envoyé d’ici",
  notKept:
    "Ce navigateur ne laisse rien conserver à la page : ce qui est ici disparaît quand vous la fermez. " +
    "Notez les identifiants de suivi.",
  nothingYet: "Rien encore. Ce que vous envoyez n’est conservé que dans ce navigateur, et suivi jusqu’à son arrivée.",
  removeTransfer: "Retirer de cette liste",
  transferTitle: (paid, received, chain) => `${paid} en ${received}${chain ? ` sur ${chain}` : ""}`,
  approveInWallet: (amount) => `Approuvez exactement ${amount} dans votre portefeuille`,
  permitInWallet: (amount) => `Autorisez exactement ${amount} par une signature dans votre portefeuille`,
  approvalPending: "L’approbation attend d’entrer dans un bloc",
  approved: (amount) => `Approuvé exactement ${amount}`,
  waitsForSignature: (type, tool) =>
    `${type === "bridge" ? "Transfert" : "Échange"} par ${tool} : en attente de votre signature`,
  replaced: "Remplacé dans votre portefeuille ; c’était",
  signInWallet: "Signez dans votre portefeuille. Si c’est déjà fait, cela apparaîtra ici de soi-même",
  cancelled:
    "Votre portefeuille a envoyé une autre transaction à la place : elle y a été annulée ou remplacée. Rien n’a bougé",
  dropped:
    "Elle n’est dans aucun bloc et n’y sera jamais : elle a été abandonnée, ou annulée ou remplacée dans votre " +
    "portefeuille. Rien n’a bougé",
  paysDirectly: (tool) => `, indiquée par ${tool}, sans le contrat du service entre les deux`,
  goesTo: "Destination : ",
  pending: "Envoyé, en attente de confirmation",
  inBlock: "Confirmé",
  leftChain: (chain) => `A quitté ${chain}`,
  itsChain: "son réseau",
  lost: (until) =>
    "Le nœud de votre portefeuille l’a perdue : elle a été abandonnée, peut-être pour des frais trop bas, ou est en " +
    "cours de remplacement. " +
    "Rien n’a bougé jusqu’ici. Accélérez-la ou annulez-la dans votre portefeuille, si elle y est encore." +
    (until ? ` Si personne ne la voit avant ${until}, elle compte peu après comme non envoyée.` : ""),
  anyOf: (symbol) => symbol,
  arrived: (what, chain) => `${what} arrivés${chain ? ` sur ${chain}` : ""}`,
  took: (time) => `, ${time} après l’envoi`,
  estimated: (time) => ` (estimation : ${time})`,
  refunded: "Remboursé.",
  refundedWhere: (tool, symbol) =>
    ` ${tool} n’a pas pu livrer et a renvoyé vos ${symbol} au portefeuille qui a payé. ` +
    "Vous n’avez rien à faire ; regardez-y, puis essayez un autre itinéraire",
  refundedTo: (tool, symbol) =>
    ` ${tool} n’a pas pu livrer et a renvoyé vos ${symbol} à l’adresse de remboursement que vous avez indiquée. ` +
    "Vous n’avez rien à faire ; regardez-y, puis essayez un autre itinéraire",
  recovered: "Récupéré.",
  recoveredWhere:
    " Cela ne s’est pas terminé comme prévu, et les tokens ont été remis au destinataire sous une autre forme. " +
    "Regardez dans le portefeuille destinataire",
  reverted: "Le réseau a rejeté la transaction. Rien n’a bougé ; les frais de réseau sont dépensés",
  failedAtTool: (tool) => `Échoué, selon ${tool}`,
  failedWhatNow: " : rien n’est arrivé. Si rien ne revient d’ici un jour, montrez la transaction à son assistance",
  onItsWay: (chain, time) =>
    `En route vers ${chain}${time}. ` +
    "Vous pouvez quitter cette page : le transfert continue sans elle, et sera ici à votre retour",
  waitsForOutput: "Lecture du montant arrivé",
  toolPage: (tool, host) => `Sa page chez ${tool}, sur ${host}`,
  trackingId: (integrator) =>
    integrator ? `${integrator} le voit dans le portail ; identifiant de suivi : ` : "Identifiant de suivi : ",
  signFirst: (type) => `Continuer : signer ${noun(type)}`,
  signNext: (type, tool) => `Ensuite : ${verb(type)} par ${tool}`,
  connectTo: (type) => `Connecter un portefeuille pour ${verb(type)}`,
  retryStep: "Réessayer cette étape",
};
