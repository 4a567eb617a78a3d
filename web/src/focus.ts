// The keyboard's place: where a control goes away while it has the focus, another takes it over.

/** Who takes over from whom, by ID; from all others the one button does, or the view's own. */
const NEXT: Record<string, string> = { "add-receiver": "receiver", connect: "disconnect", disconnect: "connect" };
const LAST = ["go", "history"];

const focusable = (root: ShadowRoot, id: string | undefined): HTMLElement | null =>
  id ? root.querySelector<HTMLElement>(`#${id}`) : null;

/** Gives the focus to a control by its ID, or to who takes over from it. */
export function giveFocus(root: ShadowRoot, id: string): void {
  const found = [id, NEXT[id], ...LAST].map((each) => focusable(root, each)).find(Boolean);
  found?.focus();
}

/** Draws, and gives the focus on where what had it is drawn no more. */
export function keepFocus(root: ShadowRoot | null, draw: () => void): void {
  const held = root?.activeElement;
  draw();
  if (root && held instanceof HTMLElement && !held.isConnected && !root.activeElement) giveFocus(root, held.id);
}

/** Answers the ID of what has the focus. */
export const focusedId = (root: ShadowRoot | null): string => root?.activeElement?.id ?? "";
