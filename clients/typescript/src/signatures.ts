// Whether an answer is the service's, by HTTP Message Signatures (RFC 9421): docs/signed-answers.md.

import { InvalidSignature } from "./errors.ts";
import type { SigningKeyEntry } from "./models.ts";

/** A public key of `/.well-known/jwks.json`. */
export type SigningKey = Pick<SigningKeyEntry, "kty" | "crv" | "x" | "kid">;

/** An answer and its request. `target` is path and query as they were sent, without a path that the service is below. */
export interface SignedAnswer {
  method: string;
  target: string;
  status: number;
  headers: Headers;
  /** After a content coding was undone, as `fetch` gives it. */
  body: string | Uint8Array<ArrayBuffer>;
  /** The body of a POST. */
  posted?: string | Uint8Array<ArrayBuffer> | undefined;
}

/** How far the service's clock may be ahead of this one. */
const EARLY_S = 30;
const COVERED = '"@status" "content-digest" "@method";req "@path";req "@query";req';
const POSTED = ' "content-digest";req';
const INPUT = /^rhumbline=(\(([^()]*)\);created=(\d{1,12});keyid="([\w-]{1,100})";alg="ed25519")$/;
const SIGNATURE = /^rhumbline=:([A-Za-z0-9+/=]{88}):$/;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

async function digestOf(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const raw = typeof body === "string" ? bytesOf(body) : body;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", raw));
  return `sha-256=:${btoa(String.fromCharCode(...digest))}:`;
}

/**
 * Checks that the holder of one of `keys` gave this answer to this request, and returns when, in Unix seconds. The keys
 * must have come another way than through whom is not trusted. `at` is the present in Unix seconds; an answer may be
 * `maxAge` seconds old. Throws InvalidSignature.
 */
export async function verifyAnswer(
  answer: SignedAnswer,
  keys: SigningKey[],
  { at = Date.now() / 1000, maxAge = 300 }: { at?: number; maxAge?: number } = {},
): Promise<number> {
  const { method, target, status, headers, body, posted } = answer;
  const [, parameters = "", covered = "", created = "", kid = ""] =
    INPUT.exec(headers.get("signature-input") ?? "") ?? [];
  const [, signature] = SIGNATURE.exec(headers.get("signature") ?? "") ?? [];
  if (signature === undefined || parameters === "") {
    throw new InvalidSignature("the answer is not signed, or not as this client knows");
  }
  // Refusals may come before a body was read; what can be executed never does.
  const hasPosted = covered === COVERED + POSTED;
  if (!hasPosted && (covered !== COVERED || (posted !== undefined && status >= 200 && status < 300))) {
    throw new InvalidSignature("the signature does not cover what it should");
  }
  const digest = await digestOf(body);
  if (headers.get("content-digest") !== digest) throw new InvalidSignature("the body is not the one that was signed");
  const at0 = target.indexOf("?");
  const [path, query] = at0 < 0 ? [target, ""] : [target.slice(0, at0), target.slice(at0 + 1)];
  const base = [
    `"@status": ${status}`,
    `"content-digest": ${digest}`,
    `"@method";req: ${method}`,
    `"@path";req: ${path}`,
    `"@query";req: ?${query}`,
    ...(hasPosted ? [`"content-digest";req: ${await digestOf(posted ?? "")}`] : []),
    `"@signature-params": ${parameters}`,
  ];
  const key = keys.find((each) => each.kid === kid && each.kty === "OKP" && each.crv === "Ed25519");
  if (key === undefined) {
    throw new InvalidSignature(`the answer is signed with the key ${kid}, which is not among those given`);
  }
  const { kty, crv, x } = key;
  const imported = await crypto.subtle.importKey("jwk", { kty, crv, x }, { name: "Ed25519" }, false, ["verify"]);
  const raw = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
  if (!(await crypto.subtle.verify("Ed25519", imported, raw, bytesOf(base.join("\n"))))) {
    throw new InvalidSignature("the signature is not over this request and this answer");
  }
  if (Number(created) < at - maxAge || Number(created) > at + EARLY_S) {
    throw new InvalidSignature(`the answer was signed at ${created}, not within the last ${maxAge} seconds`);
  }
  return Number(created);
}
