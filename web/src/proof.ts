// Whether answers are the service's, by public keys that the page around the element has: docs/signed-answers.md.

import type { Check } from "./transport.ts";

/** A public key of Ed25519 as a JSON Web Key has it: 32 bytes in base64url. */
export const isSigningKey = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** Returns how answers are checked; loads what does it with the first of them. */
export const checkBy =
  (keys: readonly string[]): Check =>
  async ({ headers, ...proof }) => {
    const [{ verifyAnswer }, known] = await Promise.all([
      import("../../clients/typescript/src/signatures.ts"),
      Promise.all(keys.map(named)),
    ]);
    return verifyAnswer({ ...proof, headers: new Headers(headers) }, known);
  };

/** Returns a key by its thumbprint, as RFC 7638 makes it. */
async function named(x: string): Promise<{ kty: "OKP"; crv: "Ed25519"; x: string; kid: string }> {
  const text = new TextEncoder().encode(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }));
  const print = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", text))));
  return { kty: "OKP", crv: "Ed25519", x, kid: print.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "") };
}
