// Bundles the tests of web/test, and runs them with Node's own runner.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = fileURLToPath(new URL(".", import.meta.url));
const here = join(web, "test");
const folder = mkdtempSync(join(tmpdir(), "web-"));
try {
  const entryPoints = readdirSync(here)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(here, name));
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit", cwd: web }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
