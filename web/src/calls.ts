// What a wallet is asked to send, and to sign.

export type Call = Record<"to" | "value" | "data", string>;

export interface Gas {
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  gasLimit?: string;
}

/** A signature in place of an approval, by eth_signTypedData_v4; its call has room for it at the end. */
export interface Permit {
  kind: string;
  typedData: {
    types: Record<string, { name: string; type: string }[]>;
    primaryType: string;
    domain: Record<string, unknown>;
    message: Record<string, unknown>;
  };
  calldata: Call;
  gasLimit?: string;
}
