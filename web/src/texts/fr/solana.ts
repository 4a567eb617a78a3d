// What is said of Solana's transactions and wallets alone.

import type * as english from "../en/solana.ts";
import type { Words } from "../words.ts";

export const solana: Words<typeof english> = {
  noSvmAccount: "Le portefeuille ne montre aucun compte Solana : déverrouillez-le, puis réessayez",
  otherSvmAccount: (address) =>
    `Le portefeuille est maintenant sur un autre compte, ou verrouillé : aucune signature ne lui a été demandée. ` +
    `Revenez-y à ${address}, puis continuez`,
  noSignature: "il n’a donné aucune signature",
  cannotSend: "Ce portefeuille signe mais n’envoie pas, et aucun nœud public du réseau ne répond à cette page",
  notSigned: (why) => `${why}. Rien n’a été envoyé`,
  noSignedTransaction: "Le portefeuille n’a donné aucune transaction signée. Rien n’a été envoyé",
  notSolana: "La réponse n’est pas une transaction Solana. Choisissez un autre itinéraire",
  notAgreed: (fault) =>
    `La transaction de la réponse n’est pas celle que vous avez acceptée : ${fault}. Rien n’a été signé. Choisissez ` +
    `un autre itinéraire`,
  svmFaults: {
    otherSigner: "c’est à un autre portefeuille de la signer",
    secondSigner: "quelqu’un d’autre devrait la signer aussi",
    otherProgram: "elle n’appelle pas ce qu’elle dit",
    unreadable: "elle est illisible",
    paysMore: "elle paie plus que convenu",
    feeHigher: "elle paie au réseau plus qu’annoncé",
    systemCall: "elle fait de votre portefeuille un usage dont aucun itinéraire n’a besoin",
    tokenCall: "elle fait de vos tokens un usage dont aucun itinéraire n’a besoin",
    otherToken: "elle déplace d’autres tokens que ceux avec lesquels vous payez",
    closesForOthers: "elle ferme un compte au profit de quelqu’un d’autre",
  },
  wouldRefuse: (why) => `Le réseau refuserait cette transaction maintenant (${why}). Rien n’a été envoyé`,
  tooLittleSvm: "Votre portefeuille a trop peu pour cela et les frais de réseau. Rien n’a été envoyé",
  balanceUnreadable: (chain) => `Votre solde sur ${chain} ne peut pas être lu pour l’instant. Rien n’a été envoyé`,
  tip: "Pourboire à Jito",
  noTip: "Aucun",
  tipHint: "Payé seulement si l’opération réussit. Utile seulement si votre portefeuille envoie par Jito.",
  networkPaidBy: "Les frais de réseau sont payés par quelqu’un qui signe aussi : ",
  sponsorRefused: (why) => `Celui qui devait payer les frais de réseau n’a pas signé (${why}). Rien n’a été envoyé`,
};
