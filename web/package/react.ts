// <RhumblineSwap>: the element in React, on a server too, where it renders the tag alone.

import { createElement, type ReactElement, useEffect, useRef } from "react";
import type { DestinationCall, Sponsor, SwapAttributes, SwapEvents } from "../src/public-types.ts";
import type { ResolveName } from "../src/receiver-names.ts";
import type { OwnWallets } from "../src/wallet/own-wallets.ts";

type Given = Pick<RhumblineSwapProps, "resolveName" | "wallet" | "destinationCall" | "sponsor">;

type Handlers = {
  [Name in keyof SwapEvents as Name extends `rhumbline-${infer Rest}` ? `on${Capitalize<Rest>}` : never]?: (
    detail: SwapEvents[Name],
  ) => void;
};

export interface RhumblineSwapProps extends Omit<SwapAttributes, "heading-font" | "links">, Handlers {
  headingFont?: string;
  links?: boolean;
  resolveName?: ResolveName;
  /** The application's own wallets. */
  wallet?: OwnWallets;
  /** What is called on the destination's chain with what arrives. */
  destinationCall?: DestinationCall | null;
  /** Who pays the network on Solana in the visitor's place. */
  sponsor?: Sponsor | null;
  className?: string;
  id?: string;
}

const EVENTS = [
  "quote",
  "choice",
  "wallet",
  "language",
  "sent",
  "done",
  "error",
  "warning",
] as const satisfies readonly Short[];
type Short = keyof SwapEvents extends `rhumbline-${infer Rest}` ? Rest : never;
type Handle = (detail: never) => void;

export function RhumblineSwap(props: RhumblineSwapProps): ReactElement {
  const { headingFont, links, resolveName, wallet, destinationCall, sponsor, className, ...rest } = props;
  const element = useRef<(HTMLElement & Given) | null>(null);
  // Listeners are added once, and call what the last rendering has given.
  const last = useRef(props);
  useEffect(() => {
    last.current = props;
    if (element.current) Object.assign(element.current, { resolveName, wallet, destinationCall, sponsor });
  });
  useEffect(() => {
    const left = new AbortController();
    for (const name of EVENTS) {
      const prop = `on${name.charAt(0).toUpperCase()}${name.slice(1)}` as keyof Handlers;
      const listen = (event: Event): void => {
        (last.current[prop] as Handle | undefined)?.((event as CustomEvent).detail as never);
      };
      element.current?.addEventListener(`rhumbline-${name}`, listen, { signal: left.signal });
    }
    void import("../src/element.ts");
    return () => left.abort();
  }, []);
  const attributes = Object.entries(rest).filter(([name, value]) => !/^on[A-Z]/.test(name) && value !== undefined);
  return createElement("rhumbline-swap", {
    ...Object.fromEntries(attributes),
    ...(headingFont === undefined ? {} : { "heading-font": headingFont }),
    ...(links ? { links: "" } : {}),
    ...(className === undefined ? {} : { class: className }),
    ref: element,
  });
}
