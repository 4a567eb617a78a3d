// A field to choose a token by symbol, name or address (the combobox pattern of the ARIA Authoring Practices).

import { $, fault, make, shorten } from "./dom.js";
import { ask } from "./service.js";

const SHOWN = 40;
const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;
const lists = new Map();

/** Answers the listed tokens of a chain, asked for once. */
export async function listed(chainId) {
  if (!lists.has(chainId)) {
    const asked = ask("/v1/tokens", { chains: chainId }).then(({ body }) => body[chainId] ?? []);
    lists.set(chainId, asked);
    asked.catch(() => lists.delete(chainId));
  }
  return lists.get(chainId);
}

function matching(tokens, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return tokens.slice(0, SHOWN);
  const rank = ({ symbol, name, address }) => {
    const [s, n] = [symbol.toLowerCase(), name.toLowerCase()];
    if (s === wanted || address.toLowerCase() === wanted) return 0;
    if (s.startsWith(wanted)) return 1;
    if (n.startsWith(wanted)) return 2;
    return s.includes(wanted) || n.includes(wanted) ? 3 : 4;
  };
  const ranked = tokens.map((token, place) => [rank(token), place, token]).filter(([grade]) => grade < 4);
  return ranked.sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, SHOWN).map(([, , token]) => token);
}

export class TokenField {
  constructor(id, onchange) {
    this.id = id;
    this.input = $(id);
    this.list = $(`${id}-list`);
    this.onchange = onchange;
    this.chainId = null;
    this.token = null;
    this.offered = [];
    this.active = -1;
    this.round = 0;
    this.input.addEventListener("input", () => this.offer(this.input.value));
    this.input.addEventListener("focus", () => {
      this.input.select();
      this.offer(this.token ? "" : this.input.value);
    });
    this.input.addEventListener("blur", () => this.settle());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.take(this.offered[Number(option.dataset.place)]);
    });
  }

  /** Tells whether a token of this very chain is chosen. */
  isOn(chain) {
    return Boolean(this.token && chain) && String(this.token.chainId) === String(chain.id);
  }

  /** Moves to another chain; keeps a token of the same symbol where there is one. */
  async move(chainId, symbol = this.token?.symbol) {
    this.chainId = chainId;
    // What is shown, or on its way, is the other chain's.
    this.offered = [];
    this.close();
    this.set(null);
    const tokens = await listed(chainId);
    // Whoever has begun to write meanwhile knows what he wants.
    if (this.chainId !== chainId || this.token || this.input.value) return;
    this.set(tokens.find((token) => token.symbol === symbol) ?? null);
    if (document.activeElement === this.input) this.input.select();
  }

  set(token) {
    this.token = token;
    this.input.value = token ? token.symbol : "";
    fault(this.id, "");
    this.onchange();
  }

  take(token) {
    if (!token) return;
    this.close();
    this.set(token);
  }

  async offer(text) {
    const round = ++this.round;
    let tokens = [];
    try {
      tokens = matching(await listed(this.chainId), text);
      const address = text.trim();
      if (!tokens.length && ADDRESS.test(address)) {
        const { body } = await ask("/v1/token", { chain: this.chainId, token: address });
        tokens = [{ ...body, unlisted: true }];
      }
    } catch (error) {
      if (round === this.round) fault(this.id, error.message);
    }
    if (round !== this.round || document.activeElement !== this.input) return;
    this.offered = tokens;
    this.list.replaceChildren(...(tokens.length ? tokens.map(option(this.id)) : [make("li", { class: "empty", text: "No such token on this chain. Paste an address to look it up." })]));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.mark(tokens.length && text ? 0 : -1);
  }

  mark(place) {
    this.active = place;
    [...this.list.children].forEach((item, index) => {
      if (item.role === "option" || item.getAttribute("role") === "option") item.setAttribute("aria-selected", String(index === place));
    });
    const item = this.list.children[place];
    if (item) item.scrollIntoView({ block: "nearest" });
    if (item) this.input.setAttribute("aria-activedescendant", item.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const open = !this.list.hidden;
    const count = this.offered.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) this.offer("");
      else if (count) this.mark((this.active + (event.key === "ArrowDown" ? 1 : this.active < 0 ? 0 : -1) + count) % count);
    } else if (event.key === "Enter" && open && this.active >= 0) {
      event.preventDefault();
      this.take(this.offered[this.active]);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      this.close();
      this.input.value = this.token?.symbol ?? "";
    }
  }

  settle() {
    const text = this.input.value.trim().toLowerCase();
    if (text !== (this.token?.symbol ?? "").toLowerCase()) {
      const here = this.offered.filter((token) => String(token.chainId) === this.chainId);
      const exact = here.filter((token) => token.symbol.toLowerCase() === text || token.address.toLowerCase() === text);
      this.set(text ? exact[0] ?? null : null);
      if (text && !exact.length) fault(this.id, "Choose a token from the list");
    }
    this.close();
  }

  close() {
    this.round += 1;
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}

/** Answers a token's logo from this service: the page loads nothing from other hosts, so a list's own is drawn instead. */
export function logoOf({ symbol, address, logoURI }) {
  const given = logoURI && URL.parse?.(logoURI, location.origin);
  if (given && given.origin === location.origin) return given.href;
  return `/logos/${symbol.replace(/[^A-Za-z0-9]/g, "").slice(0, 3) || "-"}/${address}.svg`;
}

const option = (id) => (token, place) => {
  return make("li", { id: `${id}-${place}`, role: "option", "aria-selected": "false", "data-place": place },
    make("img", { class: "buoy", src: logoOf(token), alt: "", width: "32", height: "32", loading: "lazy" }),
    make("strong", { text: token.symbol }),
    make("span", { class: "name", text: token.unlisted ? `${token.name}, on no list: make sure it is the one you mean` : token.name }),
    make("span", { class: "where", text: shorten(token.address) }));
};
