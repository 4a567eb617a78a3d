// Answers one JSON line a line: quotes by @uniswap/v3-sdk, and the microseconds that one takes.
// Usage: node v3_sdk.cjs <directory with node_modules>; the first line describes the pool.
const { createRequire } = require("node:module");
const path = require("node:path");
const { createInterface } = require("node:readline");
const packages = createRequire(path.join(process.argv[2], "node_modules", "x.js"));
const { Token, CurrencyAmount } = packages("@uniswap/sdk-core");
const { Pool } = packages("@uniswap/v3-sdk");

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => {
  const { value, done } = await lines.next();
  return done ? null : JSON.parse(value);
};

(async () => {
  const plan = await read();
  const tokens = plan.tokens.map((address) => new Token(plan.chainId, address, 18));
  const pool = new Pool(...tokens, plan.fee, plan.sqrtPrice, plan.liquidity, plan.tick, plan.ticks);
  for (let amounts = await read(); amounts !== null; amounts = await read()) {
    const inputs = amounts.map((amount) => CurrencyAmount.fromRawAmount(tokens[plan.zeroForOne ? 0 : 1], amount));
    const outputs = [];
    const start = process.hrtime.bigint();
    for (const input of inputs) outputs.push((await pool.getOutputAmount(input))[0].quotient.toString());
    const each = Number(process.hrtime.bigint() - start) / 1e3 / inputs.length;
    process.stdout.write(JSON.stringify({ outputs, each }) + "\n");
  }
})();
