// The receipt's own: while a transfer is under way its page is shown anew whenever the service knows more, which it
// tells by a stream, or is asked for. The page itself is the service's; nothing is drawn here.

import { openAt, StatusStream } from "../status-stream.ts";

const FIRST_MS = 2000;
const GROWTH = 1.3;
const LONGEST_MS = 60_000;

const region = document.getElementById("receipt");
const main = document.querySelector<HTMLElement>("main[data-follow]");

/** Returns how long the service asks to be left alone, in milliseconds; 0 where it does not. */
const pauseOf = (response: Response): number => Number(response.headers.get("retry-after") ?? 0) * 1000;

/** Returns whether the page shows what the service has told by itself. */
const isShown = ({ dataset }: HTMLElement, { word }: StatusStream): boolean =>
  word === null || (word !== undefined && word.updatedAt === dataset.updated);

/** Looks once; returns how long to wait at least before the next time, null when the transfer is over. */
async function look(followed: HTMLElement, stream: StatusStream): Promise<number | null> {
  if (isShown(followed, stream)) return 0;
  if (stream.word === undefined) {
    const status = await fetch(`/v1/status/${followed.dataset.follow}`, { cache: "no-store", credentials: "omit" });
    if (!status.ok) return pauseOf(status);
    const { updatedAt } = (await status.json()) as { updatedAt: string };
    if (updatedAt === followed.dataset.updated) return 0;
  }
  // In the language that is read here, whatever was chosen meanwhile elsewhere.
  const headers = { "accept-language": document.documentElement.lang };
  const page = await fetch(location.href, { cache: "no-store", credentials: "omit", headers });
  if (!page.ok) return pauseOf(page);
  const anew = new DOMParser().parseFromString(await page.text(), "text/html");
  show(anew);
  const { updated } = anew.querySelector<HTMLElement>("main[data-follow]")?.dataset ?? {};
  if (!updated) return null;
  followed.dataset.updated = updated;
  return 0;
}

/** Takes over what has changed, and has its headline read out. */
function show(anew: Document): void {
  const next = anew.getElementById("receipt");
  if (!region || !next || !region.isConnected) return;
  document.title = anew.title;
  const [before, after] = [region, next].map((each) => each.querySelector("h1")?.textContent ?? "");
  region.replaceChildren(...next.childNodes);
  offerCopy();
  const said = document.getElementById("said");
  if (said && before !== after) said.textContent = after ?? "";
}

async function follow(followed: HTMLElement): Promise<void> {
  const over = new AbortController();
  const stream = new StatusStream(openAt({ base: "" }), { open: 0 }, over.signal);
  stream.follow(followed.dataset.follow ?? "");
  let pause = 0;
  for (let wait = FIRST_MS; ; wait = Math.min(wait * GROWTH, LONGEST_MS)) {
    await stream.next(isShown(followed, stream) ? null : Math.max(wait, pause));
    if (document.hidden) {
      await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
      wait = FIRST_MS;
    }
    const found = await look(followed, stream).catch(() => 0);
    if (found === null) break;
    pause = found;
  }
  over.abort();
}

/** Without a script, or a clipboard, there is no button. */
function offerCopy(): void {
  const button = document.getElementById("copy");
  const { address, done } = button?.dataset ?? {};
  if (!button || !address || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(address).then(() => {
      button.textContent = done ?? "";
    });
  });
}

offerCopy();
if (main) void follow(main);
