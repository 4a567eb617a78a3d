// How a wallet elsewhere is reached over a relay.

import type { Chain } from "../api.ts";
import type { Texts } from "../texts.ts";
import type { Provider } from "./discovery.ts";
import type { Read } from "./nodes.ts";

export interface WalletConnectOptions {
  /** Whom the relay counts: 32 hexadecimal digits. */
  projectId: string;
  /** The relay's address, `wss://…`. */
  relay: string;
}

/** What a wallet scans to connect. */
export interface Pairing {
  uri: string;
  /** The same as a QR code: the path of an SVG with squares of 1, and how many there are in a row. */
  path: string;
  size: number;
}

export interface Link {
  request: Provider["request"];
  /** Ends the session with the wallet, or the attempt to have one. */
  end(): Promise<void>;
  /** Leaves the relay; the session stays. */
  close(): Promise<void>;
}

/** What a link is given by the element: it is bundled apart, and knows no language and no node by itself. */
export interface Terms {
  options: WalletConnectOptions;
  chains: readonly Chain[];
  /** As they are in the language that is spoken now. */
  readonly texts: Texts;
  /** Returns how to read a chain; null where it has no public node. */
  readerOf: (chain: Chain) => Read | null;
  /** Told what is to be scanned, and null when nothing is any more. */
  paired: (pairing: Pairing | null) => void;
  emit: (event: string, value: unknown) => void;
}
