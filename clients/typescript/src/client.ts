// Submits jobs.
import { randomUUID } from "node:crypto";
import { iso } from "./durations.js";
import { Http, read, repeated } from "./http.js";
import { string } from "./leases.js";
import type { WorkerOptions } from "./options.js";
import { Worker } from "./worker.js";

const PATIENCE_MS = 30_000;

/** A JSON text that is sent as it stands. */
export class Json {
  constructor(readonly text: string) {}
}

export interface EbbOptions {
  readonly token?: string;
  /** For an answer; 10 s unless given. */
  readonly timeoutMs?: number;
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
   * The trace of all its jobs (W3C Trace Context, version 00), which their runs are told; the
   * server leaves out what is none.
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

  constructor(url: string, options: EbbOptions = {}) {
    this.#http = new Http(url, options.token, options.timeoutMs ?? 10_000);
  }

  /**
   * Stores a job. It is repeated under one Idempotency-Key until the server answers, for 30 s at
   * most.
   */
  async submit(kind: string, payload: unknown, options: SubmitOptions = {}): Promise<Submitted> {
    const { idempotencyKey: _, traceparent: __, ...same } = options;
    const body = text({ kind, payload, ...same });
    return this.#post("/v1/jobs", body, options, (answer) =>
      submitted(JSON.parse(answer) as Stored),
    );
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
    return this.#post("/v1/jobs/batch", body, options, (answer) =>
      allSubmitted(answer, jobs.length),
    );
  }

  #post<T>(
    path: string,
    body: string,
    options: RequestOptions,
    reader: (answer: string) => T,
  ): Promise<T> {
    const headers = {
      "idempotency-key": options.idempotencyKey ?? randomUUID(),
      ...(options.traceparent !== undefined && { traceparent: options.traceparent }),
    };
    return repeated(
      async () => read(await this.#http.post(path, body, { headers }), reader),
      PATIENCE_MS,
    );
  }

  /**
   * A worker that runs jobs of these queues. Six digits are added to its name, so that several
   * processes can run one program.
   */
  worker(name: string, queues: readonly string[], options: WorkerOptions = {}): Worker {
    return new Worker(this.#http, name, queues, options);
  }
}

interface Stored {
  readonly id: string;
  readonly deduplicated?: boolean;
}

function submitted(stored: Stored): Submitted {
  return { id: string(stored.id), duplicate: stored.deduplicated === true };
}

function allSubmitted(answer: string, count: number): Submitted[] {
  const { items } = JSON.parse(answer) as { items: Stored[] };
  if (items.length !== count) {
    throw new RangeError(`${items.length} answers to ${count} jobs`);
  }
  return items.map(submitted);
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
