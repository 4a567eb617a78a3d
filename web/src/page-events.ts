// What the page around the element is told: by what has changed of a visit since it was last looked at.

import { same } from "./addresses.ts";
import type { Route, Token } from "./api.ts";
import { type Offered, servedFaults } from "./attribute-checks.ts";
import type { Options } from "./attributes.ts";
import type { Wallet } from "./connection.ts";
import { amountOf, type Form } from "./form.ts";
import type { Doubtful } from "./page-warnings.ts";
import type { Choice, ChosenToken, ErrorDetail, SwapEvents, WalletChange } from "./public-types.ts";
import type { Search } from "./route-requests.ts";
import { texts } from "./texts.ts";

/** What is looked at of a visit. */
export interface Watched {
  readonly ready: boolean;
  readonly form: Form;
  readonly route: Route | null;
  readonly search: Search;
  readonly problem: string;
  readonly refused: string;
  /** The wallets that are connected: one at most for each type of chain. */
  readonly connections: { all(): readonly Pick<Wallet, "name" | "address" | "chainType" | "chainId">[] };
  readonly catalog: Offered;
}

export type Tell = <Name extends keyof SwapEvents>(name: Name, detail: SwapEvents[Name]) => void;

/** How the service's warnings say that the integrator's fee is left out. */
const FEE_SKIPPED = /_FEE_SKIPPED$/;

export class PageEvents {
  readonly tell: Tell;
  private options: Options | null = null;
  private begun = false;
  private warned = new Set<string>();
  private search: Search | null = null;
  private problem = "";
  private refused = "";
  private choice = "";
  private connecting = "";
  private wallets: readonly WalletChange[] = [];

  constructor(tell: Tell) {
    this.tell = tell;
  }

  /** Begins to look at another visit, and says what is wrong with its attributes. */
  begin(options: Options | null, faults: readonly Doubtful[]): void {
    Object.assign(this, { options, begun: false, warned: new Set(), search: null, problem: "", refused: "" });
    this.warnAll(faults);
  }

  warnAll(faults: readonly Doubtful[]): void {
    for (const fault of faults) this.warn(fault);
  }

  /** Looks at a visit; `connecting` is why the wallet that was chosen last is not connected. */
  look(visit: Watched, connecting = ""): void {
    const { refused, problem } = visit;
    if (refused && refused !== this.refused) this.error("start", "STOPPED", refused);
    if (problem && problem !== this.problem) this.error("send", codeOf(problem), problem);
    if (connecting && connecting !== this.connecting) this.error("connect", codeOf(connecting), connecting);
    Object.assign(this, { refused, problem, connecting });
    this.lookAtWallets(visit);
    if (!visit.ready || !this.options) return;
    if (!this.begun) this.warnAll(servedFaults(this.options, visit.catalog, visit.form));
    this.begun = true;
    for (const value of visit.catalog.missing) this.warn({ code: "NOT_SERVED", attributes: ["tokens"], value });
    this.lookAtChoice(visit);
    this.lookAtSearch(visit.search);
  }

  error(during: ErrorDetail["during"], code: string, message: string): void {
    this.tell("rhumbline-error", { during, code, message });
  }

  private lookAtWallets({ connections }: Watched): void {
    const now = connections.all().map(connected);
    const before = this.wallets;
    this.wallets = now;
    for (const old of before) {
      if (!now.some(({ chainType }) => chainType === old.chainType)) {
        this.tell("rhumbline-wallet", { ...old, state: "disconnected" });
      }
    }
    for (const wallet of now) {
      const old = before.find(({ chainType }) => chainType === wallet.chainType);
      if (!old) this.tell("rhumbline-wallet", wallet);
      else if (!isSameWallet(old, wallet)) this.tell("rhumbline-wallet", { ...wallet, state: "changed" });
    }
  }

  private lookAtChoice({ form, route }: Watched): void {
    const receiver = form.receiver.trim();
    const amount = amountOf(form)?.toString() ?? null;
    const [from, to] = [chosen(form.pay.token), chosen(form.get.token)];
    const choice: Choice = { from, to, amount, receiver: receiver || null, route };
    const known = JSON.stringify({ ...choice, route: route?.id ?? null });
    if (known === this.choice) return;
    this.choice = known;
    this.tell("rhumbline-choice", choice);
  }

  private lookAtSearch(search: Search): void {
    if (search === this.search) return;
    this.search = search;
    if (search.is === "answered" && this.options?.fee) {
      const without = search.routes.filter(({ warnings }) => warnings?.some(({ code }) => FEE_SKIPPED.test(code)));
      const value = [...new Set(without.map(({ adapter }) => adapter))].sort().join(", ");
      if (value) this.warn({ code: "FEE_NOT_TAKEN", attributes: ["fee", "integrator"], value });
    }
    if (search.is !== "failed") return;
    const { code, text, faults } = search.explanation;
    this.error("quote", code, text);
    const refused = faults.filter((fault) => /^(fee|integrator)\b/.test(fault)).join("; ");
    if (refused) this.warn({ code: "FEE_REFUSED", attributes: ["fee", "integrator"], value: refused });
  }

  /** Warns of each once a visit; what it says is loaded only then. */
  private warn(fault: Doubtful): void {
    const known = JSON.stringify(fault);
    if (this.warned.has(known)) return;
    this.warned.add(known);
    void import("./page-warnings.ts").then(
      ({ warn }) => this.tell("rhumbline-warning", warn(fault)),
      // The service has a newer version by now, with other chunks: the event comes without words.
      () => this.tell("rhumbline-warning", { ...fault, message: fault.code }),
    );
  }
}

const connected = ({
  name,
  address,
  chainType,
  chainId,
}: ReturnType<Watched["connections"]["all"]>[number]): WalletChange => ({
  ...{ state: "connected", chainType, address, name },
  chainId: chainId === null ? null : Number(chainId),
});

const isSameWallet = (one: WalletChange, other: WalletChange): boolean =>
  same(one.address, other.address) && one.chainId === other.chainId && one.name === other.name;

/** Returns the code for what the element says of a wallet. */
export const codeOf = (problem: string): string => (problem === texts.declined ? "DECLINED" : "STOPPED");

const chosen = (token: Token | null): ChosenToken | null =>
  token && { chainId: token.chainId, address: token.address, symbol: token.symbol, decimals: token.decimals };
