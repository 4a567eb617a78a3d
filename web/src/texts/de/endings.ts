// The end of a transfer, the question before the same is sent again, outages, and what the service serves.

import type * as english from "../en/endings.ts";
import type { Words } from "../words.ts";

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

export const endings: Words<typeof english> = {
  receiptTitle: "Beleg",
  sent: "Gesendet",
  received: "Erhalten",
  onChain: (chain) => `auf ${chain}`,
  rate: "Kurs, alle Gebühren enthalten",
  shareReceipt: "Link zu diesem Beleg",
  copyLink: "Link kopieren",
  copied: "Kopiert",
  swapAgain: "Noch einmal tauschen",
  clear: "Ausblenden",

  underWay: (what) => `Dasselbe ist schon unterwegs: ${what}. Wenn Sie dies senden, wird es ein zweites Mal gesendet.`,
  sendTwice: " Ein zweites Mal senden",
  onItsWayAlready: "Schon unterwegs",

  tooMany: "Zu viele Anfragen",
  outage: "Der Dienst ist nicht erreichbar",
  sourcesAway: "Die Quellen antworten nicht",
  askedAgainAt: (time) => `Um ${time} wird erneut gefragt.`,

  swapBefore: "zuerst ein Tausch, in derselben Transaktion",
  swapOnArrival: "Tausch bei der Ankunft, nichts zu signieren",
  routeVia: (tool, tokens) => `${tool} · über ${tokens}`,
  routeInSteps: (name, count) => `${name} · ${counted(count, "Schritt", "Schritte")}`,

  backToForm: "Zurück",
  coverage: "Was dieser Dienst bedient",
  coverageOf: (chains, tools) =>
    `${counted(chains, "Netzwerk", "Netzwerke")} und ${counted(tools, "Quelle", "Quellen")}, die er für jeden ` +
    "Betrag vergleicht.",
  chainTools: (exchanges, bridges) =>
    [exchanges ? counted(exchanges, "Börse", "Börsen") : "", bridges ? counted(bridges, "Bridge", "Bridges") : ""]
      .filter(Boolean)
      .join(", "),
  receiveOnly: "nur zum Empfangen",
};
