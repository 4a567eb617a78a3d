// What a question may have beyond the contract, and what an answer says of it.

/** A call with what arrives, by the Receiver on the destination's chain. */
export interface DestinationCall {
  target: string;
  calldata: string;
  /** Units of gas. */
  gas?: number;
}

export interface Extras {
  tradeType?: "EXACT_OUTPUT";
  priority?: "low" | "medium" | "high";
  /** Lamports. */
  jitoTip?: string;
  /** Who pays the network on Solana in the sender's place, and signs too. */
  feePayer?: string;
  destinationGas?: "auto";
  destinationCall?: DestinationCall;
  /** Who has the tokens back if a bridge fails. */
  refundTo?: string;
}

/** What a step repeats of it. */
export interface ActionExtras {
  destinationGas?: string;
  destinationCall?: DestinationCall;
  refundTo?: string;
}

/** About what an amount brings. */
export interface PairPrice {
  outputAmount: string;
}

/** An answer as it came, and its request, for whoever checks its signature later: docs/signed-answers.md. */
export interface Proof {
  method: string;
  /** Path and query. */
  target: string;
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The body of a POST. */
  posted?: string;
}

/** Who pays the network on Solana in the visitor's place, as the page around the element says. */
export interface Sponsor {
  readonly address: string;
  /**
   * Returns a transaction, in base64, with the sponsor's signature in its place; throws an Error in words for people.
   * `proof` is the answer that it came with, where the service signs its answers.
   */
  sign(transaction: string, proof: Proof | undefined): Promise<string>;
}
