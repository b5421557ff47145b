// How a run of a job ends: a handler returns one of these, or throws it.
import { iso } from "./durations.js";

const LONGEST_REASON = 64;
const LONGEST_MESSAGE = 1024;
const LONGEST_RESULT = 1000;
const MOST_NAMES = 20;
const LONGEST_NAME = 63;

/** A result, as a settle tells it. */
export type Fields = Record<string, unknown>;

/** As much of it as is kept, with question marks for what PostgreSQL cannot store. */
function storable(text: string, most: number): string {
  return text.slice(0, most).replace(/[\0\p{Surrogate}]/gu, "?");
}

/** What was thrown, in words, unless it has none. */
export function described(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return typeof thrown;
  }
}

/**
 * The outcome of that name, without what cannot be told of it: what is done stays done, and what is
 * to be a dead letter becomes one.
 */
export function bare(word: unknown, why: string): Fields {
  switch (word) {
    case "completed":
    case "not_ready":
    case "cancelled":
    case "given_back":
      return { outcome: word };
    default: {
      const known = word === "fatal" || word === "throttled" ? word : "failed";
      const message = storable(why, LONGEST_MESSAGE);
      return { outcome: known, reason: "bad_outcome", message };
    }
  }
}

/** How a run ends. The server decides what becomes of the job. */
export abstract class Outcome extends Error {
  abstract readonly word: string;

  fields(): Fields {
    return { outcome: this.word };
  }
}

/**
 * Done. `result`, up to 20 strings by name, is kept and shown; of each, 1,000 characters. What is
 * not a string is kept as `String()` writes it. A name is a letter, then letters, digits and
 * `_ . -`; up to 63 characters.
 */
export class Completed extends Outcome {
  readonly word = "completed";

  constructor(readonly result: Readonly<Record<string, string>> = {}) {
    super("completed");
  }

  override fields(): Fields {
    const entries = Object.entries(this.result);
    if (entries.length > MOST_NAMES) {
      throw new RangeError(`a result has at most ${MOST_NAMES} names`);
    }
    const result = entries.map(([name, value]) => [
      name.slice(0, LONGEST_NAME),
      storable(String(value), LONGEST_RESULT),
    ]);
    return result.length === 0
      ? super.fields()
      : { ...super.fields(), result: Object.fromEntries(result) as Record<string, string> };
  }
}

/**
 * Not done, and to be tried again by the job's policy. `reason` is a word for all such failures.
 */
export class Failed extends Outcome {
  readonly word: string = "failed";

  constructor(
    readonly reason: string,
    readonly text = "",
  ) {
    super(text ? `${reason}: ${text}` : reason);
  }

  override fields(): Fields {
    return {
      ...super.fields(),
      reason: storable(String(this.reason), LONGEST_REASON).trim() || this.word,
      message: storable(String(this.text), LONGEST_MESSAGE),
    };
  }

  static of(thrown: unknown): Failed {
    return new Failed("exception", described(thrown));
  }
}

/** Not done, and no other attempt would help: a dead letter. */
export class Fatal extends Failed {
  override readonly word = "fatal";
}

/** Somebody asked for fewer calls: the rate of the queue is cut, and no retry comes sooner. */
export class Throttled extends Failed {
  override readonly word = "throttled";

  constructor(
    reason = "throttled",
    text = "",
    readonly retryAfterMs?: number,
  ) {
    super(reason, text);
  }

  override fields(): Fields {
    return this.retryAfterMs === undefined
      ? super.fields()
      : { ...super.fields(), retryAfter: iso(this.retryAfterMs) };
  }
}

/** Too early: the job comes again after the delay, or by its policy; costs no attempt. */
export class NotReady extends Outcome {
  readonly word = "not_ready";

  constructor(readonly delayMs?: number) {
    super("not_ready");
  }

  override fields(): Fields {
    return this.delayMs === undefined
      ? super.fields()
      : { ...super.fields(), delay: iso(this.delayMs) };
  }
}

/** Ended, because somebody asked for that. */
export class Cancelled extends Outcome {
  readonly word = "cancelled";
}

/** Not begun, or not ended, by a worker that stops; costs no attempt. */
export class GivenBack extends Outcome {
  readonly word = "given_back";
}
