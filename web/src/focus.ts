// The keyboard's focus: where the focused control goes away, another takes it over.

/** Which control takes over from which, by ID; from all others the one button does, or the view's own. */
const NEXT: Record<string, string> = {
  "add-receiver": "receiver",
  connect: "disconnect",
  disconnect: "connect",
  back: "history",
  clear: "amount",
  "swap-again": "amount",
  "disconnect-other": "disconnect",
  "connect-receiver": "add-receiver",
};
const LAST = ["go", "history"];

const focusable = (root: ShadowRoot, id: string | undefined): HTMLElement | null =>
  id ? root.querySelector<HTMLElement>(`#${id}`) : null;

/** Focuses a control by its ID, or the one that takes over from it: while a dialog is open, its first one. */
export function giveFocus(root: ShadowRoot, id: string): void {
  const dialog = root.querySelector("dialog[open]");
  if (dialog) {
    (dialog.querySelector<HTMLElement>(`#${id || "none"}`) ?? dialog.querySelector("button"))?.focus();
    return;
  }
  const found = [id, NEXT[id], ...LAST].map((each) => focusable(root, each)).find(Boolean);
  found?.focus();
}

/** Draws, and passes the focus on where the focused control is gone afterwards. */
export function keepFocus(root: ShadowRoot | null, draw: () => void): void {
  const held = root?.activeElement;
  draw();
  if (root && held instanceof HTMLElement && !held.isConnected && !root.activeElement) giveFocus(root, held.id);
}

/** Returns the ID of the focused control. */
export const focusedId = (root: ShadowRoot | null): string => root?.activeElement?.id ?? "";
