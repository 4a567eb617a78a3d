// Answers that have to be signed: by RFC 9421, over the request and the answer, with a key of the page's.

import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import { Api, type RouteQuery } from "../src/api.ts";
import { checkBy, isSigningKey } from "../src/proof.ts";
import { openAt } from "../src/status-stream.ts";
import { step } from "./made.ts";

const pair = (): { x: string; privateKey: KeyObject } => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { x: String(publicKey.export({ format: "jwk" }).x), privateKey };
};
const [own, other] = [pair(), pair()];
const digest = (text: string): string => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;

/** Answers as a service does that signs, by the private key of `by`; `changed` is what a proxy makes of it. */
function signing(by: typeof own, body: object, changed?: object): typeof fetch {
  return (async (url: string, { method = "GET", body: posted }: RequestInit = {}) => {
    const text = JSON.stringify(body);
    const { pathname, search } = new URL(url);
    const thumb = JSON.stringify({ crv: "Ed25519", kty: "OKP", x: by.x });
    const kid = createHash("sha256").update(thumb).digest("base64url");
    const whole = posted ? ' "content-digest";req' : "";
    const covered = `"@status" "content-digest" "@method";req "@path";req "@query";req${whole}`;
    const terms = `(${covered});created=${Math.floor(Date.now() / 1000)};keyid="${kid}";alg="ed25519"`;
    const lines = [
      '"@status": 200',
      `"content-digest": ${digest(text)}`,
      `"@method";req: ${method}`,
      `"@path";req: ${pathname}`,
      `"@query";req: ${search || "?"}`,
      ...(posted ? [`"content-digest";req: ${digest(String(posted))}`] : []),
      `"@signature-params": ${terms}`,
    ];
    const signature = sign(null, Buffer.from(lines.join("\n")), by.privateKey).toString("base64");
    const headers = {
      "content-digest": digest(text),
      "signature-input": `rhumbline=${terms}`,
      signature: `rhumbline=:${signature}:`,
    };
    return new Response(changed ? JSON.stringify(changed) : text, { headers });
  }) as typeof fetch;
}

const never = new AbortController().signal;
const codeOf = (error: { code?: string }): string | undefined => error.code;
const asked = { originChainId: 1, destinationChainId: 2, amount: "5" } as RouteQuery;

test("what the page's key has signed is taken, with its proof; anything else is not", async () => {
  const api = new Api("https://service", checkBy([own.x]));
  globalThis.fetch = signing(own, { routes: [] });
  assert.deepEqual(await api.routes(asked, never), []);
  globalThis.fetch = signing(own, { outputAmount: "7" });
  assert.equal((await api.about(asked, never)).outputAmount, "7");
  globalThis.fetch = signing(own, step());
  const proof = api.proofOf(await api.step(step(), {}));
  assert.match(proof?.headers.signature ?? "", /^rhumbline=/);
  assert.deepEqual([proof?.method, proof?.target], ["POST", "/v1/advanced/stepTransaction"]);
  globalThis.fetch = signing(own, { outputAmount: "7" }, { outputAmount: "8" });
  assert.equal(await api.about(asked, never).catch(codeOf), "UNSIGNED");
  globalThis.fetch = signing(other, { outputAmount: "7" });
  assert.equal(await api.about(asked, never).catch(codeOf), "UNSIGNED");
  globalThis.fetch = (async () => Response.json({ outputAmount: "7" })) as typeof fetch;
  assert.equal(await api.about(asked, never).catch(codeOf), "UNSIGNED");
});

test("lists are not signed; without keys nothing has to be, and refusals pass", async () => {
  globalThis.fetch = (async () => Response.json({ chains: [] })) as typeof fetch;
  assert.deepEqual(await new Api("https://service", checkBy([own.x])).chains(), []);
  globalThis.fetch = (async () => Response.json({ routes: [] })) as typeof fetch;
  const open = new Api("https://service");
  assert.deepEqual([await open.routes(asked, never), open.verifies], [[], false]);
  globalThis.fetch = (async () => Response.json({ code: "RATE_LIMIT" }, { status: 429 })) as typeof fetch;
  assert.equal(await new Api("https://service", checkBy([own.x])).routes(asked, never).catch(codeOf), "RATE_LIMIT");
});

test("streams are not signed, so none is opened where answers have to be", async () => {
  globalThis.fetch = (async () => assert.fail("asked")) as never;
  assert.equal((await openAt({ base: "https://service", verifies: true })("0x1", never)).status, 404);
  assert.ok(isSigningKey(own.x) && !isSigningKey("kid") && !isSigningKey(`${own.x}=`));
});
