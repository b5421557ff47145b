// What a worker may be told at its start.
import * as rules from "./rules.js";

const LONGEST_REQUEST_MS = 10_000;

export interface WorkerOptions {
  /** How many jobs run at a time, 1 to 10,000; 10 unless given. */
  readonly slots?: number;
  /** How long a lease lasts without a renewal, 5 s to 1 h; 15 s unless given. */
  readonly leaseMs?: number;
  /** How long a poll waits, up to 30 s; 20 s unless given. */
  readonly waitMs?: number;
  /** Told what goes wrong on the way; `console.warn` unless given. */
  readonly warn?: (text: string) => void;
}

/** What a worker goes by. */
export interface Settings extends Required<WorkerOptions> {
  /** For what must leave time for another request under the same lease. */
  readonly patienceMs: number;
}

export function settings(options: WorkerOptions): Settings {
  const leaseMs = rules.lease(options.leaseMs ?? 15_000);
  return {
    slots: rules.slots(options.slots ?? 10),
    leaseMs,
    waitMs: rules.wait(options.waitMs ?? 20_000),
    patienceMs: Math.min(LONGEST_REQUEST_MS, Math.max(1_000, leaseMs / 3)),
    warn: careful(options.warn ?? ((text) => console.warn(`ebb: ${text}`))),
  };
}

/** A logger that throws must not stop what it is told of. */
function careful(warn: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      warn(text);
    } catch {
      // Nobody is left to be told.
    }
  };
}
