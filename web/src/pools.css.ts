// The pools of a route: bands of the width of their shares, and the list beneath.

import { css } from "lit";

export const poolStyles = css`
  .pools { margin-bottom: 0.9rem; container-type: inline-size; }
  .pools h3, .through { margin-bottom: 0.3rem; }
  .flow { display: block; direction: ltr; margin: 0.2rem 0 0.6rem; overflow: visible; font: 12px var(--mono); }
  .flow path { fill: none; stroke: var(--course); stroke-opacity: 0.42; }
  .flow .token-bar { fill: var(--ink); }
  .flow text { fill: var(--ink); }
  .flow .stop { font-weight: 600; }
  .flow circle { fill: var(--raised); stroke: var(--course); stroke-width: 1.2; }
  .flow .count { font-size: 10px; }
  .flow:dir(rtl), .part:dir(rtl), .course:dir(rtl) { transform: scaleX(-1); }
  .flow:dir(rtl) text, .course:dir(rtl) text { transform: scaleX(-1);
    transform-box: fill-box; transform-origin: center; }
  .hops { list-style: none; margin: 0 0 0.6rem; padding: 0; }
  .hops li {
    display: grid; grid-template-columns: 1.3rem minmax(0, 1fr) 4.4rem; gap: 0 0.6rem; align-items: center;
    padding: 0.35rem 0; border-top: 1px solid var(--line);
  }
  .mark {
    width: 1.3rem; height: 1.3rem; border: 1px solid var(--course); border-radius: 50%; font: 0.68rem/1 var(--mono);
    display: grid; place-items: center;
  }
  .hop-name .under { font-weight: 400; }
  .hop-name a { color: inherit; }
  .hop-name code { white-space: nowrap; }
  .hop-share { text-align: end; }
  .hop-amounts { grid-column: 2 / -1; }
  .part { display: block; } .part rect { fill: var(--line); } .part .of { fill: var(--course); }
  .bound summary { color: var(--ink); }
  .bound p { margin: 0.2rem 0 0; }
  @container (min-width: 36rem) {
    .hops li { grid-template-columns: 1.3rem minmax(0, 1fr) auto 4.4rem; }
    .hop-amounts { grid-column: auto; text-align: end; } .hop-share { order: 1; }
  }
`;
