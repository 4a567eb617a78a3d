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
import { Signing } from "./signing.ts";
import { type Account, amountOf, type Asking, complete, type Facts, type Form, PLACEHOLDER, questionOf, sameWay } from "./state.ts";
import { Transfers } from "./transfers.ts";
import { EvmWallet, evmRead } from "./wallet/evm.ts";
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
  readonly transfers: Transfers;
  readonly naming: Naming;
  form: Form = { pay: { chain: null, token: null }, get: { chain: null, token: null }, amount: "", receiver: "", receiverShown: false, slippage: "", slippageOwn: false };
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
  /** What is asked of the wallet. */
  readonly signing = new Signing(this);
  private readonly options: Options;
  readonly host: Host;
  private readonly quoting: Quoting;
  private round = 0;
  /** Whose balance of what was read. */
  private weighed = "";

  constructor(options: Options, host: Host) {
    this.options = options;
    this.host = host;
    const storage = browserStorage();
    this.api = new Api(options.api);
    this.catalog = new Catalog(this.api, options.tokens);
    this.connection = new Connection(storage, { another: () => this.moved(true), moved: () => this.moved(false), met: () => host.changed() });
    this.transfers = new Transfers(this.api, this.catalog, storage, { changed: () => host.changed(), ended: (transfer) => this.ended(transfer) }, () => this.wallet);
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
      this.transfers.start();
      const link = readLink(this.options.link);
      const sides = await sidesOf(this.catalog, link);
      Object.assign(this, { form: { ...this.form, ...sides, amount: link.amount }, ready: true });
      this.edited();
      if (!sides.pay.token || !sides.get.token) this.set({ said: "The link names a token that is not served here: choose another" });
    } catch (error) {
      this.set({ refused: wordsFor(error, this.asked()).text });
    }
  }

  stop(): void {
    this.connection.stop();
    this.quoting.stop();
    this.naming.stop();
    this.transfers.stop();
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

  asked(): { symbol: string; decimals: number; amount: bigint | null } {
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

  /** Asks anew: what was answered, or the form, is no longer what it was. */
  renew(): void {
    this.quoting.changed(0);
  }

  pause(): void {
    this.quoting.stop();
  }

  edited(): void {
    this.round += 1;
    Object.assign(this, { warned: null, agreed: false, said: "", stale: false, routeId: null, opened: null, asking: { is: "idle" } });
    const { wallet, form: { pay: { token } } } = this;
    const weighed = [wallet?.address, token?.chainId, token?.address].join();
    // The same balance stands until it is read anew: buttons that come and go would take the focus along.
    if (weighed !== this.weighed) Object.assign(this, { weighed, balance: null, native: null });
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

  open(id: string | null): void {
    this.set({ opened: id });
  }

  private question(): Question | null {
    if (!complete(this.form) || this.busy) return null;
    const { chainType } = this.form.pay.chain as Chain;
    const sender = this.wallet?.chainType === chainType ? this.wallet.address : PLACEHOLDER[chainType];
    return questionOf(this.form, sender, this.options);
  }

  private answered(routes: Route[]): void {
    const [kept, open] = [this.routeId, this.opened].map((id) => sameWay(this.asking, id, routes));
    this.set({ asking: { is: "answered", routes, at: Date.now() }, routeId: kept?.id ?? null, stale: false, warned: null, agreed: false });
    this.open(open?.id ?? null);
    this.host.tell("quote", { routes });
  }

  /** Answers how to read a chain: by the wallet that is on it, else by public nodes. */
  reader(chain: Chain): Read | null {
    return (this.wallet instanceof EvmWallet ? evmRead(this.wallet, chain) : null) ?? nodeOf(chain);
  }

  async balances(): Promise<void> {
    const { wallet, round, form: { pay: { chain, token } } } = this;
    if (!wallet || !chain || !token || chain.chainType !== wallet.chainType) return;
    const read = this.reader(chain);
    const look = async (address: string): Promise<bigint | null> => (read ? readBalance(read, chain, address, wallet.address).catch(() => null) : null);
    const [balance, native] = await Promise.all([look(token.address), look(chain.nativeToken.address)]);
    if (round === this.round && wallet === this.wallet) this.set({ balance, native });
  }

  /** Looks anew when the wallet is another; what is being signed goes on with the one that it began with. */
  private moved(another: boolean): void {
    if (!this.wallet) this.signing.leave("The wallet is locked or has lost its connection. What you had signed before appears here by itself; else nothing was sent");
    if (this.busy || !this.ready) return this.host.changed();
    if (another) return this.edited();
    void this.balances();
    this.host.changed();
  }

  /** Moves the wallet to the chain that is paid from. */
  reach(): Promise<void> {
    return this.signing.reach();
  }

  /** Sends the chosen route's first step. */
  async begin(): Promise<void> {
    // What was on the screen when it was pressed, and not what may be answered meanwhile.
    const { route, wallet, form, agreed, warned } = this;
    if (await this.naming.holds(this)) await this.signing.begin({ route, wallet, form, agreed, warned });
  }

  /** Signs the step of a transfer that is next. */
  sign(transfer: Transfer): Promise<void> {
    return this.signing.sign(transfer);
  }

  private ended(transfer: Transfer): void {
    const { transactionId, hash, state, received } = legOf(transfer);
    this.host.tell("done", { transactionId, hash, state, received });
    this.host.changed();
    void this.balances();
  }
}
