// Bundles the element and the chunks that it loads when they are needed into the folder that the service serves.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = process.argv[2] ?? join(here, "../src/rhumbline/api/pages/static");

/** Texts do nothing when they are loaded, so each of their files goes to the chunk that uses it. */
const textsWhereUsed = {
  name: "texts-where-used",
  setup({ onResolve }) {
    onResolve({ filter: /\/texts(\/[a-z]+)?\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
};

for (const name of readdirSync(target)) if (/^rhumbline-swap.*\.js$/.test(name)) rmSync(join(target, name));
const settings = {
  absWorkingDir: here,
  outdir: target,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  plugins: [textsWhereUsed],
};
await build({ ...settings, entryPoints: { "rhumbline-swap": "src/element.ts" }, chunkNames: "rhumbline-swap-[hash]" });
// The front page's own, which the element never loads.
await build({
  ...settings,
  entryPoints: { "rhumbline-swap-names": "src/page/names.ts" },
  chunkNames: "rhumbline-swap-names-[hash]",
});
