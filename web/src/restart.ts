// A service that is away when the page is opened is asked again, ever more seldom.

const FIRST_MS = 5000;
const LONGEST_MS = 60_000;

export class Restart {
  /** When it is asked again, in milliseconds of the page's clock; null while it is not away. */
  at: number | null = null;
  private failures = 0;

  /** Takes how it stands, every second; returns whether it is to be asked now. */
  due({ refused, ready }: { refused: string; ready: boolean }, now = Date.now()): boolean {
    if (!refused) {
      this.at = null;
      if (ready) this.failures = 0;
      return false;
    }
    if (this.at === null) {
      this.at = now + Math.min(FIRST_MS * 2 ** this.failures, LONGEST_MS);
      this.failures += 1;
      return false;
    }
    if (now < this.at) return false;
    this.at = null;
    return true;
  }
}
