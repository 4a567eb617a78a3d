// What is wrong with what was typed, with a wallet, or with an answer, before anything is sent.

import type * as english from "../en/faults.ts";
import type { Words } from "../words.ts";

export const faults: Words<typeof english> = {
  close: "Schließen",
  enterAmount: "Betrag eingeben",

  evmAddressFault: "Eine EVM-Adresse besteht aus 0x und 40 Hexadezimalziffern",
  svmAddressFault: "Eine Solana-Adresse besteht aus 32 bis 44 Buchstaben und Ziffern (Base58) und steht für 32 Bytes",
  checksumFault:
    "Groß- und Kleinschreibung dieser Adresse passen nicht zu ihren Ziffern: Ein Zeichen ist falsch. Kopieren Sie " +
    "sie noch einmal",
  digitsOnly: (example) => `Schreiben Sie nur Ziffern, etwa ${example}`,
  marksMisplaced: (example) => `Kommas oder Punkte stehen falsch: Schreiben Sie etwa ${example}`,
  twoMeanings: (whole, broken) => `Das kann zwei Beträge bedeuten: Schreiben Sie ${whole} oder ${broken}`,
  understoodAs: (amount) => `Verstanden als ${amount}`,
  tooManyDecimals: (decimals, written) =>
    decimals
      ? `Dieser Token hat ${decimals} Nachkommastellen, Sie haben ${written} angegeben`
      : "Dieser Token hat keine Nachkommastellen",
  moreThanAnyHas: "Das ist mehr, als es von irgendeinem Token gibt",
  moreThanZero: "Geben Sie mehr als 0 ein",

  walletSilent: "Die Wallet antwortet nicht",
  noAccount: "Die Wallet zeigt kein Konto: Entsperren Sie sie und versuchen Sie es noch einmal",
  stillElsewhere: (chain) => `Die Wallet ist noch in einem anderen Netzwerk als ${chain}`,
  walletLeft: (chain) =>
    `Die Wallet hat ${chain} verlassen, deshalb wurde nichts an sie gesendet. Versuchen Sie es noch einmal: Zuerst ` +
    `wird zurückgewechselt`,
  walletLocked:
    "Die Wallet ist gesperrt, deshalb wurde sie nicht um das Senden gebeten. Entsperren Sie sie und machen Sie dann " +
    "weiter",
  otherAccount: (address) =>
    `In der Wallet ist jetzt ein anderes Konto aktiv, deshalb wurde sie nicht um das Senden gebeten. Wechseln Sie ` +
    `in ihr zurück zu ${address} und machen Sie dann weiter`,
  noHash: "sie hat keinen Transaktions-Hash genannt",
  noBatchName: "sie hat keinen Namen für das Transaktionsbündel genannt",
  nodeWrong:
    "Die Wallet ist in einem anderen Netzwerk, als sie angibt, oder ihr Node ist gestört. Es wurde nichts gesendet",
  declined: "Sie haben in der Wallet abgelehnt. Es wurde nichts gesendet",
  alreadyAsking: "Die Wallet fragt Sie bereits: Öffnen Sie sie und antworten Sie dort",
  connectionLost: "Die Wallet hat die Verbindung zum Netzwerk verloren. Es wurde nichts gesendet",

  begunWith: (address) => `Das wurde mit ${address} begonnen: Verbinden Sie diese Wallet, um weiterzumachen`,
  answerChanged:
    "Die Antwort ist nicht mehr die, der Sie zugestimmt haben. Es wurde nichts gesendet: Fragen Sie neu an",
  priceFell:
    "Der Preis ist unter das gefallen, dem Sie zugestimmt haben. Es wurde nichts gesendet: Sehen Sie sich den neuen " +
    "Preis an",
  losesMore:
    "Hier geht mehr vom Wert verloren als zunächst angezeigt. Es wurde nichts gesendet: Prüfen Sie den Verlust, " +
    "bevor Sie zustimmen",
  noTransaction: "Die Antwort enthält keine Transaktion. Es wurde nichts gesendet: Fragen Sie neu an",
  otherContract:
    "Die Antwort ruft einen anderen Vertrag auf oder genehmigt einen anderen als den dieses Netzwerks und wird " +
    "deshalb nicht verwendet. Wählen Sie eine andere Route",
  ranAndFailed: "der Testlauf ist fehlgeschlagen",
  wouldRevert: (why, approved) =>
    `Die Transaktion würde jetzt zurückgewiesen (${why})${
      approved ? "; die erteilte Genehmigung bleibt bestehen" : ""
    }. Es wurde nichts gesendet: Fragen Sie neu an`,
  tooLittle: (amount) => `Ihre Wallet hat weniger als ${amount}. Es wurde nichts gesendet`,
  tooLittleForFee: (needed, chain, has) =>
    `Ihre Wallet braucht dafür mit der Netzwerkgebühr ${needed} auf ${chain} und hat ${has}. Es wurde nichts gesendet`,
  nothingMoreAsked: "Sie warten nicht mehr auf die Wallet, deshalb wurde sie um nichts weiter gebeten",
  unclear: (why) =>
    `Die Wallet hat keine eindeutige Antwort gegeben (${why}). Wurde trotzdem gesendet, erscheint es hier von ` +
    `selbst. Sehen Sie in Ihrer Wallet nach, bevor Sie noch einmal senden`,
  approvedTooLittle: (amount) =>
    `Es wurde weniger als ${amount} genehmigt: Genehmigen Sie den Betrag, nach dem gefragt wurde`,
  approvalReverted:
    "Die Genehmigung wurde zurückgewiesen. Es wurde nichts getauscht; ihre Netzwerkgebühr ist ausgegeben",
  approvalCancelled:
    "Ihre Wallet hat statt der Genehmigung eine andere Transaktion gesendet. Es wurde nichts getauscht: Machen Sie " +
    "weiter und genehmigen Sie neu",
  approvalLate:
    "Die Genehmigung ist nach zehn Minuten noch in keinem Block. Sehen Sie in Ihrer Wallet nach: Vielleicht wartet " +
    "sie dort noch",
  forged: "Nicht die Antwort des Dienstes",
  forgedWhy: "Eine Antwort ist nicht vom Dienst signiert oder wurde unterwegs verändert. Sie wurde nicht verwendet.",
};
