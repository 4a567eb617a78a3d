// Whose service the element asks, and for whom.

import { html, type TemplateResult } from "lit";
import { texts } from "../texts.ts";

export interface ServedByProps {
  readonly api: { base: string; verifies: boolean };
  readonly integrator: string | undefined;
}

export const servedBy = ({ api: { base, verifies }, integrator }: ServedByProps): TemplateResult =>
  html`<p class="small soft serves">${texts.servedBy} <a href=${base} rel="noreferrer">${
    new URL(base, location.href).host
  }</a>${integrator ? texts.forIntegrator(integrator) : ""}${texts.holdsNothing}${verifies ? texts.verified : ""}</p>`;

export const noService = (): TemplateResult =>
  html`<p class="note bad" role="alert">${texts.noService} <code>api</code></p>`;
