// WalletConnect as one more wallet to choose. What speaks its protocol is loaded only once it is chosen, or was before.

import type { Chain } from "../api.ts";
import { texts } from "../texts.ts";
import type { Announced, Provider } from "./discovery.ts";
import { nodeOf } from "./nodes.ts";
import type { Link, Pairing, WalletConnectOptions } from "./pairing.ts";

const NAME = "WalletConnect";
export const WALLETCONNECT = "walletconnect";
export const RELAY = "wss://relay.walletconnect.org";

/** Returns what is loaded when it is asked for the first time; a failure is not kept. */
function once<T>(load: () => Promise<T>): { get: () => Promise<T>; now: () => Promise<T> | null } {
  let loading: Promise<T> | null = null;
  const get = (): Promise<T> => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return { get, now: () => loading };
}

/** `paired` is told what is to be scanned, and null when nothing is any more. */
export function walletConnect(
  options: WalletConnectOptions,
  chains: () => readonly Chain[],
  paired: (pairing: Pairing | null) => void,
): Announced & { close: () => void } {
  const listeners = new Map<string, Set<(value: never) => void>>();
  const emit = (event: string, value: unknown): void => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never);
  };
  const link = once<Link>(async () => {
    const { openLink } = await import("./walletconnect-link.ts").catch(() => {
      // The service has a newer version by now, with other chunks.
      throw new Error(texts.remoteNotLoaded);
    });
    const terms = { options, chains: chains(), readerOf: nodeOf, paired, emit };
    return openLink({
      ...terms,
      get texts() {
        return texts;
      },
    });
  });
  const provider: Provider = {
    request: async (asked) => (await link.get()).request(asked),
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    removeListener: (event, listener) => {
      listeners.get(event)?.delete(listener);
    },
  };
  const afterwards = (act: (opened: Link) => Promise<void>): void =>
    void link
      .now()
      ?.then(act)
      .catch(() => undefined);
  return {
    id: WALLETCONNECT,
    chainType: "EVM",
    name: NAME,
    icon: null,
    provider,
    end: () => afterwards((opened) => opened.end()),
    close: () => afterwards((opened) => opened.close()),
  };
}
