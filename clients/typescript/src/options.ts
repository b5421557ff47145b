// What a worker may be told at its start.

export interface WorkerOptions {
  /** How many jobs run at a time; 10 unless given. */
  readonly slots?: number;
  /** How long a lease lasts without a renewal, 5 s to 1 h; 15 s unless given. */
  readonly leaseMs?: number;
  /** How long a poll waits, up to 30 s; 20 s unless given. */
  readonly waitMs?: number;
  /** Told what goes wrong on the way; `console.warn` unless given. */
  readonly warn?: (text: string) => void;
}

/** A logger that throws must not stop what it is told of. */
export function careful(warn: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      warn(text);
    } catch {
      // Nobody is left to be told.
    }
  };
}
