// What is wrong with what was typed, with a wallet, or with an answer, before anything is sent.

import type * as english from "../en/faults.ts";
import type { Words } from "../words.ts";

export const faults: Words<typeof english> = {
  close: "Fermer",
  enterAmount: "Saisissez un montant",

  evmAddressFault: "Une adresse EVM comporte 0x et 40 chiffres hexadécimaux",
  svmAddressFault: "Une adresse Solana comporte de 32 à 44 lettres et chiffres (base58) et représente 32 octets",
  checksumFault:
    "Les majuscules de cette adresse ne correspondent pas à ses chiffres : un caractère est faux. Copiez-la de nouveau",
  digitsOnly: (example) => `Écrivez seulement des chiffres, par exemple ${example}`,
  marksMisplaced: (example) => `Virgules ou points mal placés : écrivez par exemple ${example}`,
  twoMeanings: (whole, broken) => `Ceci peut désigner deux montants : écrivez ${whole} ou ${broken}`,
  understoodAs: (amount) => `Compris comme ${amount}`,
  tooManyDecimals: (decimals, written) =>
    decimals ? `Ce token a ${decimals} décimales, et vous en avez écrit ${written}` : "Ce token n’a pas de décimales",
  moreThanAnyHas: "C’est plus qu’il n’existe d’aucun token",
  moreThanZero: "Saisissez plus de 0",

  walletSilent: "Le portefeuille ne répond pas",
  noAccount: "Le portefeuille ne montre aucun compte : déverrouillez-le, puis réessayez",
  stillElsewhere: (chain) => `Le portefeuille est toujours sur un autre réseau que ${chain}`,
  walletLeft: (chain) =>
    `Le portefeuille a quitté ${chain} : aucun envoi ne lui a été demandé. Réessayez : il y sera d’abord ramené`,
  walletLocked: "Le portefeuille est verrouillé : aucun envoi ne lui a été demandé. Déverrouillez-le, puis continuez",
  otherAccount: (address) =>
    `Le portefeuille est maintenant sur un autre compte : aucun envoi ne lui a été demandé. Revenez-y à ${address}, ` +
    `puis continuez`,
  noHash: "il n’a donné aucun hash de transaction",
  noBatchName: "il n’a donné aucun nom pour le lot",
  nodeWrong: "Le portefeuille est sur un autre réseau qu’il ne le dit, ou son nœud est en panne. Rien n’a été envoyé",
  declined: "Vous avez refusé dans le portefeuille. Rien n’a été envoyé",
  alreadyAsking: "Le portefeuille vous interroge déjà : ouvrez-le et répondez-y",
  connectionLost: "Le portefeuille a perdu sa connexion au réseau. Rien n’a été envoyé",

  begunWith: (address) => `Ceci a été commencé avec ${address} : connectez ce portefeuille pour continuer`,
  answerChanged: "La réponse n’est plus celle que vous avez acceptée. Rien n’a été envoyé : redemandez",
  priceFell: "Le prix est passé sous celui que vous avez accepté. Rien n’a été envoyé : regardez le nouveau",
  losesMore: "La perte de valeur est plus grande qu’il ne semblait. Rien n’a été envoyé : examinez-la avant d’accepter",
  noTransaction: "La réponse ne contient aucune transaction. Rien n’a été envoyé : redemandez",
  otherContract:
    "La réponse appelle ou approuve un autre contrat que celui de ce réseau : elle n’est pas utilisée. Choisissez " +
    "un autre itinéraire",
  ranAndFailed: "l’essai a échoué",
  wouldRevert: (why, approved) =>
    `Le réseau rejetterait cette transaction maintenant (${why})${
      approved ? " ; ce qui a été approuvé le reste" : ""
    }. Rien n’a été envoyé : redemandez`,
  tooLittle: (amount) => `Votre portefeuille a moins de ${amount}. Rien n’a été envoyé`,
  tooLittleForFee: (needed, chain, has) =>
    `Il faut à votre portefeuille ${needed} sur ${chain}, frais de réseau compris, et il a ${has}. Rien n’a été envoyé`,
  nothingMoreAsked: "Vous avez cessé d’attendre le portefeuille : plus rien ne lui a été demandé",
  unclear: (why) =>
    `Le portefeuille n’a pas donné de réponse claire (${why}). Si l’envoi a eu lieu malgré tout, il apparaîtra ici ` +
    `de lui-même. Regardez dans votre portefeuille avant de renvoyer`,
  approvedTooLittle: (amount) => `Moins de ${amount} a été approuvé : approuvez le montant demandé`,
  approvalReverted: "Le réseau a rejeté l’approbation. Rien n’a été échangé ; ses frais de réseau sont dépensés",
  approvalCancelled:
    "Votre portefeuille a envoyé une autre transaction à la place de l’approbation. Rien n’a été échangé : " +
    "continuez et approuvez de nouveau",
  approvalLate:
    "L’approbation n’est dans aucun bloc après dix minutes. Regardez dans votre portefeuille : elle y attend " +
    "peut-être encore",
  forged: "Pas la réponse du service",
  forgedWhy: "Une réponse n’est pas signée par le service, ou a été modifiée en route. Elle n’a pas été utilisée.",
};
