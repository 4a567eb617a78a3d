// Has Lighthouse judge a page in a browser that runs already, and prints what it found as JSON:
// node lighthouse.mjs <url> <port of the browser> <mobile or desktop> <category>...
//
// By its module alone: it is Lighthouse's command line that reports faults to its makers.

import lighthouse, { desktopConfig } from "lighthouse";

const TIMES = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time"];
const PATIENCE_MS = 120_000;

const [url, port, form, ...onlyCategories] = process.argv.slice(2);
const flags = {
  port: Number(port), onlyCategories, logLevel: "error", maxWaitForFcp: PATIENCE_MS, maxWaitForLoad: PATIENCE_MS, disableFullPageScreenshot: true,
};
const { lhr } = await lighthouse(url, flags, form === "desktop" ? desktopConfig : undefined);

/** Tells in words which audits cost a category points. */
const lost = ({ auditRefs }) => auditRefs
  .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
  .map(({ id }) => `${id}: ${lhr.audits[id].title} ${JSON.stringify(lhr.audits[id].details?.items) ?? ""}`.slice(0, 1500));

const categories = Object.values(lhr.categories);
console.log(JSON.stringify({
  error: lhr.runtimeError?.message ?? null,
  scores: Object.fromEntries(categories.map(({ id, score }) => [id, score === null ? null : Math.round(score * 100)])),
  lost: categories.flatMap(lost),
  figures: Object.fromEntries(TIMES.filter((id) => lhr.audits[id]).map((id) => [id, lhr.audits[id].numericValue])),
}));
