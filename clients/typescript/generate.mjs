// Writes the types of the service's answers to standard output, of the prepared OpenAPI document on standard input:
// `clients/generate.py` calls it.

import { readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const NOTICE = "/** What the service answers, generated of docs/openapi.json by clients/generate.py. */";
const { components } = JSON.parse(readFileSync(0, "utf8"));
const definitions = JSON.parse(
  JSON.stringify(components.schemas).replaceAll("#/components/schemas/", "#/definitions/"),
);
const schema = { title: "Everything", type: "object", additionalProperties: false, definitions };
const options = { additionalProperties: false, bannerComment: "", unreachableDefinitions: true, format: false };
const text = (await compile(schema, "Everything", options))
  .replace(/export interface Everything \{\s*\}\n/, "")
  // What refers to what says nothing to a reader.
  .replaceAll(
    /(?: \* \n)? \* This interface was referenced by `Everything`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
    "",
  )
  .replaceAll(/\/\*\*\n \*\/\n/g, "")
  // An enumeration that is open stays one that editors complete.
  .replaceAll(/\(("[^()]*")\) \| string\)/g, "($1) | (string & {}))");
process.stdout.write(`${NOTICE}\n\n${text}`);
