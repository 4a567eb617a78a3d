// A wallet on a phone, for tests: WalletConnect's own client on its side of the relay. What it is asked goes out as lines
// of JSON, what it answers comes in as such.

import { createInterface } from "node:readline";
import { Core } from "@walletconnect/core";
import { SignClient } from "@walletconnect/sign-client";

const { relay, project, accounts, methods, refuses } = JSON.parse(process.argv[2]);
const say = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);
// What a session that was given up leaves behind in the client.
process.on("unhandledRejection", (error) => process.stderr.write(`${error?.message}\n`));
const core = new Core({ projectId: project, relayUrl: relay, logger: "silent", telemetryEnabled: false });
core.eventClient.init = async () => undefined;
await core.start();
const metadata = { name: "Octant", description: "A wallet of tests", url: "https://wallet.example", icons: [] };
const client = await SignClient.init({ core, metadata });

client.on("session_proposal", async ({ id, params }) => {
  say({ proposal: params.optionalNamespaces.eip155, proposer: params.proposer.metadata });
  if (refuses) return client.reject({ id, reason: { code: 5000, message: "User rejected." } });
  const events = ["accountsChanged", "chainChanged"];
  const { acknowledged } = await client.approve({ id, namespaces: { eip155: { accounts, methods, events } } });
  // Whoever asked may have given up meanwhile.
  await acknowledged().catch(() => undefined);
});
client.on("session_request", ({ id, topic, params }) => say({ asked: { id, topic, ...params } }));
client.on("session_delete", () => say({ deleted: true }));

const told = {
  pair: (uri) => client.core.pairing.pair({ uri }),
  answer: ({ id, topic, result, error }) =>
    client.respond({ topic, response: { id, jsonrpc: "2.0", ...(error ? { error } : { result }) } }),
  leave: () => client.disconnect({ topic: client.session.getAll()[0].topic, reason: { code: 6000, message: "" } }),
  update: (changed) => {
    const [{ topic, namespaces }] = client.session.getAll();
    return client.update({ topic, namespaces: { eip155: { ...namespaces.eip155, accounts: changed } } });
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const [[name, value]] = Object.entries(JSON.parse(line));
  await told[name](value);
}
process.exit(0);
