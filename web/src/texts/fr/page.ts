// What stands on the page: the frame, the form, names of receivers, losses.

import type * as english from "../en/page.ts";
import type { Words } from "../words.ts";

export const page: Words<typeof english> = {
  viewLabel: "Vue",
  swapView: "Échanger",
  historyView: "Historique",
  language: "Langue",
  automatic: "Automatique",
  servedBy: "Fourni par",
  forIntegrator: (name) => ` pour ${name}`,
  holdsNothing: ". Ne détient aucun fonds ; seul votre portefeuille signe.",
  noService: "Cette page n’indique l’adresse d’aucun service : vérifiez cet attribut de l’élément :",
  emptyForm:
    "Saisissez un montant, et les itinéraires apparaissent ici : ce que chacun rapporte, coûte, et combien de temps " +
    "il prend.",
  bestAnswer: (amount, adapter) => `Meilleure offre : ${amount} par ${adapter}`,
  tryAgain: "Réessayer",
  askAgain: "Redemander",
  pickerNotLoaded: "La liste des tokens n’a pas pu être chargée : rechargez la page",

  youPay: "Vous payez",
  youReceive: "Vous recevez",
  expected: (amount) => `Environ ${amount} attendus`,
  expectedRule: "Le montant saisi arrive au minimum. Si les prix ne bougent pas, voici ce qui arrive.",
  flipSides: "Inverser les deux côtés",
  tokenToPay: "Token avec lequel payer : ",
  tokenToReceive: "Token à recevoir : ",
  choose: "Choisir",
  balance: (amount) => `Solde ${amount}`,
  payShare: (percent) => `Payer ${percent} du solde`,
  max: "Max",
  maxLess: (kept) => `Max, moins ${kept} gardés pour les frais de réseau`,
  rateLabel: (rate) => `Taux : ${rate}. L’afficher dans l’autre sens`,
  countdownTitle: "Ensuite, les itinéraires sont redemandés",
  slippage: "Slippage",
  slippageNow: (percent) => `Slippage : ${percent || "automatique"}`,
  auto: "Auto",
  ownSlippage: "Slippage personnalisé en pour cent",
  ownPercent: "Autre %",
  slippageHint:
    "De combien le montant reçu peut être inférieur à l’offre. Auto le fixe selon la paire et l’itinéraire ; en " +
    "dessous, rien n’est échangé.",
  slippageFault: (example) => `Écrivez un pourcentage supérieur à 0 et inférieur à 50, par exemple ${example}`,
  priority: "Frais de priorité",
  priorities: { low: "Bas", medium: "Moyens", high: "Élevés" },
  priorityHint:
    "Ce que la transaction paie pour être exécutée plus tôt quand Solana est chargée. Auto suit ce que paient les " +
    "autres.",
  gasOnArrival: (symbol) => `Apporter un peu de ${symbol} pour les frais sur place`,
  gasOnArrivalHint: "De quoi faire une dizaine de swaps sur place, payé sur ce qui arrive.",
  refundTo: "Adresse de remboursement",
  refundOptional: "(le portefeuille qui paie si ce champ reste vide)",
  refundHint: (chain) =>
    `Si le pont échoue, vos tokens reviennent à cette adresse sur ${chain}. Seuls les ponts qui s’y engagent ` +
    "sont interrogés.",
  refundNow: (address) => `Remboursement à ${address}`,
  checkRefund: "Vérifiez l’adresse de remboursement",
  calledOnArrival: "À l’arrivée, ce site fait utiliser les tokens par un contrat : ",
  calledElse: ". En cas d’échec, le destinataire les reçoit.",
  aboutSoMuch: "Environ : les itinéraires sont encore demandés",
  verified: " Ses réponses sont vérifiées par leur signature.",
  addReceiver: "+ Envoyer à une autre adresse",
  receiver: "Destinataire",
  receiverOn: (chain) => `(une adresse sur ${chain})`,
  receiverOptional: "(votre propre portefeuille si ce champ reste vide)",
  receiverSvm: "adresse base58",
  receiverEvm: "0x…",
  receiverNamed: "0x… ou nom.eth",
  lookingUp: "Recherche du nom…",
  nameMeans: (chain) => ` sur ${chain} est `,
  compareIt: " : comparez-la.",

  loading: "Chargement…",
  chooseTokens: "Choisissez les tokens",
  chooseTwoTokens: "Choisissez deux tokens différents",
  enterReceiver: (chain) => `Saisissez un destinataire sur ${chain}`,
  checkReceiver: "Vérifiez le destinataire",
  checkSlippage: "Vérifiez le slippage",
  connectWallet: "Connecter un portefeuille",
  connectWalletFor: (chain) => `Connecter un portefeuille pour ${chain}`,
  notEnough: (symbol) => `Pas assez de ${symbol}`,
  notEnoughForFee: (symbol) => `Pas assez de ${symbol} pour les frais de réseau`,
  lookingForRoutes: "Recherche d’itinéraires…",
  lookingAtBalance: "Lecture de votre solde…",
  noRoute: "Aucun itinéraire",
  chooseRoute: "Choisissez un itinéraire",
  switchTo: (chain) => `Passer sur ${chain}`,
  confirmLoss: "Confirmez d’abord la perte",
  send: (crossing) => (crossing ? "Transférer" : "Échanger"),
  approveAndSend: (crossing) => `Approuver et ${crossing ? "transférer" : "échanger"}`,

  namesNoAddress: "Ce nom ne désigne aucune adresse",
  nameTooSlow: "Le nom n’a pas pu être recherché à temps : réessayez, ou collez l’adresse",
  nameNotFound: "Le nom n’a pas pu être recherché : collez l’adresse",
  namesNotHere: "Les noms ne peuvent pas être recherchés ici : collez l’adresse",
  nameMoved: (name) => `${name} désigne maintenant une autre adresse : comparez-la, puis continuez`,
  lookingUpAgain: "Nouvelle recherche du nom…",
  formChanged: "Le formulaire ou le portefeuille a changé entre-temps : vérifiez-le de nouveau",
  nameRefusals: {
    refused: "Ce nom ne peut pas être recherché : collez l’adresse",
    invalid:
      "Ce n’est pas un nom ENS valide : il contient des caractères interdits dans un nom, ou faits pour ressembler " +
      "à d’autres",
    tooMany: "Trop de noms ont été recherchés d’ici : réessayez plus tard, ou collez l’adresse",
    outOfOrder: "Le service ne peut pas rechercher de noms pour l’instant : réessayez, ou collez l’adresse",
  },

  lossUnknown:
    "Tous les prix ne sont pas connus, la perte ne l’est donc pas non plus. Comparez vous-même les montants et les " +
    "frais.",
  loss: (share, worst) =>
    `Vous perdez ${share} de la valeur${worst ? `, et jusqu’à ${worst} si seul le minimum arrive` : ""}, frais ` +
    `compris.`,
  lossOfAll: "Vous perdez toute la valeur : les frais valent plus que ce qui arrive.",
  acceptLoss: " J’accepte cette perte",
  acceptStep: " J’accepte",
  minimumFell: (now, before) => `Cette étape rapporte maintenant au moins ${now} ; c’était au moins ${before}. `,
};
