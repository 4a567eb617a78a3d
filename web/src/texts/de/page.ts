// What stands on the page: the frame, the form, names of receivers, losses.

import type * as english from "../en/page.ts";
import type { Words } from "../words.ts";

export const page: Words<typeof english> = {
  viewLabel: "Ansicht",
  swapView: "Tauschen",
  historyView: "Verlauf",
  language: "Sprache",
  automatic: "Automatisch",
  servedBy: "Bereitgestellt von",
  forIntegrator: (name) => ` für ${name}`,
  holdsNothing: ". Verwahrt keine Guthaben; nur Ihre Wallet signiert.",
  noService: "Diese Seite nennt keine Adresse eines Dienstes: Prüfen Sie dieses Attribut des Elements:",
  emptyForm:
    "Geben Sie einen Betrag ein. Hier erscheinen dann die Routen: was jede bringt, kostet und wie lange sie dauert.",
  bestAnswer: (amount, adapter) => `Bestes Angebot: ${amount} über ${adapter}`,
  tryAgain: "Erneut versuchen",
  askAgain: "Neu anfragen",
  pickerNotLoaded: "Die Tokenliste konnte nicht geladen werden: Laden Sie die Seite neu",

  youPay: "Sie zahlen",
  youReceive: "Sie erhalten",
  expected: (amount) => `Etwa ${amount} erwartet`,
  expectedRule: "Was eingegeben wurde, kommt mindestens an. Bleiben die Preise, wie sie sind, kommt so viel an.",
  flipSides: "Die beiden Seiten vertauschen",
  tokenToPay: "Token, mit dem Sie zahlen: ",
  tokenToReceive: "Token, den Sie erhalten: ",
  choose: "Wählen",
  balance: (amount) => `Guthaben ${amount}`,
  payShare: (percent) => `${percent} des Guthabens zahlen`,
  max: "Max",
  maxLess: (kept) => `Max, abzüglich ${kept} für die Netzwerkgebühr`,
  rateLabel: (rate) => `Kurs: ${rate}. Andersherum anzeigen`,
  countdownTitle: "Danach werden die Routen neu angefragt",
  slippage: "Slippage",
  slippageNow: (percent) => `Slippage: ${percent || "automatisch"}`,
  auto: "Auto",
  ownSlippage: "Eigene Slippage in Prozent",
  ownPercent: "Eigene %",
  slippageHint:
    "Um wie viel weniger als angeboten ankommen darf. Auto legt das nach Paar und Route fest; darunter wird nicht " +
    "getauscht.",
  slippageFault: (example) => `Geben Sie einen Prozentsatz über 0 und unter 50 ein, etwa ${example}`,
  priority: "Prioritätsgebühr",
  priorities: { low: "Niedrig", medium: "Mittel", high: "Hoch" },
  priorityHint:
    "Was die Transaktion zahlt, um bei hoher Last auf Solana früher ausgeführt zu werden. Auto richtet sich nach " +
    "dem, was andere zahlen.",
  gasOnArrival: (symbol) => `Etwas ${symbol} für Gebühren dort mitbringen`,
  gasOnArrivalHint: "Reicht dort für etwa zehn Swaps und wird aus dem bezahlt, was ankommt.",
  refundTo: "Rückerstattungsadresse",
  refundOptional: "(leer lassen für die Wallet, die zahlt)",
  refundHint: (chain) =>
    `Scheitert die Bridge, kommen Ihre Token auf ${chain} an diese Adresse zurück. Nur Bridges, die das ` +
    "zusichern, werden gefragt.",
  refundNow: (address) => `Rückerstattung an ${address}`,
  checkRefund: "Rückerstattungsadresse prüfen",
  calledOnArrival: "Bei der Ankunft lässt diese Website die Token von einem Vertrag verwenden: ",
  calledElse: ". Scheitert das, erhält sie der Empfänger.",
  aboutSoMuch: "Ungefähr: Die Routen werden noch abgefragt",
  verified: " Seine Antworten werden anhand ihrer Signatur geprüft.",
  addReceiver: "+ An eine andere Adresse senden",
  receiver: "Empfänger",
  receiverOn: (chain) => `(eine Adresse auf ${chain})`,
  receiverOptional: "(leer lassen für Ihre eigene Wallet)",
  receiverSvm: "Base58-Adresse",
  receiverEvm: "0x…",
  receiverNamed: "0x… oder name.eth",
  lookingUp: "Name wird nachgeschlagen…",
  nameMeans: (chain) => ` auf ${chain} ist `,
  compareIt: ": Vergleichen Sie die Adresse.",

  loading: "Wird geladen…",
  chooseTokens: "Token wählen",
  chooseTwoTokens: "Zwei verschiedene Token wählen",
  enterReceiver: (chain) => `Empfänger auf ${chain} eingeben`,
  checkReceiver: "Empfänger prüfen",
  checkSlippage: "Slippage prüfen",
  connectWallet: "Wallet verbinden",
  connectWalletFor: (chain) => `Wallet für ${chain} verbinden`,
  notEnough: (symbol) => `Nicht genug ${symbol}`,
  notEnoughForFee: (symbol) => `Nicht genug ${symbol} für die Netzwerkgebühr`,
  lookingForRoutes: "Routen werden gesucht…",
  lookingAtBalance: "Guthaben wird geprüft…",
  noRoute: "Keine Route",
  chooseRoute: "Route wählen",
  switchTo: (chain) => `Zu ${chain} wechseln`,
  confirmLoss: "Zuerst den Verlust bestätigen",
  send: (crossing) => (crossing ? "Transferieren" : "Tauschen"),
  approveAndSend: (crossing) => `Genehmigen und ${crossing ? "transferieren" : "tauschen"}`,

  namesNoAddress: "Dieser Name bezeichnet keine Adresse",
  nameTooSlow:
    "Der Name konnte nicht rechtzeitig nachgeschlagen werden: Versuchen Sie es noch einmal, oder fügen Sie die " +
    "Adresse ein",
  nameNotFound: "Der Name konnte nicht nachgeschlagen werden: Fügen Sie die Adresse ein",
  namesNotHere: "Namen können hier nicht nachgeschlagen werden: Fügen Sie die Adresse ein",
  nameMoved: (name) => `${name} bezeichnet jetzt eine andere Adresse: Vergleichen Sie sie und machen Sie dann weiter`,
  lookingUpAgain: "Name wird noch einmal nachgeschlagen…",
  formChanged: "Das Formular oder die Wallet hat sich inzwischen geändert: Prüfen Sie noch einmal",
  nameRefusals: {
    refused: "Dieser Name kann nicht nachgeschlagen werden: Fügen Sie die Adresse ein",
    invalid:
      "Das ist kein gültiger ENS-Name: Er enthält Zeichen, die kein Name haben darf, oder solche, die anderen " +
      "täuschend ähnlich sehen",
    tooMany:
      "Von hier wurden zu viele Namen nachgeschlagen: Versuchen Sie es später noch einmal, oder fügen Sie die " +
      "Adresse ein",
    outOfOrder:
      "Der Dienst kann gerade keine Namen nachschlagen: Versuchen Sie es noch einmal, oder fügen Sie die Adresse ein",
  },

  lossUnknown:
    "Nicht alle Preise sind bekannt, der Verlust also auch nicht. Vergleichen Sie Beträge und Gebühren selbst.",
  loss: (share, worst) =>
    `Sie verlieren ${share} des Werts${worst ? ` und bis zu ${worst}, falls nur das Minimum ankommt` : ""}, ` +
    `Gebühren eingerechnet.`,
  lossOfAll: "Sie verlieren den gesamten Wert: Die Gebühren sind mehr wert als das, was ankommt.",
  acceptLoss: " Ich nehme diesen Verlust in Kauf",
  acceptStep: " Ich bin einverstanden",
  minimumFell: (now, before) => `Dieser Schritt bringt jetzt mindestens ${now}; zuvor waren es mindestens ${before}. `,
};
