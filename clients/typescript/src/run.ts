// A job that runs, as its handler sees it.
import type { Lease, LeasedJob } from "./leases.js";
import { bare, Cancelled, Completed, described, Failed, GivenBack, Outcome } from "./outcomes.js";
import type { Fields } from "./outcomes.js";

/** What PostgreSQL cannot store of JSON: NUL, and halves of pairs, which JSON.stringify escapes. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * Why a run is to stop: somebody cancelled it, its time is over, its lease was lost, or the
 * worker ends.
 */
export type Why = "cancel" | "timeout" | "lost" | "stop";

/** Returns nothing or strings for a job that is done, or an outcome; throws for one that is not. */
export type Handler = (
  run: Run,
) => Promise<void | Outcome | Record<string, string>> | void | Outcome | Record<string, string>;

/** The reason of `Run.signal`. */
export class Stop extends Error {
  override readonly name = "Stop";

  constructor(readonly why: Why) {
    super(why);
  }
}

/** One attempt of a job. */
export class Run {
  readonly id: string;
  readonly kind: string;
  readonly queue: string;
  readonly lease: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly labels: Readonly<Record<string, string>>;
  /** The trace that the job was submitted in (W3C Trace Context), to which a span may link. */
  readonly traceparent: string | undefined;
  readonly payload: any;
  /** The payload to the byte, for numbers that a double would round. */
  readonly payloadText: string;
  readonly timeoutMs: number;
  /** @internal */
  readonly began = performance.now();
  readonly #stop = new AbortController();
  #why: Why | undefined;
  #reported: string | undefined;
  #heard: string | undefined;
  #heardAt = this.began;

  /** @internal */
  constructor(lease: Lease, job: LeasedJob) {
    this.id = job.id;
    this.kind = job.kind;
    this.queue = lease.queue;
    this.lease = lease.id;
    this.attempt = job.attempt;
    this.maxAttempts = job.maxAttempts;
    this.labels = job.labels ?? {};
    this.traceparent = job.traceparent;
    this.payload = job.payload;
    this.payloadText = job.payloadText;
    this.timeoutMs = job.timeoutMs;
  }

  /** Aborted when it is to stop, with a `Stop` as its reason. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Why it is to stop; undefined if it is not. */
  get why(): Why | undefined {
    return this.#why;
  }

  /**
   * What people see of it, from one of the next renewals on: any JSON, with question marks for what
   * PostgreSQL cannot store. What is too large for a renewal is not shown.
   */
  progress(value: unknown): void {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) {
      throw new TypeError("progress must be JSON");
    }
    this.#reported = text.replace(UNSTORABLE, "$1?");
  }

  /**
   * What was reported, as JSON, unless the server has heard it.
   *
   * @internal
   */
  get unheard(): string | undefined {
    return this.#reported === this.#heard ? undefined : this.#reported;
  }

  /** @internal */
  get heardAt(): number {
    return this.#heardAt;
  }

  /**
   * The server need not hear this again.
   *
   * @internal
   */
  heard(told: string): void {
    this.#heard = told;
    this.#heardAt = performance.now();
  }

  /**
   * Tells the handler to stop. That the lease is lost is stronger than all else.
   *
   * @internal
   */
  tell(why: Why): void {
    if (this.#why === undefined || why === "lost") {
      this.#why = why;
    }
    this.#stop.abort(new Stop(why));
  }

  /** @internal */
  tookMs(): number {
    return Math.floor(performance.now() - this.began);
  }

  /**
   * What is told of it, which ended so.
   *
   * @internal
   */
  result(ended: Fields) {
    return { lease: this.lease, id: this.id, tookMs: this.tookMs(), ...ended };
  }

  /**
   * Runs it to its end, and answers how it ended as a settle tells it.
   *
   * @internal
   */
  async end(handler: Handler, warn: (text: string) => void): Promise<Fields> {
    const outcome = await this.#outcome(handler, warn);
    try {
      const fields = outcome.fields();
      JSON.stringify(fields);
      return fields;
    } catch (error) {
      warn(`the outcome of job ${this.id} cannot be told: ${described(error)}`);
      return bare(outcome.word, described(error));
    }
  }

  async #outcome(handler: Handler, warn: (text: string) => void): Promise<Outcome> {
    try {
      return this.#returned(await handler(this), warn);
    } catch (thrown) {
      return thrown instanceof Outcome ? thrown : this.#thrown(thrown);
    }
  }

  #returned(returned: unknown, warn: (text: string) => void): Outcome {
    if (returned === undefined || returned === null) {
      return new Completed();
    }
    if (returned instanceof Error) {
      return returned instanceof Outcome ? returned : this.#thrown(returned);
    }
    if (typeof returned === "object" && isResult(returned)) {
      return new Completed(returned);
    }
    warn(`job ${this.id} has no result: its handler returned a ${typeof returned}`);
    return new Completed();
  }

  #thrown(thrown: unknown): Outcome {
    switch (this.#why) {
      case "cancel":
        return new Cancelled();
      case "timeout":
        return new Failed("timeout", described(thrown));
      case "stop":
        return new GivenBack();
      default:
        return Failed.of(thrown);
    }
  }
}

/** An object of names and values, and no array, buffer or other thing. */
function isResult(value: object): value is Record<string, string> {
  const type: unknown = Object.getPrototypeOf(value);
  return type === null || type === Object.prototype;
}
