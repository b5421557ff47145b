// Runs jobs that it polls for.
import { randomBytes, randomUUID } from "node:crypto";
import { Bell } from "./bell.js";
import { iso } from "./durations.js";
import { EbbError, Refused } from "./errors.js";
import { Held } from "./held.js";
import { pauseMs, read, repeated, type Answer, type Http } from "./http.js";
import { readLease, type Renewal } from "./leases.js";
import { settings, type Settings, type WorkerOptions } from "./options.js";
import { GivenBack } from "./outcomes.js";
import { Renewing } from "./renewing.js";
import * as rules from "./rules.js";
import { Run, type Handler } from "./run.js";
import { Settling } from "./settling.js";
import { CLIENT } from "./version.js";

const MOST_JOBS = 64;
const MOST_LEASES = 100;
const SHORT_PAUSE_MS = 1_000;
const AGAIN_MS = 1_000;
const SAY_STOP_MS = 3_000;
const LAST_POLL_MS = 5_000;
const LAST_WORDS_MS = 1_000;
const FLUSH_MS = 10_000;

/**
 * Polls for jobs, for no more than there are free slots, renews all leases in one request, every
 * third of their length or ten seconds, and settles whatever has ended, a request at a time.
 */
export class Worker {
  /** As the server knows it. */
  readonly name: string;
  readonly #http: Http;
  readonly #queues: readonly string[];
  readonly #settings: Settings;
  readonly #handlers = new Map<string, Handler>();
  readonly #bell = new Bell();
  readonly #held = new Held(this.#bell);
  readonly #renewing: Renewing;
  readonly #settling: Settling;
  readonly #lastPoll = new AbortController();
  #draining = false;
  #stopping = false;
  #ended = false;
  #failure: Error | undefined;
  #polling: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  /** @internal */
  constructor(http: Http, name: string, queues: readonly string[], options: WorkerOptions) {
    this.name = `${name}-${randomBytes(3).toString("hex")}`;
    this.#http = http;
    this.#queues = rules.queues(queues);
    this.#settings = settings(options);
    const { patienceMs, warn } = this.#settings;
    this.#renewing = new Renewing(http, this.name, patienceMs, warn);
    this.#settling = new Settling(http, this.name, (...of) => this.#held.settled(...of), warn);
  }

  /** Names the handler of a kind; Ebb's own workers alone run deliveries, of kind http. */
  on(kind: string, handler: Handler): this {
    if (kind === "http") {
      throw new TypeError("Ebb's own workers alone run deliveries, of kind http");
    }
    this.#handlers.set(kind, handler);
    return this;
  }

  /** Starts, and comes back at once. */
  start(): this {
    if (this.#handlers.size === 0) {
      throw new TypeError("the worker has no handler: name one by on()");
    }
    if (!this.#polling) {
      this.#polling = this.#work(() => this.#pollAll());
      void this.#work(() => this.#renewAll());
      void this.#work(() => this.#watchAll());
      void this.#work(() => this.#settling.run());
    }
    return this;
  }

  /**
   * Starts, and comes back once stopped: by `stop()`, SIGTERM or SIGINT. Throws what ended its
   * polls.
   */
  async run(graceMs = 20_000): Promise<void> {
    rules.grace(graceMs);
    const asked = () => this.#askToStop();
    process.on("SIGTERM", asked).on("SIGINT", asked);
    try {
      this.start();
      await this.#bell.until(() => this.#stopping);
      await this.stop(graceMs);
    } finally {
      process.off("SIGTERM", asked).off("SIGINT", asked);
    }
    if (this.#failure) {
      throw this.#failure;
    }
  }

  /** Polls no more, lets jobs end for so long, stops or gives back the others, and settles all. */
  async stop(graceMs = 20_000): Promise<void> {
    return (this.#stopped ??= this.#stop(rules.grace(graceMs)));
  }

  /** What ended its polls for good; undefined as long as they go on. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Without one of its loops it would look alive, and not be. */
  async #work(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure = error as Error;
      this.#settings.warn(`${this.name} ends: ${String(error)}`);
      this.#askToStop();
    }
  }

  #askToStop(): void {
    this.#stopping = true;
    this.#bell.ring();
  }

  async #stop(graceMs: number): Promise<void> {
    const end = performance.now() + graceMs;
    this.#askToStop();
    if (this.#polling) {
      await this.#sayStop();
      const timer = setTimeout(() => this.#lastPoll.abort(), LAST_POLL_MS);
      await this.#polling;
      clearTimeout(timer);
      await this.#bell.until(() => this.#held.running === 0, end - performance.now());
      this.#held.stop();
      await this.#bell.until(() => this.#held.running === 0, LAST_WORDS_MS);
      this.#giveBack(this.#held.abandon());
      await this.#settling.flush(FLUSH_MS);
    }
    this.#ended = true;
    this.#bell.ring();
  }

  async #sayStop(): Promise<void> {
    const body = JSON.stringify({ worker: this.name });
    try {
      const sending = { timeoutMs: SAY_STOP_MS };
      await repeated(() => this.#http.post("/v1/leases/stop", body, sending), SAY_STOP_MS);
    } catch (error) {
      this.#settings.warn(`${this.name} could not say that it stops: ${String(error)}`);
    }
  }

  // Polls.

  async #pollAll(): Promise<void> {
    for (;;) {
      await this.#bell.until(() => this.#mayPoll());
      if (this.#stopping) {
        return;
      }
      await this.#poll(Math.min(this.#room, MOST_JOBS));
    }
  }

  /**
   * While it is to drain it polls only without a lease: then a poll alone tells whether it still
   * is.
   */
  #mayPoll(): boolean {
    if (this.#held.isEmpty) {
      this.#draining = false;
    }
    return this.#stopping || (this.#room > 0 && !this.#draining);
  }

  /** Where outcomes cannot be told, it takes no more jobs than it has slots. */
  get #room(): number {
    const { slots } = this.#settings;
    return this.#settling.waiting >= slots ? 0 : slots - this.#held.running;
  }

  /** Polls once, however often that has to be sent: the same request, so that no answer is lost. */
  async #poll(room: number): Promise<void> {
    const { slots, leaseMs, waitMs, patienceMs: restMs } = this.#settings;
    const body = JSON.stringify({
      worker: this.name,
      requestId: randomUUID(),
      queues: this.#queues,
      kinds: [...this.#handlers.keys()],
      max: room,
      lease: iso(leaseMs),
      wait: iso(waitMs),
      slots,
      client: CLIENT,
    });
    // The lease begins before its answer ends: a rest that stalls must not use it up.
    const sending = { timeoutMs: waitMs + 10_000, restMs, signal: this.#lastPoll.signal };
    for (let tries = 1; !this.#stopping; tries++) {
      try {
        const began = performance.now();
        const answer = await this.#http.post("/v1/leases", body, sending);
        return await this.#take(answer, tries > 1, performance.now() - began);
      } catch (error) {
        if (!(error instanceof EbbError) || (error instanceof Refused && error.final)) {
          throw error;
        }
        if (tries > 1) {
          this.#settings.warn(`${this.name} repeats a poll: ${error.message}`);
        }
        await this.#bell.until(() => this.#stopping, pauseMs(tries, error));
      }
    }
  }

  async #take(answer: Answer, again: boolean, tookMs: number): Promise<void> {
    if (answer.status === 204) {
      if (tookMs < Math.min(SHORT_PAUSE_MS, this.#settings.waitMs || SHORT_PAUSE_MS)) {
        await this.#bell.until(() => this.#stopping, SHORT_PAUSE_MS);
      }
      return;
    }
    const lease = read(answer, readLease);
    const runs = lease.jobs.map((job) => new Run(lease, job));
    // Nobody knows when an answer that was lost was made: that lease is renewed at once.
    const since = answer.since - (again ? lease.lengthMs / 3 : 0);
    this.#held.add(lease, this.#stopping ? [] : runs, since);
    if (this.#stopping) {
      this.#giveBack(runs);
    } else {
      // One after the other, so that handlers that compute for long let renewals through.
      runs.forEach((run) => setImmediate(() => void this.#run(run)));
    }
  }

  #giveBack(runs: readonly Run[]): void {
    this.#settling.add(runs.map((run) => run.result(new GivenBack().fields())));
  }

  async #run(run: Run): Promise<void> {
    const handler = this.#handlers.get(run.kind);
    const isWanted = handler && run.why !== "stop" && run.why !== "lost";
    const ended = isWanted ? await run.end(handler, this.#settings.warn) : new GivenBack().fields();
    if (this.#held.end(run)) {
      this.#settling.add([run.result(ended)]);
    }
  }

  async #renewAll(): Promise<void> {
    while (!this.#ended) {
      const leases = this.#held.ask(performance.now());
      for (let n = 0; n < leases.length; n += MOST_LEASES) {
        await this.#renew(leases.slice(n, n + MOST_LEASES));
      }
      if (!this.#ended) {
        await this.#bell.wait(this.#held.nextRenewal - performance.now());
      }
    }
  }

  /** Beside the renewals: one may hang. */
  async #watchAll(): Promise<void> {
    while (!this.#ended) {
      this.#lose(this.#held.expired(performance.now()));
      await this.#bell.wait(this.#held.watch(performance.now()) - performance.now());
    }
  }

  async #renew(leases: readonly string[]): Promise<void> {
    const began = performance.now();
    let renewal: Renewal;
    try {
      renewal = await this.#renewing.renew(leases, this.#held.of(leases));
    } catch (error) {
      this.#held.askAgain(leases, performance.now() + AGAIN_MS);
      return this.#settings.warn(`${this.name} could not renew its leases: ${String(error)}`);
    }
    this.#held.renew(renewal.renewed, began);
    const told = new Set([...renewal.renewed, ...renewal.lost]);
    const missed = leases.filter((lease) => !told.has(lease));
    this.#held.askAgain(missed, performance.now() + AGAIN_MS);
    this.#lose(renewal.lost);
    this.#held.cancel(renewal.cancel);
    this.#draining = renewal.drain;
    this.#bell.ring();
  }

  #lose(leases: readonly string[]): void {
    if (leases.length > 0) {
      this.#settling.forget(new Set(leases));
      this.#held.lose(leases);
    }
  }
}
