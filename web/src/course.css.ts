// A route as a course, its fees, what came of it, and the table of what is served.

import { css } from "lit";

export const courseStyles = css`
  .course {
    display: grid; grid-template-columns: minmax(0, 1fr); margin: 0 0 0.8rem; padding: 4px; font-size: 0.87rem;
  }
  .stop { display: flex; gap: 0.5rem; align-items: center; min-width: 0; }
  .stop .logo { border-radius: 50%; box-shadow: 0 0 0 2px var(--raised), 0 0 0 3.5px var(--ink); }
  .stop .where .logo { box-shadow: none; }
  .stop-text { display: grid; line-height: 1.25; min-width: 0; overflow-wrap: anywhere; }
  .stop-text .number { font-weight: 600; } .stop-text .where { display: flex; gap: 0.3rem; align-items: center; }
  .leg {
    display: grid; line-height: 1.25; padding: 0.5rem 0 0.5rem 1.25rem; margin-inline-start: 0.7rem; min-width: 0;
    border-inline-start: 2px solid var(--course);
  }
  .leg.bridge { border-inline-start-style: dashed; }
  .leg .venue { color: var(--course); font-weight: 600; } .leg .how { color: var(--soft); font-size: 0.8rem; }
  .turn {
    display: inline-grid; place-content: center; min-width: 1.15rem; height: 1.15rem; margin-inline-end: 0.35rem;
    border: 1.5px solid currentcolor; border-radius: 50%; font-size: 0.72rem; line-height: 1;
  }
  @container routes (min-width: 42rem) {
    .course:not(.long) { display: flex; align-items: center; gap: 0.7rem; }
    .course:not(.long) .leg {
      flex: 1 1 6rem; padding: 0; margin: 0; border: 0; text-align: center; justify-items: center;
      background: linear-gradient(var(--course), var(--course)) center / 100% 2px no-repeat;
    }
    .course:not(.long) .leg.bridge {
      background: repeating-linear-gradient(90deg, var(--course) 0 7px, transparent 7px 12px) center / 100% 2px
        no-repeat;
    }
    .course:not(.long) .venue { padding-bottom: 0.35rem; } .course:not(.long) .how { padding-top: 0.35rem; }
    .course.long { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem 0.5rem; }
    .course.long .leg { padding: 0.1rem 0.5rem; margin: 0; border: 0; border-block-end: 2px solid var(--course); }
    .course.long .leg.bridge { border-block-end-style: dashed; }
  }
  .where .logo { margin-inline-end: 0.3rem; vertical-align: -0.15rem; } .stop .where .logo { margin: 0; }
  .fees { font-size: 0.87rem; } .fees th, .fees td { padding: 0.22rem 0; vertical-align: baseline; }
  .fees tbody > tr > th:first-child { width: 46%; font-weight: 400; padding-inline: 0 0.8rem; }
  .fees td.end { white-space: normal; }
  .fees .under { display: inline-block; margin-inline-start: 0.5rem; }
  .fees tbody > tr > .step:first-child { font-weight: 600; }
  .fees .step { color: var(--soft); font-size: 0.8rem; padding-top: 0.5rem; }
  .receipt { border-block: 1px solid var(--line); padding: 0.8rem 0 0.4rem; margin: 0.6rem 0; }
  .receipt p { margin: 0; }
  .receipt-sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 0.8rem; }
  .sum {
    display: flex; gap: 0.5rem; align-items: center; font-size: 1.25rem; font-weight: 600; line-height: 1.25;
    overflow-wrap: anywhere; min-width: 0;
  }
  .sum bdi { min-width: 0; } .at { display: flex; gap: 0.35rem; align-items: center; }
  .receipt .fees { margin-top: 0.7rem; } .receipt .fees tbody:last-child tr:last-child > * { border: 0; }
  .share, .afterwards { display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; align-items: center; }
  .afterwards { margin: 0.8rem 0 0; }
  .coverage { margin-top: 1.2rem; }
  .coverage h2 { margin: 0 0 0.2rem; }
  .coverage ul { list-style: none; margin: 0; padding: 0; }
  .coverage li {
    display: flex; gap: 0.7rem; align-items: center; padding: 0.55rem 0; border-top: 1px solid var(--line);
    min-width: 0;
  }
  .coverage-chain { display: grid; line-height: 1.25; flex: 1; min-width: 0; }
  .coverage-tools { display: flex; gap: 0.2rem; align-items: center; flex: none; }
  @container (max-width: 23rem) {
    .amount { font-size: 1.4rem; } .amount.long { font-size: 1.08rem; } .amount.longest { font-size: 0.9rem; }
    .side-main { gap: 0.3rem; } .token { padding-inline: 0.3rem 0.5rem; gap: 0.35rem; max-width: 50%; }
  }
  .routes-top h2 { white-space: nowrap; }
  /* A phone shows the form alone. */
  @container (max-width: 56rem) { .coverage { display: none; } }
`;
