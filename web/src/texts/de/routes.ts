// The table of routes, and why there is none.

import type * as english from "../en/routes.ts";
import type { Words } from "../words.ts";

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

export const routes: Words<typeof english> = {
  routes: (count) => counted(count, "Route", "Routen"),
  lookingForRoutesLabel: "Routen werden gesucht",
  sortBy: "Sortieren nach ",
  sorts: { best: "Beste", net: "Nettoerhalt", time: "Dauer", fees: "Alle Gebühren" },
  columns: {
    route: "Route",
    net: "Erhalt",
    paid: "Gezahlt",
    fees: "Gebühren",
    gas: "Netzwerk",
    time: "Dauer",
    least: "Mindestens",
    steps: "Schritte",
  },
  tags: { RECOMMENDED: "Beste", FASTEST: "Schnellste", CHEAPEST: "Höchster Wert" },
  tagRules: {
    RECOMMENDED:
      "Beste: der höchste Wert nach Netzwerkkosten und Gebühren, mit einem kleinen Abzug für Dauer und beobachtete " +
      "Fehlschläge",
    FASTEST: "Schnellste: die kürzeste Dauer, dann der höchste Wert",
    CHEAPEST: "Höchster Wert: der höchste Wert nach Netzwerkkosten und Gebühren",
  },
  feeTypes: {
    app: "Dienst und Integrator, von Ihrer Zahlung abgezogen",
    lp: "Liquiditätsgeber, im Preis enthalten",
    gas: "Netzwerk, zusätzlich von Ihnen gezahlt",
    networkPaid: "Netzwerk, wie gezahlt",
    relayer: "Relayer",
    relayerGas: "Netzwerkkosten des Relayers",
    relayerService: "Leistung des Relayers",
    capital: "Kapital",
    destinationGas: "Gas bei Ankunft, gehört dort Ihnen",
  },
  signatures: (approvals, transactions) =>
    `Sie signieren ${
      approvals ? `bis zu ${counted(approvals, "Genehmigung", "Genehmigungen")} und ` : ""
    }${counted(transactions, "Transaktion", "Transaktionen")}.`,
  stepBy: (number, tool) => `Schritt ${number}: ${tool}`,
  priceImpact: "Preiseinfluss, im Preis enthalten",
  net: (dollars) => `${dollars} netto`,
  paidRule: "Was gezahlt wird und was es daneben kostet, in Dollar",
  netRule: "Der Wert abzüglich dessen, was zusätzlich gezahlt wird: Netzwerkgebühr und was eine Bridge verlangt",
  unknownFees: "—",
  detailsOf: (adapter) => `Einzelheiten zu ${adapter}`,
  simulation: "Simulation",
  believed: "Worauf Sie vertrauen müssen",
  nothingBelieved: "Auf nichts außer den eigenen Verträgen des Netzwerks.",
  notRun: {
    REVERTED: "Würde fehlschlagen",
    TIMEOUT: "Nicht rechtzeitig fertig geworden",
    SKIPPED: "Ausgelassen",
    UNSUPPORTED: "Hier nicht möglich",
    ERROR: "Konnte nicht ausgeführt werden",
  },
  notRunYet: "Noch nicht simuliert: Das geschieht, bevor Sie signieren.",
  measured: (time, percent) =>
    `Auf dem aktuellen Stand des Netzwerks in ${time} simuliert, und das Ergebnis wurde gemessen${
      percent ? ` (${percent} gegenüber dem Versprochenen)` : ""
    }.`,
  startMeasured:
    "Der erste Teil wurde simuliert und gelingt; das Ergebnis kommt in einem anderen Netzwerk an und konnte nicht " +
    "gemessen werden.",
  oneTransaction: "eine Transaktion",
  about: (time) => `etwa ${time}`,
  hop: (from, tool, to) => `${from} über ${tool} zu ${to}`,
  diagram: (hops) => `Die Route: ${hops.join(", dann ")}`,

  sentence: (text) => `${text}.`,
  whatEachSaid: "Was jede Quelle sagt",
  pageFault: "Auf dieser Seite ist etwas schiefgegangen. Es wurde nichts gesendet",
  tooMuchLoss:
    "Auf jeder Route ginge mehr vom Wert verloren, als Sie zulassen. Versuchen Sie einen kleineren Betrag, oder " +
    "lassen Sie mehr Slippage zu",
  changeSlippage: "Slippage ändern",
  wrongAddress: "Eine Adresse gehört nicht zu ihrem Netzwerk. Prüfen Sie den Empfänger",
  tooManyQuestions: "Von hier kamen zu viele Anfragen",
  questionTooLong: "Die Anfrage ist zu lang",
  questionRefused: "Der Dienst nimmt diese Anfrage nicht an",
  notServed: "Der Dienst unterstützt dieses Netzwerk oder diesen Token nicht. Wählen Sie etwas anderes",
  noSourceTakes: "Keine Quelle nimmt diese Anfrage an. Versuchen Sie einen anderen Betrag oder Token",
  sourcesRefuse:
    "Die Quellen weisen diesen Dienst zurzeit ab. Das kann nur sein Betreiber ändern; versuchen Sie ein anderes Paar",
  sourcesSilent: "Die Quellen antworten gerade nicht. Meist geht das in wenigen Sekunden vorüber",
  serviceSilent: "Der Dienst antwortet nicht",
  offline: "Der Dienst antwortet nicht. Prüfen Sie, ob Sie online sind",
  serviceSlow: "Der Dienst braucht länger als eine halbe Minute",
  outOfOrder: "Der Dienst ist zurzeit gestört",
  answeredInPlace: "Statt des Dienstes hat etwas zwischen ihm und dieser Seite geantwortet",
  serviceFailed: "Der Dienst ist an dieser Anfrage gescheitert. Es wurde nichts gesendet",
  serviceAnswered: (status) => `Der Dienst hat mit ${status} geantwortet`,
  tooLow: "Dieser Betrag ist für jede Route zu niedrig. Versuchen Sie mehr",
  tooLowLeast: (least) => `Dieser Betrag ist zu niedrig: Das Minimum ist ${least}`,
  noneSound: "Jede Route ist beim Testlauf fehlgeschlagen. Versuchen Sie einen kleineren Betrag oder ein anderes Paar",
  noLiquidity: "Für diesen Betrag gibt es nicht genug Liquidität, oder für dieses Paar keinen Markt",
  noSource: "Keine Quelle unterstützt dieses Paar. Wählen Sie einen anderen Token oder ein anderes Netzwerk",
  tryAmount: (amount) => `${amount} versuchen`,
  tryAgainIn: (when) => `Erneut versuchen ${when}`,
  noChains: "Dieser Dienst bietet noch kein Netzwerk an: Sein Betreiber hat keines eingerichtet",
  linkNotServed: "Der Link nennt einen Token, der hier nicht unterstützt wird: Wählen Sie einen anderen",
};
