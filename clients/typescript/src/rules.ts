// What clients and workers may be told.
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function require(holds: boolean, rule: string): void {
  if (!holds) {
    throw new RangeError(rule);
  }
}

function isBetween(value: number, least: number, most: number): boolean {
  return least <= value && value <= most;
}

export function timeout(ms: number): number {
  require(isBetween(ms, 1, HOUR_MS), "a timeout is a millisecond to an hour");
  return ms;
}

export function patience(ms: number): number {
  require(isBetween(ms, 0, DAY_MS), "patience is at most a day");
  return ms;
}

export function lease(ms: number): number {
  require(isBetween(ms, 5_000, HOUR_MS), "a lease lasts 5 seconds to an hour");
  return ms;
}

export function wait(ms: number): number {
  require(isBetween(ms, 0, 30_000), "a poll waits up to 30 seconds");
  return ms;
}

export function grace(ms: number): number {
  require(isBetween(ms, 0, DAY_MS), "running jobs have up to a day to end");
  return ms;
}

export function slots(count: number): number {
  const holds = Number.isInteger(count) && isBetween(count, 1, 10_000);
  require(holds, "a worker has 1 to 10,000 slots");
  return count;
}

export function queues(names: readonly string[]): readonly string[] {
  const holds = Array.isArray(names) && isBetween(names.length, 1, 16);
  require(holds, "a worker takes from a list of 1 to 16 queues");
  return [...names];
}
