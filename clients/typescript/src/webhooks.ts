// Whether a webhook is the service's, by Standard Webhooks (https://www.standardwebhooks.com, read 2026-11-27).

import { InvalidSignature } from "./errors.ts";
import type { TransactionEvent } from "./models.ts";
import type { RecordChange } from "./records.ts";
import { parsed } from "./transport.ts";

const TOLERANCE_S = 300;

/** Headers as they arrived, in whatever case. */
export type ArrivedHeaders = Headers | Record<string, string | string[] | undefined>;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * Checks a webhook, and returns what it tells. `body` is the bytes or text as they arrived; one signature by any of the
 * secrets (`whsec_…`) is enough, so that one can be replaced. `id` is the same if a message comes a second time.
 * `at` is the present in Unix seconds; a message may be five minutes off. Throws InvalidSignature.
 */
export async function verify(
  headers: ArrivedHeaders,
  body: string | Uint8Array<ArrayBuffer>,
  secrets: string | string[],
  at: number = Date.now() / 1000,
): Promise<RecordChange> {
  const given = new Map<string, string>();
  for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
    if (value !== undefined) given.set(name.toLowerCase(), [value].flat().join(","));
  }
  const [id = "", sent = "", signatures = ""] = ["id", "timestamp", "signature"].map((name) =>
    given.get(`webhook-${name}`),
  );
  for (const [name, value] of Object.entries({ id, timestamp: sent, signature: signatures })) {
    if (value === "") throw new InvalidSignature(`the header webhook-${name} lacks`);
  }
  if (!/^\d{1,12}$/.test(sent) || Math.abs(at - Number(sent)) > TOLERANCE_S) {
    throw new InvalidSignature(`webhook-timestamp is not within ${TOLERANCE_S} seconds of now`);
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const raw = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const content = new Uint8Array([...new TextEncoder().encode(`${id}.${sent}.`), ...raw]);
  const keys = [secrets].flat().map((secret) => bytesOf(secret.replace(/^whsec_/, "")));
  if (keys.length === 0 || keys.includes(undefined)) {
    throw new TypeError(
      "secrets are whsec_ and base64, at least one: give them as `rhumbline webhooks add` printed them",
    );
  }
  const received = signatures
    .split(" ")
    .filter((each) => each.startsWith("v1,"))
    .map((each) => bytesOf(each.slice(3)));
  let isSigned = false;
  for (const key of keys) {
    const imported = await crypto.subtle.importKey(
      "raw",
      key ?? new Uint8Array(),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    for (const one of received)
      if (one && (await crypto.subtle.verify("HMAC", imported, one, content))) isSigned = true;
  }
  if (!isSigned) throw new InvalidSignature("no signature was made with these secrets over this body");
  const { type, number, timestamp, data } = parsed<TransactionEvent>("the webhook", text);
  return type.startsWith("transaction.") ? { id, type, number, at: timestamp, transaction: data } : { id, type };
}
