// English: what it has, every other language has to have.

export * from "./en/endings.ts";
export * from "./en/faults.ts";
export * from "./en/page.ts";
export * from "./en/picker.ts";
export * from "./en/pools.ts";
export * from "./en/routes.ts";
export * from "./en/solana.ts";
export * from "./en/transfer.ts";
export * from "./en/wallets.ts";
