// Submits jobs.
import { randomUUID } from "node:crypto";
import { iso } from "./durations.js";
import { Http, read } from "./http.js";
import { string } from "./leases.js";
import type { WorkerOptions } from "./options.js";
import * as rules from "./rules.js";
import { submitted } from "./submits.js";
import { Worker } from "./worker.js";

/** A JSON text that is sent as it stands; a SyntaxError unless it is one JSON value. */
export class Json {
  constructor(readonly text: string) {
    try {
      JSON.parse(text);
    } catch (cause) {
      throw new SyntaxError(`not one JSON value: ${String(cause)}`, { cause });
    }
    if (/\p{Surrogate}/u.test(text)) {
      throw new SyntaxError("not one JSON value: it has half of a surrogate pair");
    }
  }
}

export interface EbbOptions {
  readonly token?: string | undefined;
  /** For an answer; 10 s unless given. */
  readonly timeoutMs?: number;
  /** For how long a submit is repeated, which may take one timeout more; 30 s unless given. */
  readonly patienceMs?: number;
}

/** What a job may say besides kind and payload. */
export interface JobOptions {
  readonly queue?: string;
  readonly uniqueKey?: string;
  readonly onDuplicate?: "return" | "reject";
  readonly orderingKey?: string;
  readonly runAt?: Date;
  readonly delayMs?: number;
  readonly priority?: number;
  readonly maxAttempts?: number;
  readonly policy?: string | Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A job to submit beside others. */
export interface Job extends JobOptions {
  readonly kind: string;
  readonly payload: unknown;
}

/** How a request is sent. */
export interface RequestOptions {
  /** A key of its own unless given. */
  readonly idempotencyKey?: string;
  /**
   * The trace of all its jobs (W3C Trace Context, version 00), which is passed to their runs; the
   * server ignores a value that is not a valid traceparent.
   */
  readonly traceparent?: string;
}

/** What a submit may say besides kind and payload. */
export type SubmitOptions = JobOptions & RequestOptions;

/** A job that is stored, or, if `duplicate`, the one that has its unique key. */
export interface Submitted {
  readonly id: string;
  readonly duplicate: boolean;
}

/** A server, and a token for it. */
export class Ebb {
  readonly #http: Http;
  readonly #patienceMs: number;

  constructor(url: string, options: EbbOptions = {}) {
    this.#http = new Http(url, options.token, rules.timeout(options.timeoutMs ?? 10_000));
    this.#patienceMs = rules.patience(options.patienceMs ?? 30_000);
  }

  /** Stores a job. It is repeated under one Idempotency-Key until the server answers. */
  async submit(kind: string, payload: unknown, options: SubmitOptions = {}): Promise<Submitted> {
    const { idempotencyKey: _, traceparent: __, ...same } = options;
    const body = text({ kind, payload, ...same });
    return this.#post("/v1/jobs", body, options, (answer) => stored(JSON.parse(answer) as Stored));
  }

  /**
   * Stores up to 1,000 jobs in one request, which is repeated as that of one job: all of them, or
   * none. The answers stand in their order.
   */
  async submitMany(jobs: readonly Job[], options: RequestOptions = {}): Promise<Submitted[]> {
    if (jobs.length === 0) {
      return [];
    }
    const body = `{"jobs":[${jobs.map(text).join(",")}]}`;
    return this.#post("/v1/jobs/batch", body, options, (answer) => allStored(answer, jobs.length));
  }

  #post<T>(
    path: string,
    body: string,
    options: RequestOptions,
    reader: (answer: string) => T,
  ): Promise<T> {
    const key = options.idempotencyKey ?? randomUUID();
    const headers = {
      "idempotency-key": key,
      ...(options.traceparent !== undefined && { traceparent: options.traceparent }),
    };
    return submitted(
      async () => read(await this.#http.post(path, body, { headers }), reader),
      this.#patienceMs,
      key,
    );
  }

  /**
   * A worker that runs jobs of 1 to 16 queues. Six hexadecimal digits are added to its name, so
   * that several processes can run one program.
   */
  worker(name: string, queues: readonly string[], options: WorkerOptions = {}): Worker {
    return new Worker(this.#http, name, queues, options);
  }
}

interface Stored {
  readonly id: string;
  readonly deduplicated?: boolean;
}

function stored({ id, deduplicated }: Stored): Submitted {
  return { id: string(id), duplicate: deduplicated === true };
}

function allStored(answer: string, count: number): Submitted[] {
  const { items } = JSON.parse(answer) as { items: Stored[] };
  if (items.length !== count) {
    throw new RangeError(`${items.length} answers to ${count} jobs`);
  }
  return items.map(stored);
}

/** The job as a submit over REST has it. */
function text({ payload, runAt, delayMs, timeoutMs, ...same }: Job): string {
  const fields = JSON.stringify({
    ...same,
    ...(runAt && { runAt: runAt.toISOString() }),
    ...(delayMs !== undefined && { delay: iso(delayMs) }),
    ...(timeoutMs !== undefined && { timeout: iso(timeoutMs) }),
  });
  const json = payload instanceof Json ? payload.text : JSON.stringify(payload ?? null);
  return `${fields.slice(0, -1)},"payload":${json}}`;
}
