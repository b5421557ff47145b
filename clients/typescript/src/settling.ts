// Tells the server how runs ended, in batches, until it has taken each.
import { Bell } from "./bell.js";
import { EbbError, Refused } from "./errors.js";
import { pauseMs, read, type Http } from "./http.js";
import { bare, type Fields } from "./outcomes.js";

const MOST_RESULTS = 500;
const MOST_BYTES = 1024 * 1024;
const UNAUTHORIZED = 401;
/** So often something before the server may refuse, before each result goes alone. */
const MOST_FOREIGN = 4;
/** For so long it may refuse one that goes alone, before that is taken to be for the content. */
const FOREIGN_LASTS_MS = 10_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

interface Named {
  readonly lease: string;
  readonly id: string;
}

/** All else is settled. */
interface Settled {
  readonly refused: readonly (Named & { readonly why: string })[];
  /** The keys of what somebody has locked. */
  readonly locked: ReadonlySet<string>;
}

class Result {
  readonly #whole: string;
  text: string;
  due = 0;
  isBare = false;
  /** When something before the server first refused it alone. */
  refusedSince: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(readonly fields: Fields & Named) {
    this.text = this.#whole = JSON.stringify(fields);
  }

  get key(): string {
    return key(this.fields);
  }

  putOff(): void {
    this.due = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  makeBare(rule: string): void {
    const { lease, id, tookMs, outcome } = this.fields;
    this.text = JSON.stringify({ lease, id, tookMs, ...bare(outcome, rule) });
    this.isBare = true;
  }

  /**
   * By something before the server. If it refuses the bare form as well, the content was not its
   * reason: both take turns until one passes.
   */
  refusedAlone(rule: string): void {
    const now = performance.now();
    this.refusedSince ??= now;
    if (this.isBare) {
      this.text = this.#whole;
      this.isBare = false;
    } else if (now - this.refusedSince >= FOREIGN_LASTS_MS) {
      this.makeBare(rule);
    }
    this.putOff();
  }
}

/** The results that are to be told. `told` hears of each one that needs no more. */
export class Settling {
  readonly #bell = new Bell();
  #results: Result[] = [];
  #ending = false;
  #tries = 0;
  #most = MOST_RESULTS;

  constructor(
    private readonly http: Http,
    private readonly worker: string,
    private readonly told: (lease: string, job: string) => void,
    private readonly warn: (text: string) => void,
  ) {}

  get waiting(): number {
    return this.#results.length;
  }

  add(results: readonly (Fields & Named)[]): void {
    this.#results.push(...results.map((fields) => new Result(fields)));
    this.#bell.ring();
  }

  /** Of leases that were lost, nothing is settled any more. */
  forget(leases: ReadonlySet<string>): void {
    this.#results = this.#results.filter((one) => !leases.has(one.fields.lease));
    this.#bell.ring();
  }

  /** Waits until all are told, or so long, and ends; whether all are told. */
  async flush(ms: number): Promise<boolean> {
    const done = await this.#bell.until(() => this.#results.length === 0, ms);
    this.#ending = true;
    this.#bell.ring();
    return done;
  }

  async run(): Promise<void> {
    while (!this.#ending) {
      const due = this.#results.filter((one) => one.due <= performance.now());
      if (due.length > 0) {
        await this.#tell(this.#fitting(due));
      } else {
        const first = Math.min(Infinity, ...this.#results.map((one) => one.due));
        await this.#bell.wait(first - performance.now());
      }
    }
  }

  /**
   * As many as go in one request. What was refused alone goes alone again, so that it holds up no
   * other.
   */
  #fitting(due: readonly Result[]): readonly Result[] {
    if (due[0]?.refusedSince !== undefined) {
      return due.slice(0, 1);
    }
    let size = 0;
    const others = due.filter((one) => one.refusedSince === undefined).slice(0, this.#most);
    const fits = others.findIndex((one, n) => {
      size += Buffer.byteLength(one.text);
      return n > 0 && size > MOST_BYTES;
    });
    return others.slice(0, fits === -1 ? this.#most : fits);
  }

  async #tell(batch: readonly Result[]): Promise<void> {
    try {
      await this.#send(batch);
      this.#tries = 0;
    } catch (error) {
      if (!(error instanceof EbbError)) {
        throw error;
      }
      await this.#failed(batch, error);
    }
  }

  async #send(batch: readonly Result[]): Promise<void> {
    const results = batch.map((one) => one.text).join();
    const body = `{"worker":${JSON.stringify(this.worker)},"results":[${results}]}`;
    const answer = await this.http.post("/v1/leases/settle", body);
    const { refused, locked } = read(answer, readSettled);
    this.#most = Math.min(MOST_RESULTS, this.#most * 2);
    refused.forEach((one) => this.warn(`the outcome of job ${one.id} was refused: ${one.why}`));
    this.#done(batch.filter((one) => !locked.has(one.key)));
    batch.filter((one) => locked.has(one.key)).forEach((one) => one.putOff());
  }

  #done(batch: readonly Result[]): void {
    const gone = new Set(batch);
    this.#results = this.#results.filter((one) => !gone.has(one));
    batch.forEach((one) => this.told(one.fields.lease, one.fields.id));
    this.#bell.ring();
  }

  async #failed(batch: readonly Result[], error: EbbError): Promise<void> {
    if (error instanceof Refused && this.#mayBeOfContent(batch, error)) {
      this.#refused(batch, error);
    } else {
      this.#tries++;
      if (this.#tries > 1) {
        this.warn(`outcomes are told again: ${error.message}`);
      }
      await this.#bell.until(() => this.#ending, pauseMs(this.#tries, error));
    }
  }

  /** Whether it may be the same however often it is sent. */
  #mayBeOfContent(batch: readonly Result[], error: Refused): boolean {
    if (error.retryable || error.status === UNAUTHORIZED) {
      return false;
    }
    const hasLasted = this.#tries >= MOST_FOREIGN || batch[0]?.refusedSince !== undefined;
    return error.final || (error.code === "" && hasLasted);
  }

  /**
   * One bad result has the batch refused. If nothing says which, half of them go next, until it
   * stands alone.
   */
  #refused(batch: readonly Result[], error: Refused): void {
    const errors = error.final ? error.errors : [];
    const bad = new Map(
      errors.map((one) => [Number(/^\/results\/(\d+)/.exec(one.pointer)?.[1]), one.rule]),
    );
    const named = batch.filter((_, n) => bad.has(n));
    if (named.length === 0 && batch.length > 1) {
      this.#most = Math.floor(batch.length / 2);
      return;
    }
    for (const one of named.length > 0 ? named : batch) {
      this.warn(`the outcome of job ${one.fields.id} is refused: ${error.message}`);
      this.#correct(one, bad.get(batch.indexOf(one)) ?? error.message, error.final);
    }
  }

  #correct(one: Result, rule: string, isFinal: boolean): void {
    if (!isFinal) {
      one.refusedAlone(rule);
    } else if (one.isBare) {
      this.#done([one]);
    } else {
      one.makeBare(rule);
    }
  }
}

function readSettled(text: string): Settled {
  const told = JSON.parse(text) as { refused: Settled["refused"]; locked: Named[] };
  return {
    refused: told.refused.map(({ lease, id, why }) => ({ lease, id, why })),
    locked: new Set(told.locked.map(key)),
  };
}

function key(of: Named): string {
  return `${of.lease} ${of.id}`;
}
