// Every text that people read, in one table: code and views name its entries and hold no sentence of their own. The
// parts are what is loaded together.

export * from "./texts/faults.ts";
export * from "./texts/page.ts";
export * from "./texts/picker.ts";
export * from "./texts/routes.ts";
export * from "./texts/solana.ts";
export * from "./texts/transfer.ts";
