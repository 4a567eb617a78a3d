#!/usr/bin/env node
// Gives the npm build of solc the command line of the native compiler, as far as forge and build.py use it:
// `--version` and `--standard-json`. Everything works offline; imports that the input does not carry come from node_modules.
"use strict";
const fs = require("fs");
const path = require("path");

const root = path.resolve(__dirname, "..");
const modules = path.join(root, "node_modules");
const solc = require(path.join(modules, "solc"));

function readImport(name) {
  const file = path.resolve(modules, name);
  if (!file.startsWith(modules + path.sep) || !fs.existsSync(file)) return { error: `${name} is not in node_modules` };
  return { contents: fs.readFileSync(file, "utf8") };
}

if (process.argv.includes("--version")) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else if (process.argv.includes("--standard-json")) {
  const output = solc.compile(fs.readFileSync(0, "utf8"), { import: readImport });
  fs.writeFileSync(1, output);
} else {
  process.stderr.write("usage: solc.js --version | --standard-json < input.json\n");
  process.exitCode = 2;
}
