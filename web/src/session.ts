// One visit: what was chosen, what was answered, who is connected.

import { Api, type Chain, type Route, type RouteQuery, type Step, type Token } from "./api.ts";
import type { Options } from "./attributes.ts";
import { readBalance } from "./balance.ts";
import type { Facts } from "./button.ts";
import { Catalog } from "./catalog.ts";
import { Connection, type Wallet } from "./connection.ts";
import { type Asked, explain } from "./explanations.ts";
import {
  type Account,
  amountOf,
  complete,
  EMPTY,
  type Form,
  PLACEHOLDER,
  queryOf,
  type SideName,
  sameToken,
} from "./form.ts";
import { browserStorage, legOf, type Transfer } from "./history.ts";
import { readLink, sidesOf } from "./links.ts";
import { ReceiverNames, type ResolveName } from "./receiver-names.ts";
import { FRESH_MS, RouteRequests, type Search, sameWay } from "./route-requests.ts";
import * as texts from "./texts.ts";
import { Transfers } from "./transfers.ts";
import { NOTHING_ANSWERED, type Sort, type Visit, type VisitState } from "./visit.ts";
import { EvmWallet, evmRead } from "./wallet/evm.ts";
import { nodeOf, type Read } from "./wallet/nodes.ts";
import { WalletRequests } from "./wallet-requests.ts";

export interface Host {
  changed: () => void;
  tell: (name: "quote" | "sent" | "done", detail: unknown) => void;
  /** What the page around the element resolves names by, if it does. */
  resolveName: () => ResolveName | undefined;
}

export class Session implements Visit, Facts {
  readonly api: Api;
  readonly catalog: Catalog;
  readonly connection: Connection;
  readonly transfers: Transfers;
  readonly names: ReceiverNames;
  readonly requests: WalletRequests;
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
    this.api = new Api(options.api);
    this.catalog = new Catalog(this.api, options.tokens);
    this.connection = new Connection(storage, {
      accountChanged: () => this.walletChanged(true),
      chainChanged: () => this.walletChanged(false),
      announced: () => host.changed(),
    });
    const watcher = { changed: () => host.changed(), ended: (transfer: Transfer) => this.ended(transfer) };
    this.transfers = new Transfers(this.api, this.catalog, storage, watcher, () => this.wallet);
    this.names = new ReceiverNames(host.resolveName, (receiver) => this.edit({ receiver }));
    this.requests = new WalletRequests(this, () => this.asked());
    this.routes = new RouteRequests(this.api, {
      query: () => this.query(),
      asking: () => this.set({ search: { is: "asking" } }),
      answered: (routes) => this.answered(routes),
      failed: (error) => this.set({ search: { is: "failed", explanation: explain(error, this.asked()) } }),
      stale: () => this.set({ stale: true }),
    });
  }

  /** Begins: wallets, chains and tokens, what is under way. */
  async start(): Promise<void> {
    this.set({ refused: "" });
    try {
      await this.catalog.load(this.options.chains, this.options.payers);
      if (!this.catalog.payers.length) return this.set({ refused: texts.noChains });
      this.connection.start();
      this.transfers.start();
      const link = readLink(this.options.link);
      const sides = await sidesOf(this.catalog, link);
      Object.assign(this, { form: { ...this.form, ...sides, amount: link.amount }, ready: true });
      this.edited();
      if (!sides.pay.token || !sides.get.token) this.set({ problem: texts.linkNotServed });
    } catch (error) {
      this.set({ refused: explain(error, this.asked()).text });
    }
  }

  stop(): void {
    this.connection.stop();
    this.routes.stop();
    this.names.stop();
    this.transfers.stop();
  }

  set(changes: Partial<VisitState>): void {
    Object.assign(this, changes);
    this.host.changed();
  }

  get wallet(): Wallet | null {
    return this.connection.wallet;
  }

  get route(): Route | null {
    if (this.search.is !== "answered") return null;
    return this.search.routes.find(({ id }) => id === this.routeId) ?? this.search.routes[0] ?? null;
  }

  get account(): Account | null {
    const { wallet } = this;
    return (
      wallet && { address: wallet.address, name: wallet.name, chainType: wallet.chainType, chainId: wallet.chainId }
    );
  }

  get integrator(): string | undefined {
    return this.options.integrator;
  }

  private asked(): Asked {
    const { token } = this.form.pay;
    return { symbol: token?.symbol ?? "", decimals: token?.decimals ?? 0, amount: amountOf(this.form) };
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
    const other = side === "pay" ? "get" : "pay";
    const swapped = sameToken(this.form[other].token, token);
    const changes: Partial<Form> = { [side]: { chain, token } };
    if (swapped && (other === "get" || this.payable(this.form[side].chain))) changes[other] = this.form[side];
    else if (!this.catalog.bridged && chain.id !== this.form[other].chain?.id) changes[other] = { chain, token: null };
    this.edit(changes);
  }

  /** Swaps the two sides, where the other chain can be paid from; the receiver was for the old one. */
  flip(): void {
    const { pay, get } = this.form;
    if (this.payable(get.chain)) this.edit({ pay: get, get: pay, amount: "", receiver: "" });
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
    if (!complete(this.form) || this.busy) return null;
    const { chainType } = this.form.pay.chain as Chain;
    const sender = this.wallet?.chainType === chainType ? this.wallet.address : PLACEHOLDER[chainType];
    return queryOf(this.form, sender, this.options);
  }

  private answered(routes: Route[]): void {
    const [kept, open] = [this.routeId, this.opened].map((id) => sameWay(this.search, id, routes));
    this.set({
      search: { is: "answered", routes, at: Date.now() },
      routeId: kept?.id ?? null,
      stale: false,
      warned: null,
      agreed: false,
      opened: open?.id ?? null,
    });
    this.host.tell("quote", { routes });
  }

  /** Returns how to read a chain: by the wallet that is on it, else by public nodes. */
  reader(chain: Chain): Read | null {
    return (this.wallet instanceof EvmWallet ? evmRead(this.wallet, chain) : null) ?? nodeOf(chain);
  }

  async readBalances(): Promise<void> {
    const { wallet, round } = this;
    const { chain, token } = this.form.pay;
    if (!wallet || !chain || !token || chain.chainType !== wallet.chainType) return;
    const read = this.reader(chain);
    const look = async (address: string): Promise<bigint | null> =>
      read ? readBalance(read, chain, address, wallet.address).catch(() => null) : null;
    const [balance, native] = await Promise.all([look(token.address), look(chain.nativeToken.address)]);
    if (round === this.round && wallet === this.wallet) this.set({ balance, native });
  }

  /** Reads again when the wallet has another account or chain; what is being signed goes on as it began. */
  private walletChanged(account: boolean): void {
    if (!this.wallet) this.requests.stopWaiting(texts.walletLost);
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
    if (await this.nameHolds(form, wallet)) await this.requests.begin({ route, wallet, form, agreed, warned });
  }

  /** Looks a receiver's name up once more; returns whether it, the form and the wallet are what was shown. */
  private async nameHolds(form: Form, wallet: Wallet | null): Promise<boolean> {
    if (!this.names.lookup) return true;
    this.set({ busy: texts.lookingUpAgain, problem: "" });
    const unchanged = (): boolean => this.form === form && this.wallet === wallet;
    const problem = (await this.names.confirm()) || (unchanged() ? "" : texts.formChanged);
    this.set({ busy: "" });
    // Asks again: nothing was asked while it was busy.
    if (problem) this.edit(this.names.lookup ? { receiver: this.names.lookup.typed } : {});
    this.set({ problem });
    return !problem;
  }

  sent(transactionId: string | undefined, hash: string | undefined): void {
    this.host.tell("sent", { transactionId, hash });
  }

  /** Signs the step of a transfer that is next. */
  sign(transfer: Transfer): Promise<void> {
    return this.requests.sign(transfer);
  }

  private ended(transfer: Transfer): void {
    const { transactionId, hash, state, received } = legOf(transfer);
    this.host.tell("done", { transactionId, hash, state, received });
    this.host.changed();
    void this.readBalances();
  }
}
