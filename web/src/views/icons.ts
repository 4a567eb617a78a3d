// Icons that not every font has.

import { html, svg, type TemplateResult } from "lit";

const icon = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" fill="none" stroke="currentColor"
    stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${svg`<path d=${path}></path>`}</svg>`;

export const down = icon("M4 6l4 4 4-4");
export const up = icon("M4 10l4-4 4 4");
export const flip = icon("M5 2v12M5 14l-3-3M5 14l3-3M11 14V2M11 2L8 5M11 2l3 3");
export const turn = icon("M2 5h12M14 5l-3-3M14 11H2M2 11l3 3");
export const star = icon("M8 1.8l1.9 4 4.4.6-3.2 3 .8 4.3L8 11.6l-3.9 2.1.8-4.3-3.2-3 4.4-.6z");
export const cross = icon("M4 4l8 8M12 4l-8 8");
