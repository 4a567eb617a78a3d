// One tab at a time: two of them never ask a wallet for the same step.

const name = (id: string): string => `rhumbline-swap/${id}`;

/** Returns the browser's locks; null where this page has none, as without HTTPS or in a sandboxed frame. */
async function locks(): Promise<LockManager | null> {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return null;
  }
}

/**
 * Runs `act` while no other tab is at this transfer, else `busy`. The browser releases the locks of a closed tab.
 */
export async function alone<T>(id: string, act: () => Promise<T>, busy: () => T): Promise<T> {
  const held = await locks();
  return held ? held.request(name(id), { ifAvailable: true }, (lock) => (lock ? act() : busy())) : act();
}

/** Runs `act` once no other tab is at this transfer. */
export async function afterwards(id: string, act: () => void): Promise<void> {
  const held = await locks();
  if (held) await held.request(name(id), () => act());
  else act();
}
