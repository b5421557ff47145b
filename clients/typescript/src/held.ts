// The leases that a worker holds, and what runs under them.
import type { Bell } from "./bell.js";
import type { Lease } from "./leases.js";
import type { Run } from "./run.js";

// A worker that is silent for 30 seconds counts as lost.
const LONGEST_PAUSE_MS = 10_000;

interface HeldLease {
  readonly lengthMs: number;
  readonly unsettled: Set<string>;
  due: number;
  renewed: number;
}

/** Keeps count. Times are of this machine's clock, from before a request was sent. */
export class Held {
  readonly #leases = new Map<string, HeldLease>();
  readonly #runs = new Set<Run>();
  readonly #bell: Bell;

  constructor(bell: Bell) {
    this.#bell = bell;
  }

  get running(): number {
    return this.#runs.size;
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  add(lease: Lease, runs: readonly Run[], since: number): void {
    const unsettled = new Set(lease.jobs.map((job) => job.id));
    this.#leases.set(lease.id, {
      lengthMs: lease.lengthMs,
      unsettled,
      due: nextRenewal(since, lease.lengthMs),
      renewed: since,
    });
    runs.forEach((run) => this.#runs.add(run));
    this.#bell.ring();
  }

  /** Ends a run; whether its outcome is still wanted. */
  end(run: Run): boolean {
    const wanted = this.#runs.delete(run);
    this.#bell.ring();
    return wanted && this.#leases.has(run.lease);
  }

  settled(lease: string, job: string): void {
    const held = this.#leases.get(lease);
    held?.unsettled.delete(job);
    if (held?.unsettled.size === 0) {
      this.#leases.delete(lease);
    }
    this.#bell.ring();
  }

  /** Their runs are told to stop, and what they come to is wanted no more. */
  lose(leases: Iterable<string>): void {
    for (const lease of leases) {
      if (this.#leases.delete(lease)) {
        this.of([lease]).forEach((run) => run.tell("lost"));
      }
    }
    this.#bell.ring();
  }

  cancel(jobs: readonly string[]): void {
    const asked = new Set(jobs);
    [...this.#runs].filter((run) => asked.has(run.id)).forEach((run) => run.tell("cancel"));
  }

  /** Its runs are told that the worker stops. */
  stop(): void {
    [...this.#runs].forEach((run) => run.tell("stop"));
  }

  /** Ends all runs that have not ended. */
  abandon(): Run[] {
    const runs = [...this.#runs];
    this.#runs.clear();
    this.#bell.ring();
    return runs;
  }

  /** The leases that a renewal names, once the first is due: all, so that it is one request. */
  ask(now: number): string[] {
    const held = [...this.#leases.values()];
    if (held.every((one) => one.due > now)) {
      return [];
    }
    held.forEach((one) => (one.due = nextRenewal(now, one.lengthMs)));
    return [...this.#leases.keys()];
  }

  /** Their renewal got no answer. */
  askAgain(leases: readonly string[], at: number): void {
    for (const lease of leases) {
      const held = this.#leases.get(lease);
      if (held) {
        held.due = at;
      }
    }
  }

  renew(leases: readonly string[], since: number): void {
    for (const lease of leases) {
      const held = this.#leases.get(lease);
      if (held) {
        held.renewed = since;
      }
    }
  }

  expired(now: number): string[] {
    return [...this.#leases].filter(([, held]) => ends(held) <= now).map(([lease]) => lease);
  }

  /** What runs under these. */
  of(leases: readonly string[]): Run[] {
    return [...this.#runs].filter((run) => leases.includes(run.lease));
  }

  get nextRenewal(): number {
    return Math.min(Infinity, ...[...this.#leases.values()].map((held) => held.due));
  }

  /** Tells runs whose time is over to stop; when to look again. */
  watch(now: number): number {
    const times = [...this.#leases.values()].map(ends);
    for (const run of [...this.#runs].filter((one) => one.why === undefined)) {
      const end = run.began + run.timeoutMs;
      if (end <= now) {
        run.tell("timeout");
      } else {
        times.push(end);
      }
    }
    return Math.min(Infinity, ...times);
  }
}

function nextRenewal(last: number, lengthMs: number): number {
  return last + Math.min(lengthMs / 3, LONGEST_PAUSE_MS);
}

function ends(held: HeldLease): number {
  return held.renewed + held.lengthMs;
}
