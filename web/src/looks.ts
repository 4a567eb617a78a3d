// What a page says of the element's looks by attributes: they change at once, and begin no new visit.

import type { Fault } from "./attributes.ts";

/** The variable that a font's attribute sets. */
const FONTS = { font: "--rhumbline-font", "heading-font": "--rhumbline-serif" } as const;
const LAYOUTS = ["compact", "wide"];

export const LOOKS: readonly string[] = ["layout", ...Object.keys(FONTS)];

/** Takes fonts and layout of the attributes; returns what is wrong with them. */
export function dress(element: HTMLElement): Fault[] {
  const faults: Fault[] = [];
  for (const [name, variable] of Object.entries(FONTS)) {
    const text = element.getAttribute(name)?.trim() ?? "";
    const holds = CSS.supports("font-family", text);
    if (text && !holds) faults.push({ code: "INVALID", attributes: [name], value: text });
    if (text && holds) element.style.setProperty(variable, text);
    else element.style.removeProperty(variable);
  }
  const layout = element.getAttribute("layout")?.trim() ?? "";
  if (layout && !LAYOUTS.includes(layout)) faults.push({ code: "INVALID", attributes: ["layout"], value: layout });
  return faults;
}
