// The end of a transfer, the question before the same is sent again, outages, and what the service serves.

import type * as english from "../en/endings.ts";
import type { Words } from "../words.ts";

const counted = (count: number, one: string, several: string): string => `${count} ${count < 2 ? one : several}`;

export const endings: Words<typeof english> = {
  receiptTitle: "Reçu",
  sent: "Envoyé",
  received: "Reçu",
  onChain: (chain) => `sur ${chain}`,
  rate: "Taux, tous frais compris",
  shareReceipt: "Lien vers ce reçu",
  copyLink: "Copier le lien",
  copied: "Copié",
  swapAgain: "Échanger à nouveau",
  clear: "Retirer",

  underWay: (what) => `La même chose est déjà en route : ${what}. Si vous envoyez ceci, ce sera une seconde fois.`,
  sendTwice: " L’envoyer une seconde fois",
  onItsWayAlready: "Déjà en route",

  tooMany: "Trop de requêtes",
  outage: "Le service n’est pas disponible",
  sourcesAway: "Les sources ne répondent pas",
  askedAgainAt: (time) => `Nouvelle demande à ${time}.`,

  swapBefore: "d’abord un échange, dans la même transaction",
  swapOnArrival: "échange à l’arrivée, rien à signer",
  routeVia: (tool, tokens) => `${tool} · par ${tokens}`,
  routeInSteps: (name, count) => `${name} · ${counted(count, "étape", "étapes")}`,

  backToForm: "Retour",
  coverage: "Ce que dessert ce service",
  coverageOf: (chains, tools) =>
    `${counted(chains, "réseau", "réseaux")} et ${counted(tools, "source", "sources")} ` +
    "qu’il compare pour chaque montant.",
  chainTools: (exchanges, bridges) =>
    [
      exchanges ? counted(exchanges, "place d’échange", "places d’échange") : "",
      bridges ? counted(bridges, "bridge", "bridges") : "",
    ]
      .filter(Boolean)
      .join(", "),
  receiveOnly: "pour recevoir seulement",
};
