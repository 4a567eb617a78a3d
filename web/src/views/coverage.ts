// What this service serves, by chain: shown while there is nothing to compare.

import { html, nothing, type TemplateResult } from "lit";
import type { Chain, Tool } from "../api.ts";
import type { Catalog } from "../catalog.ts";
import { texts } from "../texts.ts";
import { chainLogo, logo } from "./fragments.ts";

export interface CoverageProps {
  readonly api: { base: string };
  readonly ready: boolean;
  readonly catalog: Pick<Catalog, "chains" | "tools">;
  payable(chain: Chain | null): boolean;
}

const MOST_LOGOS = 8;

const on = (tools: readonly Tool[], { id }: Chain): Tool[] =>
  tools.filter(({ supportedChains }) => supportedChains.includes(String(id)));

export function coverage(props: CoverageProps): TemplateResult | typeof nothing {
  const { chains, tools } = props.catalog;
  if (!props.ready || chains.length < 2) return nothing;
  const all = new Set([...tools.exchanges, ...tools.bridges].map(({ key }) => key));
  return html`<section class="coverage" aria-labelledby="coverage-title">
    <h2 id="coverage-title">${texts.coverage}</h2>
    <p class="soft small">${texts.coverageOf(chains.length, all.size)}</p>
    <ul>${chains.map((chain) => row(props, chain))}</ul>
  </section>`;
}

function row(props: CoverageProps, chain: Chain): TemplateResult {
  const { base } = props.api;
  const [exchanges, bridges] = [on(props.catalog.tools.exchanges, chain), on(props.catalog.tools.bridges, chain)];
  const keys = new Map([...exchanges, ...bridges].map((tool) => [tool.key, tool]));
  const tools = [...keys.values()];
  const counted = texts.chainTools(exchanges.length, bridges.length);
  return html`<li>${chainLogo(base, chain, 28)}
    <span class="coverage-chain"><strong>${chain.name}</strong>
      <span class="small soft">${counted}${props.payable(chain) ? nothing : html` · ${texts.receiveOnly}`}</span></span>
    <span class="coverage-tools" aria-hidden="true">${tools
      .slice(0, MOST_LOGOS)
      .map(({ key, name }) => logo(base, { symbol: name, address: key }, 22))}${
      tools.length > MOST_LOGOS ? html`<span class="small soft">+${tools.length - MOST_LOGOS}</span>` : nothing
    }</span></li>`;
}
