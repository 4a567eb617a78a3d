// Bundles the element and the chunks that it loads when they are needed into the folder that the service serves.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundled, refuseMissing, remoteWallets } from "./bundle_settings.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const target = process.argv[2] ?? join(here, "../src/rhumbline/api/pages/static");

for (const name of readdirSync(target)) {
  if (/^rhumbline-(swap|receipt).*\.js$/.test(name)) rmSync(join(target, name));
}
const settings = { ...bundled, absWorkingDir: here, outdir: target };
const { metafile } = await build({
  ...settings,
  entryPoints: { "rhumbline-swap": "src/element.ts" },
  chunkNames: "rhumbline-swap-[name]-[hash]",
});
refuseMissing(metafile);
// The front page's own, which the element never loads.
await build({
  ...settings,
  entryPoints: { "rhumbline-swap-names": "src/page/names.ts" },
  chunkNames: "rhumbline-swap-names-[hash]",
});
// The receipt's own.
await build({ ...settings, entryPoints: { "rhumbline-receipt": "src/page/receipt.ts" }, splitting: false });
await build({ ...settings, ...remoteWallets });
