// A connected Solana wallet, as the Wallet Standard has it.

import { getBase58Decoder } from "@solana/kit";
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignTransactionFeature,
} from "@solana/wallet-standard-features";
import type { IdentifierString, Wallet as StandardWallet, WalletAccount } from "@wallet-standard/base";
import type { StandardConnectFeature, StandardEventsFeature } from "@wallet-standard/features";
import { shorten } from "../addresses.ts";
import type { Chain } from "../api.ts";
import { texts } from "../texts.ts";
import type { Named } from "./discovery.ts";
import type { Read } from "./nodes.ts";

const NATIVE = "11111111111111111111111111111111";
const MAINNET: IdentifierString = "solana:mainnet";

type Features = Partial<
  StandardConnectFeature & StandardEventsFeature & SolanaSignAndSendTransactionFeature & SolanaSignTransactionFeature
>;

/** The wallet has not signed, so nothing was sent. */
export class NotSigned extends Error {}

export class SvmWallet {
  readonly chainType = "SVM" as const;
  readonly chainId = null;
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly address: string;
  private readonly wallet: StandardWallet;
  private readonly account: WalletAccount;

  constructor({ id, name, icon }: Named, wallet: StandardWallet, account: WalletAccount) {
    this.id = id;
    this.name = name;
    this.icon = icon;
    this.wallet = wallet;
    this.account = account;
    this.address = account.address;
  }

  /** Asks a wallet for its account; throws what it says. `silent` asks nobody who has not agreed before. */
  static async connect(named: Named, wallet: StandardWallet, silent = false): Promise<SvmWallet> {
    const features = wallet.features as Features;
    const answer = await features["standard:connect"]?.connect({ silent });
    const accounts = answer?.accounts.length ? answer.accounts : wallet.accounts;
    const account = accounts.find(({ chains }) => chains.some((chain) => chain.startsWith("solana:")));
    if (!account) throw new Error(texts.noSvmAccount);
    return new SvmWallet(named, wallet, account);
  }

  /** Tells when the wallet shows other accounts; returns how to stop. */
  watch(accounts: (any: boolean) => void, _moved: () => void, _gone: () => void): () => void {
    const events = (this.wallet.features as Features)["standard:events"];
    return (
      events?.on("change", (changed) => {
        if (changed.accounts && !changed.accounts.some(({ address }) => address === this.address))
          accounts(changed.accounts.length > 0);
      }) ?? (() => undefined)
    );
  }

  look(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Returns whether the wallet still shows the account of before. */
  async shows(): Promise<boolean> {
    return this.wallet.accounts.some(({ address }) => address === this.address);
  }

  /** Has a whole transaction signed and sent as it is; returns its signature in base58. Throws what the wallet says. */
  async send(chain: Chain, base64: string, read: Read | null): Promise<string> {
    const transaction = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    if (!(await this.shows())) throw new NotSigned(texts.otherSvmAccount(shorten(this.address)));
    const features = this.wallet.features as Features;
    const { chains } = this.account;
    const known =
      chains.find((each) => each === chainName(chain)) ?? chains.find((each) => each.startsWith("solana:")) ?? MAINNET;
    const [sending, signing] = [features["solana:signAndSendTransaction"], features["solana:signTransaction"]];
    if (sending) {
      const [sent] = await sending.signAndSendTransaction({ account: this.account, chain: known, transaction });
      if (!sent) throw new Error(texts.noSignature);
      return getBase58Decoder().decode(sent.signature);
    }
    if (!signing || !read) throw new NotSigned(texts.cannotSend);
    const asked = signing.signTransaction({ account: this.account, chain: known, transaction });
    const [signed] = await asked.catch((error: unknown) => {
      const { message } = (error ?? {}) as { message?: unknown };
      throw new NotSigned(texts.notSigned(String(message ?? error).slice(0, 200)));
    });
    if (!signed) throw new NotSigned(texts.noSignedTransaction);
    const text = btoa(String.fromCharCode(...signed.signedTransaction));
    return String(await read("sendTransaction", text, { encoding: "base64", preflightCommitment: "confirmed" }));
  }
}

const chainName = (chain: Chain): string => (chain.mainnet === false ? "solana:localnet" : MAINNET);

/** Reads a balance in raw units, over all accounts of the mint that the owner has. */
export async function svmBalanceOf(read: Read, token: string, owner: string): Promise<bigint> {
  if (token === NATIVE) {
    const { value } = (await read("getBalance", owner, { commitment: "confirmed" })) as { value: number };
    return BigInt(value);
  }
  type Held = { value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] };
  const form = { encoding: "jsonParsed", commitment: "confirmed" };
  const held = (await read("getTokenAccountsByOwner", owner, { mint: token }, form)) as Held;
  return held.value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}
