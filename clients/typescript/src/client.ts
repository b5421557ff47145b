// Submits jobs.
import { randomUUID } from "node:crypto";
import { iso } from "./durations.js";
import { Http, repeated } from "./http.js";
import { Worker, type WorkerOptions } from "./worker.js";

const TRIES = 6;

/** A JSON text that is sent as it stands. */
export class Json {
  constructor(readonly text: string) {}
}

export interface EbbOptions {
  readonly token?: string;
  /** For an answer; 10 s unless given. */
  readonly timeoutMs?: number;
}

/** What a submit may say besides kind and payload. */
export interface SubmitOptions {
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
  readonly idempotencyKey?: string;
}

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
   * Stores a job. It is repeated under one Idempotency-Key until the server answers, six times at
   * most.
   */
  async submit(kind: string, payload: unknown, options: SubmitOptions = {}): Promise<Submitted> {
    const { runAt, delayMs, timeoutMs, idempotencyKey, ...same } = options;
    const fields = JSON.stringify({
      kind,
      ...same,
      ...(runAt && { runAt: runAt.toISOString() }),
      ...(delayMs !== undefined && { delay: iso(delayMs) }),
      ...(timeoutMs !== undefined && { timeout: iso(timeoutMs) }),
    });
    const text = payload instanceof Json ? payload.text : JSON.stringify(payload ?? null);
    const body = `${fields.slice(0, -1)},"payload":${text}}`;
    const headers = { "idempotency-key": idempotencyKey ?? randomUUID() };
    const answer = await repeated(() => this.#http.post("/v1/jobs", body, { headers }), TRIES);
    const stored = JSON.parse(answer.text) as { id: string; deduplicated?: boolean };
    return { id: stored.id, duplicate: stored.deduplicated === true };
  }

  /** A worker that runs jobs of these queues. Each process needs a name of its own. */
  worker(name: string, queues: readonly string[], options: WorkerOptions = {}): Worker {
    return new Worker(this.#http, name, queues, options);
  }
}
