// One choice of a language on this site: the swap box keeps it in the storage, pages read a cookie. Where both are
// there the cookie counts, which is written by every choice.
const KEPT = "rhumbline-swap/language";
const COOKIE = "rhumbline-language";
const AUTOMATIC = "auto";
const YEAR_S = 31_536_000;

const chosen = document.cookie.split("; ").find((each) => each.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);

function choose(language) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${COOKIE}=${language || AUTOMATIC}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`;
}

/** Has the service write what stands around the box in the new language; the box keeps what was filled in. */
async function speakAround() {
  const answer = await fetch(location.href, { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  for (const part of ["header", "h1", "footer", ".skip"]) {
    const [here, there] = [document, page].map((each) => each.querySelector(part));
    if (here && there) here.replaceWith(there);
  }
}

try {
  const kept = localStorage.getItem(KEPT);
  if (chosen === undefined) {
    if (kept) choose(kept);
  } else if (chosen === AUTOMATIC) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, chosen);
} catch {
  // Without a storage the box goes by the language of the page.
}

addEventListener("rhumbline-language", ({ detail }) => {
  choose(detail.language);
  if (document.querySelector("main.front")) void speakAround();
});
