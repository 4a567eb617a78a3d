// One visit: what was chosen, what was answered, who is connected, what is under way.

import { same } from "./addresses.ts";
import { Api, type Chain, type Question, type Route, type Step, type Token } from "./api.ts";
import { Catalog } from "./catalog.ts";
import { follow } from "./following.ts";
import { browserStorage, History, isMoving, legOf, type Transfer } from "./history.ts";
import { type Link, readLink, type Wanted } from "./links.ts";
import { FRESH_MS, Quoting } from "./quoting.ts";
import { PriceMoved, send, Stopped } from "./sending.ts";
import { type Account, amountOf, type Asking, complete, type Facts, type Form, lossOf, needsYes, PLACEHOLDER, type Side, slippageOf } from "./state.ts";
import { Discovery, type Announced } from "./wallet/discovery.ts";
import { balanceOf, EvmWallet, walletError } from "./wallet/evm.ts";
import { nodeOf, type Read } from "./wallet/nodes.ts";
import { wordsFor } from "./words.ts";

export interface Options {
  api: string;
  chains: number[];
  payers: number[];
  integrator?: string;
  fee?: number;
  link: string;
}

export interface Host {
  changed: () => void;
  tell: (name: "quote" | "sent" | "done", detail: unknown) => void;
}

export type View = "swap" | "history";
export type Sort = "best" | "net" | "time" | "fees";

const LAST_WALLET = "rhumbline-swap/wallet";

export class Session {
  readonly api: Api;
  readonly catalog: Catalog;
  readonly discovery: Discovery;
  readonly history: History;
  form: Form = { pay: { chain: null, token: null }, get: { chain: null, token: null }, amount: "", receiver: "", receiverShown: false, slippage: "" };
  asking: Asking = { is: "idle" };
  ready = false;
  refused = "";
  wallet: EvmWallet | null = null;
  balance: bigint | null = null;
  native: bigint | null = null;
  routeId: string | null = null;
  warned: Step | null = null;
  agreed = false;
  stale = false;
  busy = "";
  /** What stopped the last attempt to send, in words. */
  said = "";
  current: Transfer | null = null;
  view: View = "swap";
  sort: Sort = "best";
  /** The route whose row is open. */
  opened: string | null = null;
  settingsOpen = false;
  /** What has to be believed of each route that was opened. */
  readonly believed = new Map<string, readonly string[]>();
  private readonly quoting: Quoting;
  private readonly storage = browserStorage();
  private readonly followed = new Map<string, AbortController>();
  private unwatch: () => void = () => undefined;
  private round = 0;

  private readonly options: Options;
  private readonly host: Host;

  constructor(options: Options, host: Host) {
    this.options = options;
    this.host = host;
    this.api = new Api(options.api);
    this.catalog = new Catalog(this.api);
    this.history = new History(this.api.base, this.storage);
    this.discovery = new Discovery(() => this.met());
    this.quoting = new Quoting(this.api, {
      question: () => this.question(),
      asking: () => this.set({ asking: { is: "asking" } }),
      answered: (routes) => this.answered(routes),
      failed: (error) => this.failed(error),
      stale: () => this.set({ stale: true }),
    });
  }

  /** Begins: wallets, what is under way, then chains and tokens. */
  async start(): Promise<void> {
    this.discovery.start();
    try {
      await this.catalog.load(this.options.chains, this.options.payers);
      if (!this.catalog.payers.length) throw new Error("This service quotes on no chain yet: its operator has configured none");
      this.resume();
      await this.fill(readLink(this.options.link));
      this.set({ ready: true, refused: "" });
      this.edited();
    } catch (error) {
      const words = wordsFor(error, { symbol: "", decimals: 0, amount: null });
      this.set({ refused: error instanceof Error && error.constructor === Error ? error.message : words.text });
    }
  }

  stop(): void {
    this.discovery.stop();
    this.quoting.stop();
    this.unwatch();
    for (const under of this.followed.values()) under.abort();
  }

  set(changes: Partial<Session>): void {
    Object.assign(this, changes);
    this.host.changed();
  }

  get route(): Route | null {
    if (this.asking.is !== "answered") return null;
    return this.asking.routes.find(({ id }) => id === this.routeId) ?? this.asking.routes[0] ?? null;
  }

  get account(): Account | null {
    return this.wallet && { address: this.wallet.address, name: this.wallet.name, chainType: "EVM", chainId: this.wallet.chainId };
  }

  get facts(): Facts {
    return this;
  }

  get integrator(): string | undefined {
    return this.options.integrator;
  }

  private async fill(link: Link): Promise<void> {
    const from = this.catalog.payers.find(({ id }) => id === link.from?.chainId) ?? (this.catalog.payers[0] as Chain);
    const to = this.catalog.meant(link.to?.chainId ? link.to : { chainId: from.id, token: "" }) ?? from;
    const pick = async (chain: Chain, wanted: Wanted | null, usual: string): Promise<Side> => {
      const found = wanted && (await this.catalog.find(chain, wanted.token));
      return { chain, token: found ?? (await this.catalog.find(chain, usual)) };
    };
    const [pay, get] = await Promise.all([pick(from, link.from, "USDC"), pick(to, link.to, to.nativeToken.symbol)]);
    this.form = { ...this.form, pay, get, amount: link.amount };
  }

  /** Takes changes of the form, and asks anew. */
  edit(changes: Partial<Form>): void {
    this.form = { ...this.form, ...changes };
    this.edited();
  }

  choose(side: "pay" | "get", chain: Chain, token: Token): void {
    const other = side === "pay" ? "get" : "pay";
    const chosen = { chain, token };
    const clash = this.form[other].token;
    const swapped = clash && clash.chainId === token.chainId && same(clash.address, token.address);
    const changes: Partial<Form> = { [side]: chosen };
    if (swapped && this.payable(this.form[side].chain)) changes[other] = this.form[side];
    if (!this.catalog.bridged) changes[other] = chain.id === this.form[other].chain?.id ? (changes[other] ?? this.form[other]) : { chain, token: null };
    this.edit(changes);
  }

  /** Turns the way around, where the other chain can be paid from. */
  flip(): void {
    const { pay, get } = this.form;
    if (this.payable(get.chain)) this.edit({ pay: get, get: pay, amount: "" });
  }

  payable(chain: Chain | null): boolean {
    return this.catalog.payers.some(({ id }) => id === chain?.id);
  }

  private edited(): void {
    this.round += 1;
    this.warned = null;
    this.agreed = false;
    this.said = "";
    this.stale = false;
    this.routeId = null;
    this.asking = { is: "idle" };
    this.balance = null;
    this.native = null;
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

  keepOpen(settingsOpen: boolean): void {
    if (settingsOpen !== this.settingsOpen) this.set({ settingsOpen });
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
    void this.api.step(first, context).then((step) => step.trustAssumptions ?? [], () => ["It could not be asked just now."]).then((said) => {
      this.believed.set(route.id, said);
      this.host.changed();
    });
  }

  forget(transfer: Transfer): void {
    this.history.remove(transfer.id);
    if (this.current?.id === transfer.id) this.current = null;
    this.host.changed();
  }

  private question(): Question | null {
    const { form, options, wallet } = this;
    const { pay, get } = form;
    const amount = amountOf(form);
    if (!complete(form) || amount === null || !pay.chain || !get.chain || !pay.token || !get.token) return null;
    const slippage = slippageOf(form.slippage);
    return {
      senderAddress: wallet && pay.chain.chainType === "EVM" ? wallet.address : PLACEHOLDER[pay.chain.chainType],
      ...(form.receiver.trim() ? { receiverAddress: form.receiver.trim() } : {}),
      originChainId: pay.chain.id, destinationChainId: get.chain.id,
      originCurrency: pay.token.address, destinationCurrency: get.token.address,
      amount: amount.toString(),
      ...(slippage === null ? { slippageMode: "auto" as const } : { slippage }),
      ...(options.integrator ? { integrator: options.integrator } : {}),
      ...(options.integrator && options.fee ? { fee: options.fee } : {}),
    };
  }

  private answered(routes: Route[]): void {
    const chosen = this.route?.adapter;
    const kept = this.routeId && routes.find(({ adapter }) => adapter === chosen);
    this.warned = null;
    this.set({ asking: { is: "answered", routes, at: Date.now() }, routeId: kept ? kept.id : null, stale: false });
    this.host.tell("quote", { routes });
  }

  private failed(error: unknown): void {
    const { token } = this.form.pay;
    const asked = { symbol: token?.symbol ?? "", decimals: token?.decimals ?? 0, amount: amountOf(this.form) };
    this.set({ asking: { is: "failed", words: wordsFor(error, asked) } });
  }

  /** Answers how to read a chain: by the wallet that is on it, else by public nodes. */
  reader(chain: Chain): Read | null {
    if (this.wallet && this.wallet.chainId === BigInt(chain.id)) return this.wallet.read;
    return nodeOf(chain);
  }

  private async balances(): Promise<void> {
    const { pay } = this.form;
    const { wallet, round } = this;
    if (!wallet || !pay.chain || !pay.token || pay.chain.chainType !== "EVM") return;
    const read = this.reader(pay.chain);
    const look = async (token: string): Promise<bigint | null> => (read ? balanceOf(read, token, wallet.address).catch(() => null) : null);
    const [balance, native] = await Promise.all([look(pay.token.address), look(pay.chain.nativeToken.address)]);
    if (round === this.round && wallet === this.wallet) this.set({ balance, native });
  }

  private met(): void {
    this.host.changed();
    const last = this.remembered();
    const known = last && !this.wallet ? this.discovery.wallets().find(({ id }) => id === last) : undefined;
    if (known) void this.join(known, true).catch(() => undefined);
  }

  /** Connects a wallet; throws what it says. */
  async join(announced: Announced, silent = false): Promise<void> {
    const wallet = await EvmWallet.connect(announced, silent);
    this.unwatch();
    this.unwatch = wallet.watch(
      (list) => (list.length ? void this.join(announced, true).catch(() => this.leave()) : this.leave()),
      () => void wallet.look().then(() => this.moved(), () => this.leave()),
    );
    this.wallet = wallet;
    this.remember(announced.id);
    this.moved(true);
  }

  leave(): void {
    this.unwatch();
    this.wallet = null;
    this.remember(null);
    this.moved(true);
  }

  /** Looks anew when the wallet is another; what is being signed goes on with the one that it began with. */
  private moved(another = false): void {
    if (this.busy) return this.host.changed();
    if (another) this.edited();
    else {
      void this.balances();
      this.host.changed();
    }
  }

  private remembered(): string | null {
    try {
      return this.storage?.getItem(LAST_WALLET) ?? null;
    } catch {
      return null;
    }
  }

  private remember(id: string | null): void {
    try {
      if (id) this.storage?.setItem(LAST_WALLET, id);
      else this.storage?.removeItem(LAST_WALLET);
    } catch {
      // Then the wallet is chosen anew next time.
    }
  }

  /** Moves the wallet to the chain that is paid from. */
  async reach(): Promise<void> {
    const { chain } = this.form.pay;
    if (!this.wallet || !chain) return;
    this.set({ busy: `Switch to ${chain.name} in your wallet`, said: "" });
    try {
      await this.wallet.reach(chain);
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
    if (!route || !wallet || !pay.token || !get.token) return;
    const transfer: Transfer = {
      id: crypto.randomUUID(), api: this.api.base, created: Date.now(), sender: wallet.address, receiver: form.receiver.trim() || wallet.address,
      pay: { ...pay.token }, get: { ...get.token }, amount: route.inputAmount, adapter: route.adapter, seconds: route.estimatedTimeSec, integrator: this.integrator,
      legs: route.steps.map((plan) => ({ state: "ready", plan, minimum: plan.estimate.toAmountMin, expected: plan.estimate.toAmount })),
    };
    this.quoting.stop();
    await this.sail(transfer, route);
  }

  /** Signs the leg of a transfer that is next. */
  async sail(transfer: Transfer, route: Route | null = null): Promise<void> {
    const leg = legOf(transfer);
    const chain = this.catalog.chain(leg.plan.action.fromChainId);
    if (!this.wallet || !chain) return;
    const { wallet } = this;
    this.current = transfer;
    this.set({ busy: "Confirm in your wallet…", said: "" });
    try {
      const listed = (await this.catalog.tokens(chain.id)).map(({ address }) => address);
      const agrees = (step: Step): boolean => !route || this.agreed || !needsYes(lossOf(this.form, route, step));
      await send({ api: this.api, wallet, chain, transfer, leg, listed, agrees, keep: () => this.keep(transfer) });
      this.host.tell("sent", { transactionId: leg.transactionId, hash: leg.hash });
      this.form = { ...this.form, amount: "" };
      this.asking = { is: "idle" };
      this.track(transfer);
    } catch (error) {
      this.stopped(error, transfer);
    }
    this.set({ busy: "" });
    void this.balances();
  }

  private stopped(error: unknown, transfer: Transfer): void {
    const leg = legOf(transfer);
    if (error instanceof PriceMoved) this.warned = error.step;
    this.said = error instanceof Stopped ? error.message : error instanceof Error && error.name === "Error" && !("status" in error) ? walletError(error) : this.saidOf(error);
    const begun = transfer.legs[0] !== leg || leg.approvalHash !== undefined;
    if (!begun) {
      this.history.remove(transfer.id);
      this.current = null;
    }
  }

  private saidOf(error: unknown): string {
    const { pay } = this.form;
    const status = (error as { status?: unknown }).status;
    return typeof status === "number" ? wordsFor(error, { symbol: pay.token?.symbol ?? "", decimals: pay.token?.decimals ?? 0, amount: null }).text : walletError(error);
  }

  private keep(transfer: Transfer): void {
    this.history.put(transfer);
    this.host.changed();
  }

  private resume(): void {
    for (const transfer of this.history.all()) if (isMoving(transfer)) this.track(transfer);
    this.current = this.history.all().find(isMoving) ?? null;
  }

  private track(transfer: Transfer): void {
    this.followed.get(transfer.id)?.abort();
    const chain = this.catalog.chain(legOf(transfer).plan.action.fromChainId);
    if (!chain) return;
    const under = new AbortController();
    this.followed.set(transfer.id, under);
    const following = { api: this.api, transfer, read: this.reader(chain), chain, keep: () => this.keep(transfer), signal: under.signal };
    void follow(following).then(() => {
      if (under.signal.aborted) return;
      this.host.tell("done", { transactionId: legOf(transfer).transactionId, state: legOf(transfer).state });
      this.host.changed();
      void this.balances();
    });
  }
}
