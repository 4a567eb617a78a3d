// Builds the npm package @rhumbline/element and packs it: `node web/package.mjs <folder>` says where the tarball is.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { npmPackage } from "../scripts/npm_package.mjs";
import { bundled, refuseMissing, remoteWallets } from "./bundle_settings.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..");
const { folder, run, pack } = npmPackage(process.argv[2] ?? join(root, ".rhumbline/element"));

/** The licences of what is bundled, as their publishers ship them. */
function licences(inputs) {
  const packages = new Set(
    inputs.map((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter((path) => path !== undefined),
  );
  return [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(here, path, "package.json"), "utf8"));
    const file = readdirSync(join(here, path)).find((each) => /^licen[cs]e/i.test(each));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(here, path, file), "utf8") : ""}`;
  });
}

const settings = {
  ...bundled,
  absWorkingDir: here,
  outdir: folder,
  external: ["react"],
  // An application's bundle says nothing of where the service is: the attribute `api` does.
  define: { "import.meta.url": '""' },
};
const entryPoints = { "rhumbline-swap": "src/element.ts", react: "package/react.ts" };
const builds = [
  await build({ ...settings, entryPoints, chunkNames: "rhumbline-swap-[name]-[hash]" }),
  await build({ ...settings, ...remoteWallets }),
];
refuseMissing(builds[0].metafile);
const react = join(folder, "react.js");
writeFileSync(react, `"use client";\n${readFileSync(react, "utf8")}`);

run(process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", join(here, "package"), "--outDir", "types");
/** Sources of which index.d.ts has the types as an application needs them. */
const OURS = /\.\.\/src\/(receiver-names|wallet\/own-wallets)/g;

/** Moves the types of a source to the package's root, where the others are. */
function moveTypes(path) {
  const text = readFileSync(join(folder, "types/web", path), "utf8").replaceAll(OURS, "./index");
  const moved = text.replaceAll(/from "(?:\.\.\/src|\.)\/([a-z-]+)\.[jt]s"/g, 'from "./$1.js"');
  writeFileSync(join(folder, path.slice(path.lastIndexOf("/") + 1)), moved);
}
for (const name of ["public-types", "api", "api-error", "calls", "extras", "pool-plan", "transport"])
  moveTypes(`src/${name}.d.ts`);
moveTypes("package/react.d.ts");
rmSync(join(folder, "types"), { recursive: true });

for (const name of ["index.d.ts", "server.js", "README.md"]) cpSync(join(here, "package", name), join(folder, name));
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
writeFileSync(
  join(folder, "THIRD-PARTY.txt"),
  licences(builds.flatMap(({ metafile }) => Object.keys(metafile.inputs))).join("\n\n----\n\n"),
);
const [, version] = /^version = "([^"]+)"/m.exec(readFileSync(join(root, "pyproject.toml"), "utf8"));
pack(join(here, "package/package.json"), version);
