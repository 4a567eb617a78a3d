// Not to wait any more for somebody who may never answer.

/** Answers as `work` does, or throws the reason of `left` once that is aborted; the work itself goes on. */
export function orLeft<T>(work: Promise<T>, left: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(left.reason as Error);
    if (left.aborted) leave();
    left.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject);
  });
}
