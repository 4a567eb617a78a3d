// Builds the npm package @rhumbline/client and packs it: `node clients/typescript/package.mjs <folder>` says where it is.

import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmPackage } from "../../scripts/npm_package.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const { folder, run, pack } = npmPackage(process.argv[2] ?? join(root, ".rhumbline/clients/typescript"));

run(process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", here, "--outDir", folder);
// The compiler changes what JavaScript imports, and leaves the same in types.
for (const name of readdirSync(folder).filter((each) => each.endsWith(".d.ts"))) {
  const text = readFileSync(join(folder, name), "utf8");
  writeFileSync(join(folder, name), text.replaceAll(/(from "\.\/[a-z-]+)\.ts"/g, '$1.js"'));
}
cpSync(join(here, "README.md"), join(folder, "README.md"));
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
const [, version] = /VERSION = "([^"]+)"/.exec(readFileSync(join(here, "src/version.ts"), "utf8"));
pack(join(here, "package.json"), version);
