// One visit: what was chosen, what was answered, who is connected.

import { same } from "./addresses.ts";
import { Api, type Chain, type Question, type Route, type Step, type Token } from "./api.ts";
import { readBalance } from "./balance.ts";
import { Catalog } from "./catalog.ts";
import { Connection, type Wallet } from "./connection.ts";
import type { Options } from "./embedding.ts";
import { browserStorage, legOf, type Transfer } from "./history.ts";
import { readLink, sidesOf } from "./links.ts";
import { Naming, type ResolveName } from "./naming.ts";
import { FRESH_MS, Quoting } from "./quoting.ts";
import { PriceMoved, Stopped } from "./sending.ts";
import { type Account, amountOf, type Asking, complete, type Facts, type Form, lossOfStep, needsYes, PLACEHOLDER, questionOf } from "./state.ts";
import { Voyages } from "./voyages.ts";
import { EvmWallet, evmRead, walletError } from "./wallet/evm.ts";
import { nodeOf, type Read } from "./wallet/nodes.ts";
import { wordsFor } from "./words.ts";

export interface Host {
  changed: () => void;
  tell: (name: "quote" | "sent" | "done", detail: unknown) => void;
  /** What the page around the element resolves names by, if it does. */
  resolveName: () => ResolveName | undefined;
}

export type Sort = "best" | "net" | "time" | "fees";
export class Session implements Facts {
  readonly api: Api;
  readonly catalog: Catalog;
  readonly connection: Connection;
  readonly voyages: Voyages;
  readonly naming: Naming;
  form: Form = { pay: { chain: null, token: null }, get: { chain: null, token: null }, amount: "", receiver: "", receiverShown: false, slippage: "" };
  asking: Asking = { is: "idle" };
  ready = false;
  /** Why the form cannot be filled, in words. */
  refused = "";
  balance: bigint | null = null;
  native: bigint | null = null;
  routeId: string | null = null;
  warned: Step | null = null;
  agreed = false;
  stale = false;
  busy = "";
  /** What stopped the last attempt to send, in words. */
  said = "";
  view: "swap" | "history" = "swap";
  sort: Sort = "best";
  /** The route whose row is open. */
  opened: string | null = null;
  settingsOpen = false;
  /** What has to be believed of each route that was opened. */
  readonly believed = new Map<string, readonly string[]>();
  private readonly options: Options;
  private readonly host: Host;
  private readonly quoting: Quoting;
  private round = 0;

  constructor(options: Options, host: Host) {
    this.options = options;
    this.host = host;
    const storage = browserStorage();
    this.api = new Api(options.api);
    this.catalog = new Catalog(this.api, options.tokens);
    this.connection = new Connection(storage, { another: () => this.moved(true), moved: () => this.moved(false), met: () => host.changed() });
    this.voyages = new Voyages(this.api, this.catalog, storage, { changed: () => host.changed(), ended: (transfer) => this.ended(transfer) });
    this.naming = new Naming(() => host.resolveName(), (receiver) => this.edit({ receiver }));
    this.quoting = new Quoting(this.api, {
      question: () => this.question(),
      asking: () => this.set({ asking: { is: "asking" } }),
      answered: (routes) => this.answered(routes),
      failed: (error) => this.set({ asking: { is: "failed", words: wordsFor(error, this.asked()) } }),
      stale: () => this.set({ stale: true }),
    });
  }

  /** Begins: wallets, chains and tokens, what is under way. */
  async start(): Promise<void> {
    this.set({ refused: "" });
    try {
      await this.catalog.load(this.options.chains, this.options.payers);
      if (!this.catalog.payers.length) return this.set({ refused: "This service quotes on no chain yet: its operator has configured none" });
      this.connection.start();
      this.voyages.start();
      const link = readLink(this.options.link);
      this.form = { ...this.form, ...(await sidesOf(this.catalog, link)), amount: link.amount };
      this.set({ ready: true });
      this.edited();
    } catch (error) {
      this.set({ refused: wordsFor(error, this.asked()).text });
    }
  }

  stop(): void {
    this.connection.stop();
    this.quoting.stop();
    this.naming.stop();
    this.voyages.stop();
  }

  set(changes: Partial<Session>): void {
    Object.assign(this, changes);
    this.host.changed();
  }

  get wallet(): Wallet | null {
    return this.connection.wallet;
  }

  get route(): Route | null {
    if (this.asking.is !== "answered") return null;
    return this.asking.routes.find(({ id }) => id === this.routeId) ?? this.asking.routes[0] ?? null;
  }

  get account(): Account | null {
    const { wallet } = this;
    return wallet && { address: wallet.address, name: wallet.name, chainType: wallet.chainType, chainId: wallet.chainId };
  }

  get integrator(): string | undefined {
    return this.options.integrator;
  }

  private asked(): { symbol: string; decimals: number; amount: bigint | null } {
    const { token } = this.form.pay;
    return { symbol: token?.symbol ?? "", decimals: token?.decimals ?? 0, amount: amountOf(this.form) };
  }

  /** Takes changes of the form, and asks anew. */
  edit(changes: Partial<Form>): void {
    this.form = this.naming.follow({ ...this.form, ...changes });
    this.edited();
  }

  showReceiver(): void {
    this.set({ form: { ...this.form, receiverShown: true } });
  }

  choose(side: "pay" | "get", chain: Chain, token: Token): void {
    const other = side === "pay" ? "get" : "pay";
    const clash = this.form[other].token;
    const swapped = clash && clash.chainId === token.chainId && same(clash.address, token.address);
    const changes: Partial<Form> = { [side]: { chain, token } };
    if (swapped && (other === "get" || this.payable(this.form[side].chain))) changes[other] = this.form[side];
    else if (!this.catalog.bridged && chain.id !== this.form[other].chain?.id) changes[other] = { chain, token: null };
    this.edit(changes);
  }

  /** Turns the way around, where the other chain can be paid from; the receiver was for the old one. */
  flip(): void {
    const { pay, get } = this.form;
    if (this.payable(get.chain)) this.edit({ pay: get, get: pay, amount: "", receiver: "" });
  }

  payable(chain: Chain | null): boolean {
    return this.catalog.payers.some(({ id }) => id === chain?.id);
  }

  private edited(): void {
    this.round += 1;
    Object.assign(this, { warned: null, agreed: false, said: "", stale: false, routeId: null, opened: null, asking: { is: "idle" }, balance: null, native: null });
    void this.balances();
    this.quoting.changed();
    this.host.changed();
  }

  again(): void {
    this.set({ stale: false, said: "", warned: null });
    void this.balances();
    this.quoting.changed(0);
  }

  /** Answers how many seconds the answer that is shown holds. */
  left(): number {
    return this.asking.is === "answered" ? Math.max(0, Math.ceil((this.asking.at + FRESH_MS - Date.now()) / 1000)) : 0;
  }

  pickRoute(id: string): void {
    this.set({ routeId: id, agreed: false, warned: null, said: "" });
  }

  /** Opens a route's row; what has to be believed is asked for once. */
  open(id: string | null): void {
    this.set({ opened: id });
    const route = this.asking.is === "answered" && this.asking.routes.find((each) => each.id === id);
    const [first] = route ? route.steps : [];
    if (!route || !first || this.believed.has(route.id)) return;
    const context = { senderAddress: first.action.fromAddress, receiverAddress: first.action.toAddress };
    const known = this.api.step(first, context).then((step) => step.trustAssumptions ?? [], () => ["It could not be asked just now."]);
    void known.then((said) => {
      this.believed.set(route.id, said);
      this.host.changed();
    });
  }

  private question(): Question | null {
    if (!complete(this.form) || this.busy) return null;
    const { chainType } = this.form.pay.chain as Chain;
    const sender = this.wallet?.chainType === chainType ? this.wallet.address : PLACEHOLDER[chainType];
    return questionOf(this.form, sender, this.options);
  }

  private answered(routes: Route[]): void {
    const [adapter, open] = [this.routeId && this.route?.adapter, this.opened !== null && this.route?.id === this.opened];
    const kept = adapter ? routes.find((route) => route.adapter === adapter) : undefined;
    this.set({ asking: { is: "answered", routes, at: Date.now() }, routeId: kept?.id ?? null, stale: false, warned: null, agreed: false, opened: open ? (kept?.id ?? null) : null });
    this.host.tell("quote", { routes });
  }

  /** Answers how to read a chain: by the wallet that is on it, else by public nodes. */
  reader(chain: Chain): Read | null {
    return (this.wallet instanceof EvmWallet ? evmRead(this.wallet, chain) : null) ?? nodeOf(chain);
  }

  private async balances(): Promise<void> {
    const { chain, token } = this.form.pay;
    const { wallet, round } = this;
    if (!wallet || !chain || !token || chain.chainType !== wallet.chainType) return;
    const read = this.reader(chain);
    const look = async (address: string): Promise<bigint | null> => (read ? readBalance(read, chain, address, wallet.address).catch(() => null) : null);
    const [balance, native] = await Promise.all([look(token.address), look(chain.nativeToken.address)]);
    if (round === this.round && wallet === this.wallet) this.set({ balance, native });
  }

  /** Looks anew when the wallet is another; what is being signed goes on with the one that it began with. */
  private moved(another: boolean): void {
    if (this.busy || !this.ready) return this.host.changed();
    if (another) return this.edited();
    void this.balances();
    this.host.changed();
  }

  /** Moves the wallet to the chain that is paid from. */
  async reach(): Promise<void> {
    const { chain } = this.form.pay;
    const { wallet } = this;
    if (!(wallet instanceof EvmWallet) || !chain) return;
    this.set({ busy: `Switch to ${chain.name} in your wallet`, said: "" });
    try {
      await wallet.reach(chain);
    } catch (error) {
      this.said = walletError(error);
    }
    this.set({ busy: "" });
    void this.balances();
  }

  /** Sends the chosen route's first step. */
  async begin(): Promise<void> {
    const { route, wallet, form } = this;
    const { pay, get } = form;
    if (!route || !wallet || !pay.token || !get.token || !(await this.naming.holds(this))) return;
    return this.sail({
      id: crypto.randomUUID(), api: this.api.base, created: Date.now(), sender: wallet.address, receiver: form.receiver.trim() || wallet.address,
      pay: { ...pay.token }, get: { ...get.token }, amount: route.inputAmount, adapter: route.adapter, seconds: route.estimatedTimeSec, integrator: this.integrator,
      legs: route.steps.map((plan) => ({ state: "ready", plan, minimum: plan.estimate.toAmountMin, expected: plan.estimate.toAmount })),
    });
  }

  /** Signs the leg of a transfer that is next. */
  async sail(transfer: Transfer): Promise<void> {
    const { wallet } = this;
    if (!wallet || this.busy) return;
    const first = legOf(transfer) === transfer.legs[0];
    this.quoting.stop();
    this.set({ busy: "Confirm in your wallet…", said: "" });
    try {
      const leg = await this.voyages.sail(transfer, wallet, (step) => this.agreed || !needsYes(lossOfStep(this.catalog, step)));
      this.host.tell("sent", { transactionId: leg.transactionId, hash: leg.hash });
      if (first) this.form = { ...this.form, amount: "" };
      this.busy = "";
      this.edited();
    } catch (error) {
      this.set({ busy: "", said: this.stopped(error) });
      void this.balances();
    }
  }

  /** Says what stopped a transfer, and asks anew where the price is another. */
  private stopped(error: unknown): string {
    if (error instanceof PriceMoved) {
      this.agreed = false;
      if (error.fell) this.quoting.changed(0);
      else this.warned = error.step;
    }
    if (error instanceof Stopped) return error.message;
    return typeof (error as { status?: unknown } | null)?.status === "number" ? wordsFor(error, this.asked()).text : walletError(error);
  }

  private ended(transfer: Transfer): void {
    const { transactionId, hash, state, received } = legOf(transfer);
    this.host.tell("done", { transactionId, hash, state, received });
    this.host.changed();
    void this.balances();
  }
}
