import "@rhumbline/element";
import type { SwapAttributes } from "@rhumbline/element";

const told: string[] = [];
Object.assign(window, { told });

const { api = "", from = "", to = "" }: SwapAttributes = Object.fromEntries(new URLSearchParams(location.search));
const swap = document.createElement("rhumbline-swap");
for (const [name, value] of Object.entries({ api, from, to })) swap.setAttribute(name, value);
swap.addEventListener("rhumbline-choice", ({ detail }) => told.push(`choice ${detail.from?.symbol}`));
swap.addEventListener("rhumbline-done", ({ detail }) => told.push(`done ${detail.state}`));
document.querySelector("main")?.append(swap);
