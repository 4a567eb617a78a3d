// The pools that a step trades with: one in a line, several as a diagram and a list, and how close to the best it is.

import { html, nothing, svg, type TemplateResult } from "lit";
import { securePage, shorten } from "../addresses.ts";
import type { Chain, Route, Step } from "../api.ts";
import { plain } from "../catalog.ts";
import { formatPercent } from "../locale.ts";
import { formatAmount, plainAmount, readDecimal, shortAmount } from "../money.ts";
import { type Band, diagramOf, type Point } from "../pool-layout.ts";
import { gasCounted, type PoolHop, type PoolPlan, type PoolToken, sharesOf, WHOLE } from "../pool-plan.ts";
import { texts, wordOf } from "../texts.ts";

/** How words of sources' names are written, where that is not a capital and small letters. */
const SOURCE_WORDS: Record<string, string> = {
  PANCAKESWAP: "PancakeSwap",
  SUSHISWAP: "SushiSwap",
  QUICKSWAP: "QuickSwap",
  WSTETH: "wstETH",
  SFRXETH: "sfrxETH",
  SDAI: "sDAI",
  SUSDS: "sUSDS",
  SCRVUSD: "scrvUSD",
  NG: "NG",
};
/** Half a bar, and how far from the edge its name stands. */
const BAR = 8;
const DIGITS = 7;
const FEE_PLACES = 6;
const PERCENT_PLACES = 4;

const symbolOf = ({ symbol, address }: PoolToken): string => (symbol ? plain(symbol, 16) : shorten(address));

/** Writes an amount of a token; of one whose decimals nobody knows, its raw units. */
const amountOf = (raw: string, token: PoolToken, write = shortAmount): string =>
  `${write(BigInt(raw), token.decimals ?? 0, DIGITS)} ${symbolOf(token)}`;

/** Writes whose pool it is: "Uniswap V3" for UNISWAP_V3. */
export const sourceName = (key: string): string =>
  key
    .split("_")
    .map((word) => wordOf(SOURCE_WORDS, word) ?? word.charAt(0) + word.slice(1).toLowerCase())
    .join(" ");

/** Writes a pool's name as people know it: "Uniswap V3 0.05 %". */
export function poolName({ source, fee }: PoolHop): string {
  const kept = readDecimal(fee, FEE_PLACES);
  return kept ? `${sourceName(source)} ${formatPercent(plainAmount(kept, PERCENT_PLACES))}` : sourceName(source);
}

/** Writes tenths of a percent. */
export const shareText = (share: number): string =>
  share ? formatPercent(plainAmount(BigInt(share), 1)) : `<${formatPercent("0.1")}`;

/** Says how close to the best a plan is, rounded up to a ten-thousandth of a percent. */
export function nearness(plan: PoolPlan): string {
  const { gapBps } = gasCounted(plan) ? plan.netBound : plan.bound;
  if (gapBps <= 0) return texts.bestPossible;
  // In ten-thousandths of a percent; the gap has four decimals at most.
  const gap = BigInt(Math.ceil(Math.round(gapBps * 10_000) / 100));
  return texts.nearBest(formatPercent(plainAmount(gap, PERCENT_PLACES)));
}

/** Returns the pools of a route's steps, where it says them. */
export const poolsOf = (route: Route, chain: (id: number) => Chain | null): TemplateResult[] =>
  route.steps.flatMap((step, place) => {
    const title = route.steps.length > 1 ? texts.poolsOfStep(place + 1) : texts.pools;
    return step.liquidity?.hops.length ? [stepPools(title, step, step.liquidity, chain)] : [];
  });

function stepPools(
  title: string,
  { action }: Step,
  plan: PoolPlan,
  chain: (id: number) => Chain | null,
): TemplateResult {
  const { hops } = plan;
  const explorer = securePage(chain(action.fromChainId)?.blockExplorerUrls);
  return html`<div class="pools"><h3>${title}</h3>
    ${hops.length === 1 ? onePool(plan) : severalPools(plan, explorer)}
    ${bound(plan)}</div>`;
}

const ends = ({ hops }: PoolPlan): [PoolToken, PoolToken] => [
  (hops[0] as PoolHop).tokenIn,
  (hops.at(-1) as PoolHop).tokenOut,
];

function onePool(plan: PoolPlan): TemplateResult {
  const hop = plan.hops[0] as PoolHop;
  const paid = amountOf(hop.amountIn, hop.tokenIn);
  const said = texts.throughOne(paid, poolName(hop), amountOf(hop.amountOut, hop.tokenOut));
  return html`<p class="through"><bdi>${said}</bdi></p>`;
}

function severalPools(plan: PoolPlan, explorer: URL | null): TemplateResult {
  const { hops, inputAmount, outputAmount } = plan;
  const shares = sharesOf(hops);
  const [paid, received] = ends(plan);
  const said = texts.throughPools(amountOf(inputAmount, paid), hops.length, amountOf(outputAmount, received));
  return html`<p class="through"><bdi>${said}</bdi></p>
    ${diagram(hops, shares)}
    <ol class="hops" role="list">${hops.map((hop, place) => line(hop, place, shares[place] ?? 0, explorer))}</ol>`;
}

function line(hop: PoolHop, place: number, share: number, explorer: URL | null): TemplateResult {
  const { kind, pool, tokenIn, tokenOut, amountIn, amountOut } = hop;
  const whole = texts.traded(amountOf(amountIn, tokenIn, formatAmount), amountOf(amountOut, tokenOut, formatAmount));
  return html`<li><span class="mark" aria-hidden="true">${place + 1}</span>
    <span class="hop-name"><strong><bdi>${poolName(hop)}</bdi></strong>
      <span class="under"><bdi>${wordOf(texts.poolKinds, kind) ?? kind}</bdi> ${poolLink(pool, explorer)}</span></span>
    <span class="hop-share number"><bdi>${shareText(share)}</bdi>
      <svg class="part" width="100%" height="6" aria-hidden="true"><rect width="100%" height="6" rx="3"></rect>
        <rect class="of" width="${(100 * share) / WHOLE}%" height="6" rx="3"></rect></svg></span>
    <span class="hop-amounts number" title=${whole}><bdi>${texts.traded(
      amountOf(amountIn, tokenIn),
      amountOf(amountOut, tokenOut),
    )}</bdi></span></li>`;
}

/** A pool's address, linked where the chain has a secure explorer; an ID of a pool is no address. */
function poolLink(pool: string, explorer: URL | null): TemplateResult {
  const text = html`<code title=${pool}>${shorten(pool)}</code>`;
  if (!explorer || !/^0x[0-9a-fA-F]{40}$/.test(pool)) return text;
  const page = `${explorer.href.replace(/\/$/, "")}/address/${pool}`;
  return html`<a href=${page} rel="noreferrer" target="_blank">${text}</a>`;
}

/** What the list says, as a diagram; its numbers are those of the list, so it is not read out. */
function diagram(hops: readonly PoolHop[], shares: readonly number[]): TemplateResult | typeof nothing {
  const laidOut = diagramOf(hops, shares);
  if (!laidOut) return nothing;
  const tokens = new Map(
    hops.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut].map((each) => [each.address, each])),
  );
  const bars = laidOut.bars.map(({ address, x, top, height }) => {
    const anchor = x === 0 ? "start" : x === 100 ? "end" : "middle";
    const token = tokens.get(address);
    return svg`<rect class="token-bar" x="${x}%" y=${top} width=${BAR} height=${height} rx="2"
        transform="translate(${(-BAR * x) / 100})"></rect>
      <text x="${x}%" y=${top - 7} text-anchor=${anchor} class="stop">${token ? symbolOf(token) : ""}</text>`;
  });
  const badges = laidOut.bands.map(
    ({ place, badge }) => svg`<circle cx="${badge.x}%" cy=${badge.y} r="8"></circle>
      <text x="${badge.x}%" y=${badge.y + 3.5} text-anchor="middle" class="count">${place + 1}</text>`,
  );
  // Bands stretch with the width, names and numbers do not.
  return html`<svg class="flow" width="100%" height=${laidOut.height} aria-hidden="true" focusable="false">
    <svg width="100%" height=${laidOut.height} viewBox="0 0 100 ${laidOut.height}"
      preserveAspectRatio="none">${laidOut.bands.map(band)}</svg>${bars}${badges}</svg>`;
}

const band = ({ points, thickness }: Band): TemplateResult =>
  svg`<path d=${curve(points)} stroke-width=${thickness} vector-effect="non-scaling-stroke"></path>`;

function curve(points: readonly Point[]): string {
  const parts = points.slice(1).map(({ x, y }, turn) => {
    const from = points[turn] as Point;
    const middle = (from.x + x) / 2;
    return `C${middle} ${from.y} ${middle} ${y} ${x} ${y}`;
  });
  return `M${points[0]?.x} ${points[0]?.y}${parts.join("")}`;
}

function bound(plan: PoolPlan): TemplateResult {
  const [paid, received] = ends(plan);
  const most = amountOf(plan.bound.amount, received, formatAmount);
  const block = formatAmount(BigInt(plan.block.number), 0);
  const meaning = texts.boundMeaning(amountOf(plan.inputAmount, paid, formatAmount), most, block);
  const gas = gasCounted(plan) ? texts.gasCounted : texts.gasLeftOut;
  return html`<details class="bound"><summary><bdi>${nearness(plan)}</bdi></summary>
    <p class="small soft"><bdi>${meaning} ${gas}</bdi></p>
  </details>`;
}
