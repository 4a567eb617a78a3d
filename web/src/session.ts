// One visit: what was chosen, what was answered, who is connected.

import { Api, type Chain, type ChainType, type Route, type RouteQuery, type Step, type Token } from "./api.ts";
import type { Options } from "./attributes.ts";
import { readBoth, readerOf } from "./balance.ts";
import type { Facts } from "./button.ts";
import { Catalog } from "./catalog.ts";
import { choicesOf, type PageChoices, refundFault } from "./choices.ts";
import type { Wallet } from "./connection.ts";
import { Connections } from "./connections.ts";
import { Endings } from "./endings.ts";
import { explain } from "./explanations.ts";
import {
  type Account,
  askedOf,
  chosenToken,
  complete,
  EMPTY,
  type Form,
  PLACEHOLDER,
  queryOf,
  receiverOf,
  type SideName,
} from "./form.ts";
import { browserStorage, type Leg, legOf, type Transfer } from "./history.ts";
import { firstForm } from "./links.ts";
import type { Tell } from "./page-events.ts";
import { checkBy } from "./proof.ts";
import { receiverHolds } from "./receiver.ts";
import { ReceiverNames, type ResolveName } from "./receiver-names.ts";
import { FRESH_MS, RouteRequests, type Search, sameWay } from "./route-requests.ts";
import { texts } from "./texts.ts";
import { Transfers } from "./transfers.ts";
import { NOTHING_ANSWERED, type Sort, type Visit, type VisitState } from "./visit.ts";
import type { Read } from "./wallet/nodes.ts";
import type { OwnWallets } from "./wallet/own-wallets.ts";
import { WalletRequests } from "./wallet-requests.ts";

export interface Host {
  changed: () => void;
  tell: Tell;
  /** What the page around the element resolves names by, if it does. */
  resolveName: () => ResolveName | undefined;
  /** The page's own wallets, if it has any. */
  ownWallets: () => OwnWallets | undefined;
  /** What that page has chosen of a question. */
  choices: () => PageChoices;
}

export class Session implements Visit, Facts {
  readonly api: Api;
  readonly catalog: Catalog;
  readonly connections: Connections;
  readonly transfers: Transfers;
  readonly names: ReceiverNames;
  readonly requests: WalletRequests;
  readonly endings = new Endings(this);
  form: Form = EMPTY;
  search: Search = { is: "idle" };
  ready = false;
  refused = "";
  balance: bigint | null = null;
  native: bigint | null = null;
  routeId: string | null = null;
  warned: Step | null = null;
  agreed = false;
  stale = false;
  about: string | null = null;
  busy = "";
  problem = "";
  view: "swap" | "history" = "swap";
  sort: Sort = "best";
  opened: string | null = null;
  settingsOpen = false;
  private readonly options: Options;
  private readonly host: Host;
  private readonly routes: RouteRequests;
  /** Counts changes: what was asked before the last one is not shown. */
  private round = 0;
  /** Whose balance of what was read. */
  private balanceOf = "";

  constructor(options: Options, host: Host) {
    this.options = options;
    this.host = host;
    const storage = browserStorage();
    this.api = new Api(options.api, options.signingKeys && checkBy(options.signingKeys));
    this.catalog = new Catalog(this.api, options.tokens);
    const page = { given: host.ownWallets, remote: options.walletConnect };
    this.connections = new Connections(storage, this.catalog, page, {
      accountChanged: () => this.walletChanged(true),
      chainChanged: () => this.walletChanged(false),
      announced: () => host.changed(),
    });
    const watcher = {
      changed: () => host.changed(),
      sent: ({ transactionId, hash }: Leg, later: boolean) =>
        host.tell("rhumbline-sent", { transactionId, hash, later }),
      ended: (transfer: Transfer) => this.ended(transfer),
    };
    const around = { wallet: () => this.walletOf("EVM"), sponsor: () => host.choices().sponsor };
    this.transfers = new Transfers(this.api, this.catalog, storage, watcher, around);
    this.names = new ReceiverNames(host.resolveName, (receiver) => this.edit({ receiver }));
    this.requests = new WalletRequests(this, () => askedOf(this.form));
    this.routes = new RouteRequests(this.api, {
      query: () => this.query(),
      asking: () => this.set({ search: { is: "asking" } }),
      about: ({ outputAmount }) => this.set({ about: outputAmount }),
      answered: (routes) => this.answered(routes),
      failed: (error, again) =>
        this.set({ search: { is: "failed", explanation: explain(error, askedOf(this.form), again) } }),
      stale: () => this.set({ stale: true }),
    });
  }

  /** Begins: wallets, chains and tokens, what is under way. */
  async start(): Promise<void> {
    this.set({ refused: "" });
    try {
      await this.catalog.load(this.options.chains, this.options.payers, this.options.tools);
      if (!this.catalog.payers.length) return this.set({ refused: texts.noChains });
      this.connections.start();
      this.transfers.start();
      const filled = await firstForm(this.catalog, this.options);
      Object.assign(this, { form: { ...this.form, ...filled }, ready: true });
      this.edited();
      if (!filled.pay.token || !filled.get.token) this.set({ problem: texts.linkNotServed });
    } catch (error) {
      this.set({ refused: explain(error, askedOf(this.form)).text });
    }
  }

  stop(): void {
    this.connections.stop();
    this.routes.stop();
    this.names.stop();
    this.transfers.stop();
  }

  set(changes: Partial<VisitState>): void {
    Object.assign(this, changes);
    this.host.changed();
  }

  get wallet(): Wallet | null {
    return this.walletOf(this.form.pay.chain?.chainType);
  }

  walletOf(chainType: ChainType | undefined): Wallet | null {
    return this.connections.of(chainType);
  }

  get route(): Route | null {
    if (this.search.is !== "answered") return null;
    return this.search.routes.find(({ id }) => id === this.routeId) ?? this.search.routes[0] ?? null;
  }

  get account(): Account | null {
    return this.wallet;
  }

  get receiving(): Account | null {
    return this.walletOf(this.form.get.chain?.chainType);
  }

  get choices(): PageChoices {
    return this.host.choices();
  }

  get integrator(): string | undefined {
    return this.options.integrator;
  }

  /** Changes the form, and asks again. */
  edit(changes: Partial<Form>): void {
    this.form = this.names.follow({ ...this.form, ...changes });
    this.edited();
  }

  showReceiver(): void {
    this.set({ form: { ...this.form, receiverShown: true } });
  }

  choose(side: SideName, chain: Chain, token: Token): void {
    const { bridged } = this.catalog;
    const changes = chosenToken(this.form, side, { chain, token }, { bridged, payable: (each) => this.payable(each) });
    if (changes) this.edit(changes);
  }

  /** Swaps the two sides, where the other chain can be paid from; the receiver was for the old one. */
  flip(): void {
    const { pay, get, locked } = this.form;
    if (this.payable(get.chain) && !locked?.length)
      this.edit({ pay: get, get: pay, amount: "", fixed: "pay", receiver: "", refundTo: "" });
  }

  payable(chain: Chain | null): boolean {
    return this.catalog.payers.some(({ id }) => id === chain?.id);
  }

  /** Asks again: the answer or the form is no longer what it was. */
  renew(): void {
    this.routes.changed(0);
  }

  pause(): void {
    this.routes.stop();
  }

  edited(): void {
    this.round += 1;
    Object.assign(this, NOTHING_ANSWERED);
    const { token } = this.form.pay;
    const balanceOf = [this.wallet?.address, token?.chainId, token?.address].join();
    // The old balance stays until it is read again: buttons that come and go would lose the focus.
    if (balanceOf !== this.balanceOf) Object.assign(this, { balanceOf, balance: null, native: null });
    void this.readBalances();
    this.routes.changed();
    this.host.changed();
  }

  again(): void {
    this.set({ stale: false, problem: "", warned: null });
    void this.readBalances();
    this.routes.changed(0);
  }

  /** Returns how many seconds the answer that is shown holds. */
  secondsLeft(): number {
    if (this.search.is !== "answered") return 0;
    return Math.max(0, Math.ceil((this.search.at + FRESH_MS - Date.now()) / 1000));
  }

  pickRoute(id: string): void {
    this.set({ routeId: id, agreed: false, warned: null, problem: "" });
  }

  private query(): RouteQuery | null {
    const { form, receiving } = this;
    if (!complete(form, receiving) || refundFault(form) || this.busy) return null;
    const sender = this.wallet?.address ?? PLACEHOLDER[(form.pay.chain as Chain).chainType];
    const choices = choicesOf(form, this.choices);
    return queryOf(form, sender, receiverOf(form, receiving), this.options, { ...this.catalog.filters, ...choices });
  }

  private answered(routes: Route[]): void {
    const [kept, open] = [this.routeId, this.opened].map((id) => sameWay(this.search, id, routes));
    const search: Search = { is: "answered", routes, at: Date.now() };
    const shown = { routeId: kept?.id ?? null, opened: open?.id ?? null };
    this.set({ search, ...shown, stale: false, warned: null, agreed: false });
    this.host.tell("rhumbline-quote", { routes });
  }

  /** Returns how to read a chain: by the wallet that is on it, else by public nodes. */
  reader(chain: Chain): Read | null {
    return readerOf(this.walletOf("EVM"), chain);
  }

  async readBalances(): Promise<void> {
    const { wallet, round } = this;
    const { chain, token } = this.form.pay;
    if (!wallet || !chain || !token) return;
    const found = await readBoth(this.reader(chain), chain, token.address, wallet.address);
    if (round === this.round && wallet === this.wallet) this.set(found);
  }

  /** Reads again when the wallet has another account or chain; what is being signed goes on as it began. */
  private walletChanged(account: boolean): void {
    this.requests.walletsChanged();
    if (account && this.ready && !this.busy) {
      this.edited();
      return;
    }
    if (this.ready && !this.busy) void this.readBalances();
    this.host.changed();
  }

  /** Sends the chosen route's first step. */
  async begin(): Promise<void> {
    // What was on the screen when it was pressed, not what may be answered in the meantime.
    const { route, wallet, form, agreed, warned } = this;
    const receiver = receiverOf(form, this.receiving);
    if (!(await receiverHolds(this, receiver))) return;
    await this.requests.begin({ route, wallet, form, receiver, agreed, warned });
  }

  /** Signs the step of a transfer that is next. */
  sign(transfer: Transfer): Promise<void> {
    return this.requests.sign(transfer);
  }

  private ended(transfer: Transfer): void {
    const { transactionId, hash, state, received } = legOf(transfer);
    this.host.tell("rhumbline-done", { transactionId, hash, state, received });
    this.host.changed();
    void this.readBalances();
  }
}
