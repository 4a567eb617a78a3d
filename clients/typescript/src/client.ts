// The client: quotes, routes, tokens and prices, and where a transaction stands.

import { EndpointMissing, ServiceError, TimedOut, Unreachable } from "./errors.ts";
import type {
  AdvancedRoute,
  Chain,
  ChainList,
  ChainType,
  KeptRequest,
  KeptRequests,
  PairPrice,
  PriceList,
  PublicStatus,
  QuoteEvent,
  QuoteResponse,
  Readiness,
  RefusalEvent,
  RoutesResponse,
  ScorecardList,
  SigningKeyEntry,
  SigningKeySet,
  StandardError,
  Step,
  Token,
  TokenList,
  TokenPriceResult,
  ToolList,
} from "./models.ts";
import {
  type Amount,
  bodyOf,
  type QuoteParameters,
  queryOf,
  type ScorecardParameters,
  type Share,
} from "./parameters.ts";
import { Transactions, Webhooks } from "./records.ts";
import { RETRIES, type Retries } from "./retries.ts";
import type { SigningKey } from "./signatures.ts";
import { checkedId, FINAL, type FollowOptions, STATUS, type StatusChange, StatusWatch } from "./status-watch.ts";
import { parsed, Transport } from "./transport.ts";

const QUOTES = "GET /v1/quotes/stream";

export interface Options {
  /** An API key; quotes and metadata need none. In a page only one of the kind `rl_pub_…`. */
  key?: string;
  retries?: Partial<Retries>;
  /** Seconds that one request may be without an answer; 30 by default. */
  timeout?: number;
  /**
   * The service's public keys, the `keys` of its `/.well-known/jwks.json`. With them quotes, routes, steps, prices of
   * pairs and statuses that are not signed by one are InvalidSignature; streams are not signed, so that a quote is asked
   * for instead.
   */
  signingKeys?: SigningKey[];
}

export interface StepContext {
  /** Who signs this step. */
  senderAddress: string;
  /** The route's final receiver. */
  receiverAddress: string;
  /** What the step before delivered, in the smallest unit. */
  previousStepReceivedAmount?: Amount;
  /** An amount in place of the planned one. */
  amountOverride?: Amount;
  slippage?: Share;
  /** On Solana; by default as the route was asked for. */
  priority?: QuoteParameters["priority"];
  /** On Solana; by default as the route was asked for. */
  jitoTip?: bigint;
  /** On Solana; by default as the route was asked for. */
  feePayer?: string;
  /** On EVM chains also a signature in place of the approvals, where there is one. */
  permits?: boolean;
}

export type PairParameters = Pick<
  QuoteParameters,
  "originChainId" | "destinationChainId" | "originCurrency" | "destinationCurrency" | "amount"
>;

export type StreamedQuote =
  | ({ kind: "quote" } & { quote: QuoteEvent })
  | ({ kind: "refusal" } & { refusal: RefusalEvent })
  | ({ kind: "answer" } & { answer: QuoteResponse });

/** A Rhumbline service. Reads are repeated where that helps; nothing that changes something is. */
export class Rhumbline {
  readonly transactions: Transactions;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(baseUrl: string, { key, retries, timeout = 30, signingKeys }: Options = {}) {
    this.#transport = new Transport(baseUrl, { key, retries: { ...RETRIES, ...retries }, timeout, signingKeys });
    this.transactions = new Transactions(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /** The best quote, with a transaction that a wallet can sign. */
  async quote(asked: QuoteParameters, signal?: AbortSignal): Promise<QuoteResponse> {
    return this.#transport.read("GET /v1/quotes", { query: queryOf(asked), signal });
  }

  /** Each adapter's offer or refusal as it comes, and then the answer; from a service without this stream only the answer. */
  async *quoteStream(asked: QuoteParameters, signal?: AbortSignal): AsyncGenerator<StreamedQuote, void> {
    if (this.#transport.verifies) {
      yield { kind: "answer", answer: await this.quote(asked, signal) };
      return;
    }
    try {
      for await (const event of this.#transport.events(QUOTES, { query: queryOf(asked), signal })) {
        if (event?.name === "error") {
          const error = parsed<StandardError>(QUOTES, event.data);
          throw new ServiceError(error.statusCode, error);
        }
        if (event?.name === "quote") yield { kind: "quote", quote: parsed(QUOTES, event.data) };
        if (event?.name === "refusal") yield { kind: "refusal", refusal: parsed(QUOTES, event.data) };
        if (event?.name === "answer") {
          yield { kind: "answer", answer: parsed(QUOTES, event.data) };
          return;
        }
      }
    } catch (error) {
      if (!(error instanceof EndpointMissing)) throw error;
      yield { kind: "answer", answer: await this.quote(asked, signal) };
      return;
    }
    throw new Unreachable(`${QUOTES} ended without an answer`);
  }

  /** Several routes; each step is made a transaction by `stepTransaction` when its turn comes. */
  async routes(asked: QuoteParameters): Promise<AdvancedRoute[]> {
    return (await this.#transport.read<RoutesResponse>("POST /v1/advanced/routes", { body: bodyOf(asked) })).routes;
  }

  /** A step of a route with its transaction, quoted anew. */
  async stepTransaction(step: Step, context: StepContext): Promise<Step> {
    return this.#transport.read("POST /v1/advanced/stepTransaction", { body: { step, context: bodyOf(context) } });
  }

  /** The known chains; `served` says which can be paid from. */
  async chains(chainTypes?: ChainType[]): Promise<Chain[]> {
    return (await this.#transport.read<ChainList>("GET /v1/chains", { query: queryOf({ chainTypes }) })).chains;
  }

  /** A token by its chain's ID or key, and its address or symbol; also one that is in no list. */
  async token(chain: number | string, token: string): Promise<Token> {
    return this.#transport.read("GET /v1/token", { query: queryOf({ chain, token }) });
  }

  /** The listed tokens by their chain's ID. */
  async tokens(chains?: (number | string)[], chainTypes?: ChainType[]): Promise<Record<string, Token[]>> {
    return this.#transport.read("GET /v1/tokens", { query: queryOf({ chains, chainTypes }) });
  }

  /** A chain's tokens as a token list; Solana has none. */
  async tokenList(chainId: number): Promise<TokenList> {
    return this.#transport.read("GET /v1/tokenlists/{chainId}.json", { ids: [chainId] });
  }

  /** Exchanges and bridges that this service asks. */
  async tools(chains?: (number | string)[]): Promise<ToolList> {
    return this.#transport.read("GET /v1/tools", { query: queryOf({ chains }) });
  }

  /** How adapters did in the last `days` days, today included; of these adapters and this pair of chains only. */
  async scorecards(asked: ScorecardParameters = {}): Promise<ScorecardList> {
    return this.#transport.read("GET /v1/scorecards", { query: queryOf(asked) });
  }

  /** What tokens are worth in USD; each is named by its chain and its address or symbol. */
  async prices(tokens: [chain: number | string, token: string][]): Promise<TokenPriceResult[]> {
    const query = queryOf({ tokens: tokens.map(([chain, token]) => `${chain}:${token}`) });
    return (await this.#transport.read<PriceList>("GET /v1/prices", { query })).prices;
  }

  /** About what an amount would bring: no quote, and guaranteed by nobody. */
  async pairPrice(asked: PairParameters): Promise<PairPrice> {
    const { originChainId, destinationChainId, originCurrency, destinationCurrency, amount } = asked;
    const query = queryOf({ originChainId, destinationChainId, originCurrency, destinationCurrency, amount });
    return this.#transport.read("GET /v1/prices/pair", { query });
  }

  /** What the service depends on; a ServiceError with 503 says what is down. */
  async ready(): Promise<Readiness> {
    return this.#transport.once("GET /health/ready");
  }

  /** The public keys by which the service signs answers; `NOT_FOUND` where it signs none. */
  async signingKeys(): Promise<SigningKeyEntry[]> {
    return (await this.#transport.read<SigningKeySet>("GET /.well-known/jwks.json")).keys;
  }

  /** Where a transaction stands; `NOT_FOUND` until it has been seen on its chain. */
  async status(transactionId: string): Promise<PublicStatus> {
    return this.#transport.read(STATUS, { ids: [checkedId(transactionId)] });
  }

  /**
   * Why a request for a quote, routes or a step was answered as it was, about a second after its answer; it must have been
   * asked with a key of the same integrator. The ID is the answer's `X-Request-Id`, an error's `requestId`, or the answered
   * `transactionId`. There may be several, the newest first, where the client chose the ID itself.
   */
  async explain(requestId: string): Promise<KeptRequest[]> {
    return (await this.#transport.read<KeptRequests>("GET /v1/requests/{requestId}", { ids: [requestId] })).requests;
  }

  /**
   * Each change of a transaction until its end, by the stream of its status. It is waited for if it was not seen yet. Where
   * the service has no stream, or none gets through, it is asked again and again, less and less often.
   */
  follow(transactionId: string, options: FollowOptions = {}): AsyncGenerator<StatusChange, void> {
    return new StatusWatch(this.#transport, transactionId, options).changes();
  }

  /** How a transaction ended; throws TimedOut. */
  async wait(transactionId: string, options: FollowOptions = {}): Promise<PublicStatus> {
    for await (const { type, status } of this.follow(transactionId, options)) if (type === FINAL) return status;
    throw new TimedOut(`${transactionId}: the stream ended before the transaction`);
  }
}
