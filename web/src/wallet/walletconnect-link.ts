// A wallet that is reached over WalletConnect's relay, as EIP-1193 has it. Nobody but the relay is asked: chains are
// read by their public nodes, and what else the library would send is turned off
// (docs/decisions/0072-walletconnect-by-its-last-free-version.md).

import { Core } from "@walletconnect/core";
import { SignClient } from "@walletconnect/sign-client";
import type { SessionTypes } from "@walletconnect/types";
import encodeQR from "qr";
import type { Chain } from "../api.ts";
import type { Provider } from "./discovery.ts";
import type { Link, Pairing, Terms } from "./pairing.ts";

type Client = Awaited<ReturnType<typeof SignClient.init>>;

const ASKED = ["eth_sendTransaction"];
const ASKED_TOO = ["eth_signTypedData_v4", "wallet_sendCalls", "wallet_getCallsStatus", "wallet_getCapabilities"];
const EVENTS = ["accountsChanged", "chainChanged"];
const ACCOUNT = /^eip155:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/;
const RELAY_PATIENCE_MS = 20_000;

/** Fails where the relay does not answer: the library would try for ever. */
async function soon<T>(work: Promise<T>, terms: Terms): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const { texts } = terms;
    timer = setTimeout(() => reject(new Error(texts.relayAway)), RELAY_PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const refusal = (code: number, message: string): Error => Object.assign(new Error(message), { code });

/** Draws a text as a QR code. */
function drawn(uri: string): Pairing {
  const rows = encodeQR(uri, "raw", { ecc: "low", border: 4 });
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { uri, path, size: rows.length };
}

async function openClient({ options, texts }: Terms): Promise<Client> {
  const { projectId, relay } = options;
  const core = new Core({
    projectId,
    relayUrl: relay,
    logger: "silent",
    telemetryEnabled: false,
    customStoragePrefix: "rhumbline",
  });
  core.eventClient.init = async () => undefined;
  core.verify.register = async () => "";
  core.verify.resolve = async () => ({ origin: "" });
  await core.start();
  const { origin, hostname } = location;
  const metadata = { name: hostname, description: texts.remoteAsks(hostname), url: origin, icons: [] };
  return SignClient.init({ core, metadata });
}

/** Loads the client, and takes up the session of last time, if there is one. */
export async function openLink(terms: Terms): Promise<Link> {
  return new OpenLink(await soon(openClient(terms), terms), terms);
}

class OpenLink implements Link {
  private readonly client: Client;
  private readonly chains: Chain[];
  private readonly terms: Terms;
  private session: SessionTypes.Struct | null;
  private chain: Chain | null = null;
  /** Counts attempts: a wallet that approves one that was given up is not taken. */
  private attempt = 0;

  constructor(client: Client, terms: Terms) {
    this.client = client;
    this.chains = terms.chains.filter(({ chainType }) => chainType === "EVM");
    this.terms = terms;
    this.session = client.session.getAll().at(-1) ?? null;
    this.settle();
    const ours = (topic: string): boolean => topic === this.session?.topic;
    const gone = ({ topic }: { topic: string }): void => {
      if (ours(topic)) this.lost();
    };
    client.on("session_delete", gone);
    client.on("session_expire", gone);
    client.on("session_update", ({ topic }) => {
      if (ours(topic)) this.updated(client.session.get(topic));
    });
    client.on("session_event", ({ topic, params: { event, chainId } }) => {
      if (!ours(topic)) return;
      if (event.name === "chainChanged") this.moveTo(chainId);
      else if (event.name === "accountsChanged") this.terms.emit("accountsChanged", this.accounts());
    });
  }

  request: Provider["request"] = async ({ method, params = [] }) => {
    if (method === "eth_requestAccounts") return this.connect();
    if (method === "eth_accounts") return this.accounts();
    if (method === "eth_chainId") return this.current().idHex;
    if (method === "wallet_switchEthereumChain") return this.switchTo((params[0] as { chainId: string }).chainId);
    if ([...ASKED, ...ASKED_TOO].includes(method)) return this.ask(method, params);
    const { name } = this.current();
    const read = this.terms.readerOf(this.current());
    if (!read) throw refusal(4200, this.terms.texts.noPublicNode(name));
    return read(method, ...params);
  };

  async end(): Promise<void> {
    this.attempt += 1;
    this.terms.paired(null);
    const { session } = this;
    this.session = null;
    this.chain = null;
    if (session) await this.client.disconnect({ topic: session.topic, reason: { code: 6000, message: "" } });
  }

  async close(): Promise<void> {
    await this.client.core.relayer.transportClose();
  }

  /** Shows what is to be scanned, and waits for a wallet to agree. */
  private async connect(): Promise<string[]> {
    this.attempt += 1;
    const { attempt } = this;
    const chains = this.chains.map(({ id }) => `eip155:${id}`);
    const methods = [...ASKED, ...ASKED_TOO];
    const { uri, approval } = await soon(
      this.client.connect({ optionalNamespaces: { eip155: { chains, methods, events: EVENTS } } }),
      this.terms,
    );
    if (attempt !== this.attempt) throw refusal(4001, this.terms.texts.declined);
    this.terms.paired(drawn(uri ?? ""));
    const session = await approval()
      .catch((error: { message?: string }) => {
        throw refusal(4001, String(error.message ?? this.terms.texts.declined));
      })
      .finally(() => attempt === this.attempt && this.terms.paired(null));
    if (attempt !== this.attempt) {
      await this.client.disconnect({ topic: session.topic, reason: { code: 6000, message: "" } });
      throw refusal(4001, this.terms.texts.declined);
    }
    this.session = session;
    this.chain = null;
    this.settle();
    return this.accounts();
  }

  /** Takes the first chain that the wallet has an account on, where it is on none. */
  private settle(): void {
    const of = ({ id }: Chain): boolean => this.accountsOn(id).length > 0;
    if (!this.chain || !of(this.chain)) this.chain = this.chains.find(of) ?? null;
  }

  private current(): Chain {
    if (!this.chain) throw refusal(4900, this.terms.texts.connectionLost);
    return this.chain;
  }

  /** What the wallet says of chains that it was not asked for is passed over. */
  private accountsOn(chainId: number): string[] {
    const all = this.session?.namespaces.eip155?.accounts ?? [];
    const found = all.map((text) => ACCOUNT.exec(String(text)));
    return found.flatMap((each) => (each?.[2] && Number(each[1]) === chainId ? [each[2]] : []));
  }

  private accounts(): string[] {
    return this.chain ? this.accountsOn(this.chain.id) : [];
  }

  /** A wallet on a phone is on all chains that it agreed to: each request names the one that it is for. */
  private switchTo(chainId: string): null {
    const chain = this.chains.find(({ id }) => BigInt(id) === BigInt(chainId));
    if (!chain || !this.accountsOn(chain.id).length) {
      throw refusal(4200, this.terms.texts.chainNotAgreed(chain?.name ?? chainId));
    }
    this.moveTo(`eip155:${chain.id}`);
    return null;
  }

  private moveTo(chainId: string): void {
    const chain = this.chains.find(({ id }) => chainId === `eip155:${id}`);
    if (!chain || chain === this.chain || !this.accountsOn(chain.id).length) return;
    this.chain = chain;
    this.terms.emit("chainChanged", chain.idHex);
  }

  private ask(method: string, params: unknown[]): Promise<unknown> {
    const { session } = this;
    if (!session) throw refusal(4900, this.terms.texts.connectionLost);
    if (!session.namespaces.eip155?.methods.includes(method)) throw refusal(4200, this.terms.texts.notAgreedTo(method));
    const chainId = `eip155:${this.current().id}`;
    return this.client.request({ topic: session.topic, chainId, request: { method, params } });
  }

  private updated(session: SessionTypes.Struct): void {
    this.session = session;
    this.settle();
    this.terms.emit("accountsChanged", this.accounts());
  }

  private lost(): void {
    this.session = null;
    this.chain = null;
    this.terms.emit("accountsChanged", []);
  }
}
