// Wallets and their dialog, and how a transfer stands.

import type * as english from "../en/transfer.ts";
import type { Words } from "../words.ts";

const verb = (type: "swap" | "bridge"): string => (type === "bridge" ? "Transfer" : "Tausch");

export const transfer: Words<typeof english> = {
  chooseWallet: "Wallet wählen",
  disconnect: "Trennen",
  browserWallet: "Browser-Wallet",
  unnamedWallet: "Wallet",
  nodeAnswered: (status) => `der Node hat mit ${status} geantwortet`,
  nodeElsewhere: "der Node gehört zu einem anderen Netzwerk",
  switchInWallet: (chain) => `In der Wallet zu ${chain} wechseln`,
  confirmInWallet: "In der Wallet bestätigen…",
  openWallet: "Zeigt Ihre Wallet nichts an, öffnen Sie sie selbst. ",
  stopWaiting: "Nicht länger auf die Wallet warten",
  notWaited: "Sie warten nicht mehr auf die Wallet. Signieren Sie trotzdem noch, erscheint es hier von selbst",
  walletLost:
    "Die Wallet ist gesperrt oder hat die Verbindung verloren. " +
    "Was Sie vorher signiert haben, erscheint hier von selbst; sonst wurde nichts gesendet",

  otherTab: "Ein anderer Tab arbeitet an diesem Transfer: Machen Sie dort weiter, oder schließen Sie ihn",
  chainGone: "Dieses Netzwerk wird nicht mehr unterstützt",
  signedAlready: "Dieser Schritt ist schon signiert, vielleicht in einem anderen Tab. Er wird nicht zweimal gesendet",

  states: {
    ready: "Wartet auf Sie",
    approving: "Wartet auf die Genehmigung",
    signing: "Wartet auf Ihre Signatur",
    sent: "Gesendet, noch nicht bestätigt",
    left: "Unterwegs",
    done: "Angekommen",
    refunded: "Erstattet",
    recovered: "Anders zugestellt",
    failed: "Fehlgeschlagen",
    dropped: "Nicht gesendet",
  },
  headlines: {
    ready: (type, tool) => `Sie sind dran: ${verb(type)} über ${tool} signieren`,
    approve: "Sie sind dran: In der Wallet genehmigen",
    approving: "Warten auf die Bestätigung der Genehmigung",
    signing: "Sie sind dran: In der Wallet signieren",
    sent: "Warten auf die Bestätigung durch das Netzwerk",
    amount: "Bestätigt: Der angekommene Betrag wird gelesen",
    bridge: (tool, time) => `Warten auf ${tool}${time ? `, meist ${time}` : ""}`,
  },
  sentFromHere: "Was Sie von hier gesendet haben",
  notKept:
    "Dieser Browser lässt die Seite nichts speichern: Was hier steht, ist weg, wenn Sie sie schließen. " +
    "Notieren Sie die Tracking-IDs.",
  nothingYet:
    "Noch nichts. Was Sie senden, wird nur in diesem Browser gespeichert und verfolgt, bis es angekommen ist.",
  removeTransfer: "Aus dieser Liste entfernen",
  transferTitle: (paid, received, chain) => `${paid} in ${received}${chain ? ` auf ${chain}` : ""}`,
  approveInWallet: (amount) => `Genau ${amount} in der Wallet genehmigen`,
  permitInWallet: (amount) => `Genau ${amount} mit einer Signatur in der Wallet freigeben`,
  approvalPending: "Die Genehmigung wartet auf einen Block",
  approved: (amount) => `Genau ${amount} genehmigt`,
  waitsForSignature: (type, tool) => `${verb(type)} über ${tool}: wartet auf Ihre Signatur`,
  replaced: "In Ihrer Wallet ersetzt; vorher war es",
  signInWallet: "Signieren Sie in der Wallet. Haben Sie das schon, erscheint es hier von selbst",
  cancelled:
    "Ihre Wallet hat stattdessen eine andere Transaktion gesendet: Sie wurde dort abgebrochen oder ersetzt. Es " +
    "wurde nichts bewegt",
  dropped:
    "Sie steht in keinem Block und wird es nie: Sie wurde verworfen oder in Ihrer Wallet abgebrochen oder ersetzt. " +
    "Es wurde nichts bewegt",
  paysDirectly: (tool) => `; ${tool} hat die Adresse genannt, der Vertrag des Dienstes ist nicht dazwischen`,
  goesTo: "Es geht an ",
  pending: "Gesendet, wartet auf Bestätigung",
  inBlock: "Bestätigt",
  leftChain: (chain) => `Hat ${chain} verlassen`,
  itsChain: "das Netzwerk",
  lost: (until) =>
    "Der Node Ihrer Wallet kennt sie nicht mehr: Sie wurde verworfen, vielleicht wegen zu niedriger Gebühr, oder " +
    "wird gerade ersetzt. " +
    "Bisher wurde nichts bewegt. Beschleunigen Sie sie in Ihrer Wallet, oder brechen Sie sie dort ab, wenn sie noch " +
    "da ist." +
    (until ? ` Sieht sie bis ${until} niemand, gilt sie kurz danach als nicht gesendet.` : ""),
  anyOf: (symbol) => symbol,
  arrived: (what, chain) => `${what} angekommen${chain ? ` auf ${chain}` : ""}`,
  took: (time) => `, ${time} nach dem Senden`,
  estimated: (time) => ` (geschätzt: ${time})`,
  refunded: "Erstattet.",
  refundedWhere: (tool, symbol) =>
    ` ${tool} konnte nicht liefern und hat Ihre ${symbol} an die Wallet zurückgesendet, die gezahlt hat. ` +
    "Sie müssen nichts tun; sehen Sie dort nach und versuchen Sie dann eine andere Route",
  refundedTo: (tool, symbol) =>
    ` ${tool} konnte nicht liefern und hat Ihre ${symbol} an die von Ihnen genannte Rückerstattungsadresse ` +
    "zurückgesendet. Sie müssen nichts tun; sehen Sie dort nach und versuchen Sie dann eine andere Route",
  recovered: "Anders zugestellt.",
  recoveredWhere:
    " Es endete nicht wie geplant, und der Empfänger hat die Token in anderer Form erhalten. " +
    "Sehen Sie in der empfangenden Wallet nach",
  reverted:
    "Das Netzwerk hat die Transaktion zurückgewiesen. Es wurde nichts bewegt; die Netzwerkgebühr ist ausgegeben",
  failedAtTool: (tool) => `Laut ${tool} fehlgeschlagen`,
  failedWhatNow:
    ": Es ist nichts angekommen. Kommt binnen eines Tages nichts zurück, zeigen Sie dem Support dort die Transaktion",
  onItsWay: (chain, time) =>
    `Unterwegs zu ${chain}${time}. ` +
    "Sie können diese Seite verlassen: Der Transfer läuft ohne sie weiter und ist hier, wenn Sie zurückkommen",
  waitsForOutput: "Der angekommene Betrag wird gelesen",
  toolPage: (tool, host) => `Die Seite von ${tool} dazu, auf ${host}`,
  trackingId: (integrator) => (integrator ? `${integrator} sieht es im Portal; Tracking-ID: ` : "Tracking-ID: "),
  signFirst: (type) => `Weiter: ${verb(type)} signieren`,
  signNext: (type, tool) => `Als Nächstes: ${verb(type)} über ${tool}`,
  connectTo: (type) => `Wallet verbinden für den ${verb(type)}`,
  retryStep: "Diesen Schritt noch einmal versuchen",
};
