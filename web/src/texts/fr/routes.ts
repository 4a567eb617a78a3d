// The table of routes, and why there is none.

import type * as english from "../en/routes.ts";
import type { Words } from "../words.ts";

const counted = (count: number, one: string, several: string): string => `${count} ${count < 2 ? one : several}`;

export const routes: Words<typeof english> = {
  routes: (count) => counted(count, "itinéraire", "itinéraires"),
  lookingForRoutesLabel: "Recherche d’itinéraires",
  sortBy: "Trier par ",
  sorts: { best: "Meilleur", net: "Net reçu", time: "Durée", fees: "Tous les frais" },
  columns: {
    route: "Itinéraire",
    net: "Reçu",
    paid: "Payé",
    fees: "Frais",
    gas: "Réseau",
    time: "Durée",
    least: "Minimum",
    steps: "Étapes",
  },
  tags: { RECOMMENDED: "Meilleur", FASTEST: "Plus rapide", CHEAPEST: "Plus de valeur" },
  tagRules: {
    RECOMMENDED: "Meilleur : le plus de valeur après gaz et frais, un peu moins pour la durée et les échecs observés",
    FASTEST: "Plus rapide : la durée la plus courte, puis le plus de valeur",
    CHEAPEST: "Plus de valeur : le plus de valeur après gaz et frais",
  },
  feeTypes: {
    app: "Service et intégrateur, pris sur ce que vous payez",
    lp: "Fournisseurs de liquidité, compris dans le prix",
    gas: "Réseau, payé par vous en plus",
    networkPaid: "Réseau, tel que payé",
    relayer: "Relayer",
    relayerGas: "Frais de réseau du relayer",
    relayerService: "Service du relayer",
    capital: "Capital",
    destinationGas: "Gas à l’arrivée, à vous sur place",
  },
  signatures: (approvals, transactions) =>
    `Vous signez ${
      approvals ? `jusqu’à ${counted(approvals, "approbation", "approbations")} et ` : ""
    }${counted(transactions, "transaction", "transactions")}.`,
  stepBy: (number, tool) => `Étape ${number} : ${tool}`,
  priceImpact: "Impact sur le prix, compris dans le prix",
  net: (dollars) => `${dollars} net`,
  paidRule: "Ce qui est payé et ce que cela coûte en plus, en dollars",
  netRule: "Ce que cela vaut, moins ce qui est payé en plus : les frais de réseau et ce que demande un bridge",
  unknownFees: "—",
  detailsOf: (adapter) => `Détails de ${adapter}`,
  simulation: "Simulation",
  believed: "À qui vous devez faire confiance",
  nothingBelieved: "À rien d’autre que les contrats mêmes du réseau.",
  notRun: {
    REVERTED: "Cela échouerait",
    TIMEOUT: "Pas terminé à temps",
    SKIPPED: "Non effectuée",
    UNSUPPORTED: "Impossible ici",
    ERROR: "N’a pas pu être exécutée",
  },
  notRunYet: "Pas encore simulé : cela se fait avant votre signature.",
  measured: (time, percent) =>
    `Simulé sur l’état actuel du réseau en ${time}, et le résultat a été mesuré${
      percent ? ` (${percent} par rapport à l’offre)` : ""
    }.`,
  startMeasured:
    "La première partie a été simulée et réussit ; le résultat arrive sur un autre réseau et n’a pas pu être mesuré.",
  oneTransaction: "une transaction",
  about: (time) => `environ ${time}`,
  hop: (from, tool, to) => `${from} par ${tool} vers ${to}`,
  diagram: (hops) => `L’itinéraire : ${hops.join(", puis ")}`,

  sentence: (text) => `${text}.`,
  whatEachSaid: "Ce que dit chaque source",
  pageFault: "Quelque chose n’a pas marché sur cette page. Rien n’a été envoyé",
  tooMuchLoss:
    "Chaque itinéraire perdrait plus de valeur que vous ne le permettez. Essayez un montant plus petit, ou " +
    "permettez plus de slippage",
  changeSlippage: "Changer le slippage",
  wrongAddress: "Une adresse n’appartient pas à son réseau. Vérifiez le destinataire",
  tooManyQuestions: "Trop de requêtes sont venues d’ici",
  questionTooLong: "La requête est trop longue",
  questionRefused: "Le service n’accepte pas cette requête",
  notServed: "Le service ne propose pas ce réseau ou ce token. Choisissez-en un autre",
  noSourceTakes: "Aucune source n’accepte cette requête. Essayez un autre montant ou un autre token",
  sourcesRefuse:
    "Les sources refusent ce service pour le moment. Seul son exploitant peut y remédier ; essayez une autre paire",
  sourcesSilent: "Les sources ne répondent pas pour l’instant. Cela passe d’ordinaire en quelques secondes",
  serviceSilent: "Le service ne répond pas",
  offline: "Le service ne répond pas. Vérifiez que vous êtes en ligne",
  serviceSlow: "Le service met plus d’une demi-minute",
  outOfOrder: "Le service est en panne pour le moment",
  answeredInPlace: "Quelque chose entre cette page et le service a répondu à sa place",
  serviceFailed: "Le service a échoué sur cette requête. Rien n’a été envoyé",
  serviceAnswered: (status) => `Le service a répondu ${status}`,
  tooLow: "Ce montant est trop faible pour tous les itinéraires. Essayez plus",
  tooLowLeast: (least) => `Ce montant est trop faible : le minimum est de ${least}`,
  noneSound: "Tous les itinéraires ont échoué à l’essai. Essayez un montant plus petit ou une autre paire",
  noLiquidity: "Il n’y a pas assez de liquidité pour ce montant, ou pas de marché pour cette paire",
  noSource: "Aucune source ne prend en charge cette paire. Choisissez un autre token ou réseau",
  tryAmount: (amount) => `Essayer ${amount}`,
  tryAgainIn: (when) => `Réessayer ${when}`,
  noChains: "Ce service ne propose encore aucun réseau : son exploitant n’en a configuré aucun",
  linkNotServed: "Le lien nomme un token qui n’est pas proposé ici : choisissez-en un autre",
};
