// What a transaction costs to execute, as a wallet takes it.

export interface Gas {
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  gasLimit?: string;
}
