// The browser's own controls, drawn as the rest of the chart is.

import { css } from "lit";

export const controlStyles = css`
  select, input[type="radio"], input[type="checkbox"] { appearance: none; }
  :host select {
    padding-inline-end: 1.9rem; cursor: pointer;
    background: linear-gradient(45deg, transparent 50%, currentcolor 50%) calc(100% - 1.05rem) 50% / 0.36rem 0.36rem
      no-repeat, linear-gradient(-45deg, transparent 50%, currentcolor 50%) calc(100% - 0.7rem) 50% / 0.36rem 0.36rem
      no-repeat, var(--paper);
  }
  input[type="radio"], input[type="checkbox"] {
    width: 1.15rem; height: 1.15rem; min-height: 0; padding: 0; margin: 0; flex: none; cursor: pointer;
    border: 1.5px solid var(--line-strong); background: var(--raised); display: inline-grid; place-content: center;
  }
  input[type="radio"] { border-radius: 50%; } input[type="checkbox"] { border-radius: 3px; }
  input[type="radio"]::before {
    content: ""; width: 0.6rem; height: 0.6rem; border-radius: 50%; scale: 0; background: var(--course);
  }
  input[type="checkbox"]::before {
    content: ""; width: 0.7rem; height: 0.7rem; scale: 0; background: var(--on-sea);
    clip-path: polygon(14% 44%, 0 58%, 40% 96%, 100% 18%, 84% 6%, 38% 66%);
  }
  input:checked::before { scale: 1; }
  input[type="radio"]:checked { border-color: var(--course); }
  input[type="checkbox"]:checked { border-color: var(--sea); background: var(--sea); }
  summary { list-style: none; display: flex; align-items: center; gap: 0.45rem; }
  summary::-webkit-details-marker { display: none; }
  summary::before {
    content: ""; border: 0.3rem solid transparent; border-inline-start-color: currentcolor; border-inline-end-width: 0;
  }
  details[open] > summary::before { rotate: 90deg; }
  @media (forced-colors: active) {
    input[type="radio"]::before, input[type="checkbox"]::before { background: CanvasText; }
    input[type="checkbox"]:checked { background: Canvas; }
  }
`;
