// What is said of Solana's transactions and wallets alone.

import type * as english from "../en/solana.ts";
import type { Words } from "../words.ts";

export const solana: Words<typeof english> = {
  noSvmAccount: "Die Wallet zeigt kein Konto für Solana: Entsperren Sie sie und versuchen Sie es noch einmal",
  otherSvmAccount: (address) =>
    `In der Wallet ist jetzt ein anderes Konto aktiv, oder sie ist gesperrt, deshalb wurde sie nicht um eine ` +
    `Signatur gebeten. Wechseln Sie in ihr zurück zu ${address} und machen Sie dann weiter`,
  noSignature: "sie hat keine Signatur genannt",
  cannotSend:
    "Diese Wallet signiert, sendet aber nicht, und kein öffentlicher Node des Netzwerks antwortet dieser Seite",
  notSigned: (why) => `${why}. Es wurde nichts gesendet`,
  noSignedTransaction: "Die Wallet hat keine signierte Transaktion geliefert. Es wurde nichts gesendet",
  notSolana: "Die Antwort ist keine Transaktion von Solana. Wählen Sie eine andere Route",
  notAgreed: (fault) =>
    `Die Transaktion der Antwort ist nicht die, der Sie zugestimmt haben: ${fault}. Es wurde nichts signiert. ` +
    `Wählen Sie eine andere Route`,
  svmFaults: {
    otherSigner: "eine andere Wallet müsste sie signieren",
    secondSigner: "jemand anderes müsste sie ebenfalls signieren",
    otherProgram: "sie ruft nicht auf, was sie angibt",
    unreadable: "sie ist nicht lesbar",
    paysMore: "sie zahlt mehr als vereinbart",
    feeHigher: "sie zahlt dem Netzwerk mehr als angegeben",
    systemCall: "sie tut etwas mit Ihrer Wallet, das keine Route braucht",
    tokenCall: "sie tut etwas mit Ihren Token, das keine Route braucht",
    otherToken: "sie bewegt andere Token als die, mit denen Sie zahlen",
    closesForOthers: "sie schließt ein Konto zugunsten eines anderen",
  },
  wouldRefuse: (why) => `Das Netzwerk würde diese Transaktion jetzt ablehnen (${why}). Es wurde nichts gesendet`,
  tooLittleSvm: "Ihre Wallet hat dafür und für die Netzwerkgebühr zu wenig. Es wurde nichts gesendet",
  balanceUnreadable: (chain) => `Ihr Guthaben auf ${chain} ist gerade nicht lesbar. Es wurde nichts gesendet`,
  tip: "Trinkgeld an Jito",
  noTip: "Keins",
  tipHint: "Wird nur gezahlt, wenn der Handel gelingt. Es hilft nur, wenn Ihre Wallet über Jito sendet.",
  networkPaidBy: "Die Netzwerkgebühr zahlt jemand, der mitsigniert: ",
  sponsorRefused: (why) =>
    `Wer die Netzwerkgebühr zahlen sollte, hat nicht signiert (${why}). Es wurde nichts gesendet`,
};
