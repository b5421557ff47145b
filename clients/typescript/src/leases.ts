// Reads leases. A payload is kept as its text, too: parsed, it may lose digits.
import { millis } from "./durations.js";

const USUAL_TIMEOUT_MS = 60_000;

/** A job of a lease, as the server shows it. */
interface JobFields {
  readonly id: string;
  readonly kind: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly payload: unknown;
  readonly labels?: Readonly<Record<string, string>>;
  readonly timeout?: string;
  readonly traceparent?: string;
}

/** A job of a lease, with its payload to the byte as well. */
export interface LeasedJob extends Omit<JobFields, "timeout"> {
  readonly timeoutMs: number;
  readonly payloadText: string;
}

/** Jobs that a worker has to itself for `lengthMs`, unless it renews them. */
export interface Lease {
  readonly id: string;
  readonly queue: string;
  readonly lengthMs: number;
  readonly jobs: readonly LeasedJob[];
}

/** What a renewal came to. */
export interface Renewal {
  readonly renewed: readonly string[];
  readonly lost: readonly string[];
  readonly cancel: readonly string[];
  readonly drain: boolean;
}

export function readRenewal(text: string): Renewal {
  const told = JSON.parse(text) as Omit<Renewal, "renewed"> & { renewed: { lease: string }[] };
  return {
    renewed: told.renewed.map((one) => one.lease),
    lost: [...told.lost],
    cancel: [...told.cancel],
    drain: told.drain,
  };
}

export function readLease(text: string): Lease {
  const lease = JSON.parse(text) as {
    lease: string;
    queue: string;
    length: string;
    jobs: JobFields[];
  };
  const texts = [...members(text, member(text, 0, "jobs"))].map((job) => {
    const start = member(text, job.start, "payload");
    return text.slice(start, after(text, start));
  });
  return {
    id: string(lease.lease),
    queue: string(lease.queue),
    lengthMs: millis(lease.length),
    jobs: lease.jobs.map((job, n) => leased(job, texts[n] ?? "null")),
  };
}

function leased({ timeout, ...fields }: JobFields, payloadText: string): LeasedJob {
  const timeoutMs = timeout ? millis(timeout) : USUAL_TIMEOUT_MS;
  return { ...fields, id: string(fields.id), kind: string(fields.kind), timeoutMs, payloadText };
}

/** The value, which is to be one. */
export function string(value: unknown): string {
  if (typeof value !== "string") {
    throw new TypeError(`not a string: ${String(value)}`);
  }
  return value;
}

function member(text: string, start: number, name: string): number {
  for (const one of members(text, start)) {
    if (one.name === name) {
      return one.start;
    }
  }
  throw new SyntaxError(`the lease has no ${name}`);
}

/** The name of each value of the object or array there (none in an array), and where it stands. */
function* members(
  text: string,
  start: number,
): Generator<{ name: string | undefined; start: number }> {
  const named = text[start] === "{";
  let at = afterSpace(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    let name: string | undefined;
    if (named) {
      const end = after(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = afterSpace(text, afterSpace(text, end) + 1);
    }
    yield { name, start: at };
    at = afterSpace(text, after(text, at));
    if (text[at] === ",") {
      at = afterSpace(text, at + 1);
    }
  }
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /[^ \t\r\n,\]}]+/y;

function afterSpace(text: string, at: number): number {
  return afterMatch(SPACE, text, at);
}

function afterMatch(what: RegExp, text: string, at: number): number {
  what.lastIndex = at;
  if (!what.test(text)) {
    throw new SyntaxError(`the lease is not JSON at ${at}`);
  }
  return what.lastIndex;
}

/** Where the value ends that begins there: `JSON.parse` has found that there is one. */
function after(text: string, start: number): number {
  if (text[start] === '"') {
    return afterString(text, start);
  }
  if (text[start] !== "{" && text[start] !== "[") {
    return afterMatch(SCALAR, text, start);
  }
  let depth = 0;
  for (let at = start; ; at++) {
    const one = text[at];
    if (one === '"') {
      at = afterString(text, at) - 1;
    } else if (one === "{" || one === "[") {
      depth++;
    } else if ((one === "}" || one === "]") && --depth === 0) {
      return at + 1;
    }
  }
}

/** By hand: an expression would have a stack that grows with the string. */
function afterString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') {
    at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}
