// Wakes what waits for a change.

/** Rung whenever something has changed; who waits looks whether that is what it waits for. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of [...this.#waiting]) {
      wake();
    }
  }

  /** Until it is rung, or so long. */
  wait(ms = Infinity): Promise<void> {
    return new Promise((done) => {
      const timer = ms === Infinity ? undefined : setTimeout(() => wake(), Math.max(0, ms));
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        done();
      };
      this.#waiting.add(wake);
    });
  }

  /** Until it holds, or so long; whether it holds. */
  async until(holds: () => boolean, ms = Infinity): Promise<boolean> {
    const end = performance.now() + ms;
    while (!holds()) {
      const left = end - performance.now();
      if (left <= 0) {
        return false;
      }
      await this.wait(left);
    }
    return true;
  }
}
