// A sea chart: buff paper, deep ink, blue water, and magenta for what a navigator draws by hand. Variables theme it
// from outside.

import { css } from "lit";

export const theme = css`
  :host {
    --paper: var(--rhumbline-paper, light-dark(#f8f5ec, #0c1920));
    --raised: var(--rhumbline-raised, light-dark(#fffdf7, #12232c));
    --water: var(--rhumbline-water, light-dark(#e8f1f3, #10303a));
    --line: var(--rhumbline-line, light-dark(#d9d3c1, #25404b));
    --line-strong: var(--rhumbline-line-strong, light-dark(#7b8c95, #5d7a87));
    --ink: var(--rhumbline-ink, light-dark(#12303e, #e4edef));
    --soft: var(--rhumbline-soft, light-dark(#4f6470, #9fb4bd));
    --sea: var(--rhumbline-accent, light-dark(#0b6680, #62c3dc));
    --sea-deep: var(--rhumbline-accent-strong, light-dark(#084d61, #8fd8ea));
    --on-sea: var(--rhumbline-on-accent, light-dark(#ffffff, #06222b));
    --course: var(--rhumbline-course, light-dark(#a82565, #f08cb8));
    --good: light-dark(#1d6b45, #7fd0a2); --mind: light-dark(#845306, #e9bb66); --bad: light-dark(#a32a2a, #f29a92);
    --good-ground: light-dark(#e5f2e9, #123326); --mind-ground: light-dark(#fbf0d9, #35290f);
    --bad-ground: light-dark(#fbe6e3, #3a1a1a);
    --serif: var(--rhumbline-serif, "Iowan Old Style", "Palatino Linotype", Palatino,
      "URW Palladio L", "P052", "DejaVu Serif", Georgia, serif);
    --mono: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    --round: var(--rhumbline-radius, 6px);
    display: block; color: var(--ink); text-align: start; text-transform: none; letter-spacing: normal;
    word-spacing: normal; white-space: normal; overflow-wrap: break-word;
    font: 16px/1.5 var(--rhumbline-font, system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif);
    container-type: inline-size;
  }
  * { box-sizing: border-box; }
  [hidden] { display: none !important; }
  h2, h3 { font-family: var(--serif); line-height: 1.2; font-weight: 600; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
  h2 { font-size: 1.2rem; } h3 { font-size: 1rem; }
  p { margin: 0 0 0.7rem; } p, li, h2, h3, dd, text { unicode-bidi: plaintext; }
  a { color: var(--sea); text-underline-offset: 0.18em; }
  code, .mono { font-family: var(--mono); font-size: 0.92em; overflow-wrap: anywhere; }
  .number { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .soft { color: var(--soft); }
  .small { font-size: 0.85rem; }
  .good { color: var(--good); }
  .mind { color: var(--mind); }
  .bad { color: var(--bad); }
  .hide {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
    margin: 0;
  }
  :focus-visible { outline: 3px solid var(--course); outline-offset: 2px; border-radius: 3px; }
  .card {
    background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); padding: 1rem;
    box-shadow: 0 1px 0 var(--line); min-width: 0;
  }
  .card + .card { margin-top: 1rem; }
  label, .label { display: block; font-size: 0.85rem; font-weight: 600; color: var(--soft); }
  label .optional { font-weight: 400; }
  input, select {
    font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line-strong);
    border-radius: 4px; padding: 0.5rem 0.65rem; min-height: 2.6rem; width: 100%;
  }
  input[aria-invalid="true"] { border-color: var(--bad); }
  input::placeholder { color: var(--soft); opacity: 0.85; }
  .fault { font-size: 0.87rem; color: var(--bad); margin: 0.25rem 0 0; } .fault:empty { display: none; }
  .fault.kept { display: block; min-height: 1.5em; } .hint { min-height: 5em; }
  button {
    display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; font-family: inherit;
    font-size: 0.95rem; font-weight: 600; line-height: 1.2; color: var(--sea); background: transparent;
    border: 1px solid var(--sea); border-radius: 4px; padding: 0.5rem 0.9rem; min-height: 2.5rem; min-width: 0;
    cursor: pointer;
  }
  button:hover:not([aria-disabled="true"]) { background: var(--water); color: var(--sea-deep); }
  button.main { background: var(--sea); color: var(--on-sea); min-height: 3rem; font-size: 1.05rem; }
  button.main:hover:not([aria-disabled="true"]) { background: var(--sea-deep); color: var(--on-sea); }
  button.wide { width: 100%; }
  button.plain { border-color: transparent; padding-inline: 0.4rem; } button.plain.small { font-weight: 400; }
  button[aria-disabled="true"] {
    cursor: default; color: var(--soft); border-color: var(--line-strong); background: var(--water);
  }
  .bar { display: flex; flex-wrap: wrap; gap: 0.5rem 0.8rem; align-items: center; margin-bottom: 0.8rem; }
  .views { display: flex; gap: 0.3rem; margin-inline-start: auto; }
  .view {
    border-color: transparent; color: var(--soft); border-radius: 0; border-bottom: 2px solid transparent;
    padding-inline: 0.3rem;
  }
  .view[aria-pressed="true"] { color: var(--ink); border-bottom-color: var(--course); }
  .columns { display: grid; gap: 1.2rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
  @container (min-width: 56rem) { .columns { grid-template-columns: minmax(0, 25rem) minmax(0, 1fr); } }
  @container (min-width: 40rem) {
    :host([layout="wide"]) .columns { grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); }
  }
  :host([layout="compact"]) { max-width: 27rem; }
  :host([layout="compact"]) .columns { grid-template-columns: minmax(0, 1fr); gap: 0.8rem; }
  :host([layout="compact"]) .card { padding: 0.75rem; }
  .side {
    background: var(--water); border: 1px solid var(--line); border-radius: var(--round); padding: 0.7rem 0.8rem;
  }
  .side-top, .side-main, .side-foot {
    display: flex; align-items: center; gap: 0.6rem; justify-content: space-between; flex-wrap: wrap;
  }
  .side-main, .side-foot { flex-wrap: nowrap; }
  .side-foot > * { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #balance { flex: none; max-width: 70%; }
  .side-top { min-height: 1.9rem; } .side-foot { min-height: 1.4rem; font-size: 0.87rem; }
  .amount {
    font-size: 1.8rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; min-width: 0; flex: 1;
    overflow-wrap: anywhere;
  }
  input.amount:focus-visible { outline-offset: -3px; }
  input.amount { border: 0; background: transparent; padding: 0.1rem 0.45rem; margin-inline-start: -0.45rem; }
  .amount.long { font-size: 1.3rem; } .amount.longest { font-size: 1.05rem; }
  output.amount.long { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .shares { display: inline-flex; align-items: center; gap: 0.25rem; flex-wrap: wrap; }
  .share { min-height: 1.6rem; padding: 0.1rem 0.45rem; font-size: 0.8rem; border-color: var(--line-strong); }
  .token {
    position: relative; border-color: var(--line-strong); color: var(--ink); background: var(--raised);
    border-radius: 99px; padding-block: 0.3rem; padding-inline: 0.4rem 0.7rem; flex: none; max-width: 55%;
    min-height: 2.75rem;
  }
  .token-text { display: grid; text-align: start; line-height: 1.15; min-width: 0; }
  .token-text > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .where { font-size: 0.72rem; font-weight: 400; color: var(--soft); }
  .logo { border-radius: 50%; flex: none; }
  .flip { display: flex; justify-content: center; margin: -0.55rem 0; position: relative; }
  .flip button {
    border-radius: 50%; width: 2.4rem; height: 2.4rem; min-height: 0; padding: 0; background: var(--raised);
    border-color: var(--line-strong); color: var(--ink);
  }
  .rate {
    display: flex; justify-content: space-between; align-items: center; gap: 0.5rem; margin-top: 0.3rem;
    min-height: 2.5rem;
  }
  .form > .field, .form > details, .form > .note { margin-top: 0.5rem; }
  .form > .main { margin-top: 0.6rem; }
  summary { cursor: pointer; color: var(--soft); min-height: 2rem; font-size: 0.9rem; padding: 0.25rem 0; }
  .chains { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; margin: 0.3rem 0 0.6rem; }
  .chip {
    min-height: 2rem; padding: 0.2rem 0.7rem; border-radius: 99px; border-color: var(--line-strong); color: var(--ink);
    font-size: 0.87rem;
  }
  .chip[aria-pressed="true"] { background: var(--sea); color: var(--on-sea); border-color: var(--sea); }
  .own input { width: 6rem; min-height: 2rem; padding: 0.2rem 0.5rem; }
  .note {
    border-inline-start: 3px solid var(--line-strong); border-start-end-radius: 4px; border-end-end-radius: 4px;
    background: var(--water); padding: 0.55rem 0.8rem; margin: 0 0 0.7rem; color: var(--ink);
  }
  .note > :last-child { margin-bottom: 0; }
  .note.mind { border-color: var(--mind); background: var(--mind-ground); }
  .note.bad { border-color: var(--bad); background: var(--bad-ground); }
  .yes { display: flex; gap: 0.5rem; align-items: center; color: var(--ink); font-size: 0.95rem; min-height: 2rem; }
  .badge {
    display: inline-block; font-size: 0.74rem; font-weight: 600; line-height: 1.3; border: 1px solid currentcolor;
    border-radius: 99px; padding: 0 0.5rem; white-space: nowrap; color: var(--soft);
  }
  .badge.recommended, .badge.good { color: var(--good); background: var(--good-ground); }
  .badge.fastest, .badge.cheapest { color: var(--sea); }
  .badge.mind { color: var(--mind); background: var(--mind-ground); }
  .badge.bad { color: var(--bad); background: var(--bad-ground); }
  .tags, .pick { vertical-align: middle; } .tags { display: inline-flex; gap: 0.25rem; flex-wrap: wrap; }
  .routes-top {
    display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.3rem 0.8rem;
    margin-bottom: 0.4rem;
  }
  .routes-top h2 { margin: 0; flex: none; }
  .sort { display: flex; align-items: center; gap: 0.5rem; white-space: nowrap; }
  .sort select { width: auto; min-height: 2rem; padding: 0.15rem 0.4rem; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
  td.end { white-space: nowrap; }
  th, td {
    text-align: start; vertical-align: middle; padding: 0.35rem 0.7rem 0.35rem 0; border-bottom: 1px solid var(--line);
  }
  thead th { color: var(--soft); font-size: 0.8rem; font-weight: 600; } tbody th { font-weight: 600; }
  .end { text-align: end; } td.end:last-child, th.end:last-child { padding-inline-end: 0; }
  #routes td .open { vertical-align: middle; }
  tbody.chosen > tr:first-child { background: var(--water); box-shadow: inset 3px 0 var(--course); }
  tbody.chosen > tr:first-child:dir(rtl) { box-shadow: inset -3px 0 var(--course); }
  tbody > tr > th:first-child { padding-inline-start: 0.5rem; }
  .pick {
    display: inline-flex; gap: 0.5rem; align-items: center; color: var(--ink); font-size: 0.9rem; min-height: 2rem;
    cursor: pointer; margin-inline-end: 0.4rem;
  }
  .under { display: block; font-size: 0.8rem; color: var(--soft); }
  .open { vertical-align: middle; min-height: 1.75rem; width: 1.9rem; padding: 0; border-color: transparent; }
  .detail td { padding: 0.7rem 0.5rem 1rem; white-space: normal; }
  .detail-columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
  @container routes (min-width: 44rem) { .detail-columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
  .believed { margin: 0; padding-inline-start: 1.1rem; }
  .headline { font-size: 1.05rem; font-weight: 600; margin: 0.2rem 0 0.4rem; }
  .log { list-style: none; margin: 0.4rem 0; padding: 0; }
  .log li { display: grid; grid-template-columns: 1.6rem 1fr; gap: 0 0.5rem; padding: 0.3rem 0; }
  .log li::before {
    content: ""; width: 0.8rem; height: 0.8rem; margin: 0.35rem auto 0; border: 2px solid var(--soft);
    border-radius: 50%;
  }
  .log li.doing::before { border-color: var(--course); border-inline-end-color: transparent; }
  .log li.done::before { border-color: var(--good); background: var(--good); }
  .log li.failed::before {
    border-color: var(--bad); border-radius: 1px;
    background: linear-gradient(45deg, transparent 40%, var(--bad) 40% 60%, transparent 60%),
      linear-gradient(-45deg, transparent 40%, var(--bad) 40% 60%, transparent 60%);
  }
  .transfers { list-style: none; margin: 0; padding: 0; } .transfers > li { border-bottom: 1px solid var(--line); }
  .transfers > li:last-child { border: 0; }
  .transfers summary::before {
    content: ""; border: 0.32rem solid transparent; border-inline-start-color: currentcolor;
    border-inline-end-width: 0;
  }
  .transfers details[open] > summary::before { rotate: 90deg; }
  .transfers .progress { background: none; border: 0; box-shadow: none; padding: 0 0 0.6rem 1.2rem; }
  .transfers .progress h2 { display: none; }
  .transfers summary {
    display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; align-items: center; min-height: 3rem; color: var(--ink);
  }
  .transfers time { margin-inline-start: auto; }
  .refusals { display: grid; grid-template-columns: auto 1fr; gap: 0.2rem 1rem; font-size: 0.87rem; }
  .refusals dt { font-family: var(--mono); }
  .refusals dd { margin: 0; color: var(--soft); }
  .foot { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1rem; margin-block-start: 0.9rem; }
  .serves { flex: 1 1 18rem; margin: 0; }
  .language { display: flex; align-items: center; gap: 0.5rem; white-space: nowrap; }
  .language select { width: auto; min-height: 2rem; padding: 0.15rem 0.4rem; }
  .empty { padding: 1rem; border: 1px dashed var(--line-strong); border-radius: var(--round); margin: 0; }
  .skeleton { background: var(--line); border-radius: 4px; color: transparent; }
  .skeleton.bar { height: 1.6rem; width: 8rem; margin-bottom: 1rem; }
  .skeleton.line { height: 2.6rem; margin: 0.5rem 0; }
  dialog {
    color: var(--ink); background: var(--raised); border: 1px solid var(--line-strong); border-radius: 8px;
    padding: 1.2rem; width: min(27rem, calc(100vw - 1.5rem));
  }
  dialog::backdrop { background: rgb(6 24 32 / 55%); }
  .dialog-top { display: flex; justify-content: space-between; align-items: start; }
  .wallets { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 0.5rem; }
  .wallets button { width: 100%; justify-content: start; color: var(--ink); border-color: var(--line-strong); }
  .wallets img, #wallet-waiting img { border-radius: 6px; }
  #wallet-waiting img { margin-inline-end: 0.5rem; vertical-align: middle; }
  .pairing { display: block; width: min(17rem, 100%); background: #ffffff; margin: 0 0 0.6rem; border-radius: 4px; }
  #wallet-list h3 { font-size: 0.9rem; color: var(--soft); }
  .leads { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; margin: 0; padding: 0; list-style: none; }
  .leads a { display: inline-block; padding: 0.35rem 0; }
  #wallet-state { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; min-width: 0; }
  .connected { display: inline-flex; align-items: center; gap: 0.2rem; min-width: 0; }
  #receiving { margin: 0.5rem 0 0; }
  #tokens { list-style: none; margin: 0.6rem 0 0; padding: 0; height: min(22rem, 48vh); overflow-y: auto; }
  #tokens li {
    display: flex; gap: 0.7rem; align-items: center; padding: 0.4rem 0.5rem; border-radius: 4px; cursor: pointer;
    min-height: 3rem;
  }
  #tokens li[aria-selected="true"] { background: var(--water); outline: 2px solid var(--sea); outline-offset: -2px; }
  #tokens li:hover { background: var(--water); }
  .star { padding: 0.5rem 0.3rem; color: var(--line-strong); } .star[data-on] { color: var(--course); }
  .star[data-on] svg { fill: currentcolor; } .shelf { margin: 0.5rem 0 0; } .shelf .where { color: inherit; }
  .option-text { display: grid; flex: 1; min-width: 0; line-height: 1.25; }
  .option-text .name {
    font-size: 0.82rem; color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  .option-end { display: grid; text-align: end; }
  @container (max-width: 34rem) {
    .bar { flex-wrap: nowrap; gap: 0.4rem; }
    .bar:has(.connected + .connected, #wallet-state + #connect) { flex-wrap: wrap; }
    #wallet-state:has(.connected + .connected) { width: 100%; }
    .connected + .connected, .connected:has(+ .connected) { flex: 1 1 100%; justify-content: space-between; }
    .who { display: grid; font-size: 0.75rem; text-align: end; min-width: 0; }
    .who > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .connected + .connected .who, .connected:has(+ .connected) .who { text-align: start; }
    .connected button { font-size: 0.85rem; padding-inline: 0.2rem; }
    .card { padding: 0.8rem; } .side-top { gap: 0.3rem; } .shares { gap: 0.2rem; } .share { padding-inline: 0.3rem; }
  }
  .routes { container: routes / inline-size; }
  /* Where the table does not fit each route is a card. */
  @container routes (max-width: 42rem) {
    #routes thead { display: none; }
    #routes tbody { display: block; border-bottom: 1px solid var(--line); }
    #routes tbody > tr:not(.detail) { display: grid; grid-template-columns: 1fr auto; padding: 0.3rem 0.4rem; }
    #routes tbody > tr > th, #routes tbody > tr > td { border: 0; padding: 0.1rem 0; }
    #routes td[data-label]::before { content: attr(data-label) " "; color: var(--soft); font-family: inherit; }
    #routes td[data-label] { text-align: start; font-size: 0.84rem; }
    #routes td[data-label]:nth-child(even) { text-align: end; }
    #routes td[data-label]:last-child { grid-column: 1 / -1; display: flex; gap: 0.3rem; align-items: center; }
    #routes td[data-label]:last-child .open { margin-inline-start: auto; }
    #routes .detail, #routes .detail td { display: block; }
  }
  @media (prefers-reduced-motion: no-preference) {
    .skeleton { animation: tide 1.4s ease-in-out infinite alternate; }
    .log li.doing::before { animation: turn 1.2s linear infinite; } @keyframes turn { to { rotate: 1turn; } }
    @keyframes tide { from { opacity: 0.45; } to { opacity: 0.9; } }
  }
`;
