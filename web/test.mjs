// Bundles the tests of web/test, and runs them with Node's own runner, all in one process.

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
  const tests = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
  const outfile = join(folder, "tests.mjs");
  await build({
    stdin: { contents: tests.map((name) => `import "./${name}";`).join("\n"), resolveDir: here },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  process.exitCode = spawnSync(process.execPath, [outfile], { stdio: "inherit", cwd: web }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
