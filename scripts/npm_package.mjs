// What building an npm package consists of, whatever is in it: an empty folder, programs that run in it, a tarball.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Begins a package in an empty folder below `target`. */
export function npmPackage(target) {
  const folder = join(target, "package");
  rmSync(target, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  function run(program, ...words) {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ${words.join(" ")}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  /** Writes package.json as a file describes it, packs, and says where the tarball is. */
  function pack(description, version) {
    const described = JSON.parse(readFileSync(description, "utf8"));
    writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...described, version }, null, 2)}\n`);
    const [{ filename, size, unpackedSize }] = JSON.parse(run("npm", "pack", "--json", "--pack-destination", ".."));
    const tarball = join(target, filename);
    if (!existsSync(tarball)) throw new Error(`npm pack wrote no ${tarball}`);
    console.log(`${relative(process.cwd(), tarball)} (${size} bytes, ${unpackedSize} unpacked)`);
  }

  return { folder, run, pack };
}
