// What a call can come to other than its answer.

/** A rule that was broken, and the field that broke it. */
export interface Violation {
  readonly pointer: string;
  readonly rule: string;
}

/** Any of the errors here. */
export class EbbError extends Error {
  override readonly name: string = "EbbError";
}

/** No usable answer came; a submit may be stored all the same. */
export class Unreachable extends EbbError {
  override readonly name = "Unreachable";
  /**
   * Of a submit, the key under which it was sent: another submit of the same under it stores
   * nothing twice.
   */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { cause?: unknown; idempotencyKey?: string } = {}) {
    super(message, options);
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** Whatever a server or a proxy fails at: each request may be sent again. */
const PASSING = [408, 429];

interface Problem {
  type?: string;
  title?: string;
  detail?: string;
  code?: string;
  retryable?: boolean;
  errors?: { pointer?: string; parameter?: string; rule?: string }[];
}

/** The server said no, and why (RFC 9457). `code` says it for programs. */
export class Refused extends EbbError {
  override readonly name = "Refused";
  readonly type: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly errors: readonly Violation[];

  constructor(
    readonly status: number,
    problem: Problem,
    readonly retryAfterMs: number,
  ) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.type = problem.type ?? "about:blank";
    this.code = problem.code ?? "";
    this.retryable = problem.retryable === true || status >= 500 || PASSING.includes(status);
    this.errors = (problem.errors ?? []).map((one) => ({
      pointer: String(one.pointer ?? one.parameter ?? ""),
      rule: one.rule ?? "",
    }));
  }

  /**
   * Whether a server of Ebb's that can do its work has said so. A proxy without a route answers
   * with 404 and the like for a while.
   */
  get final(): boolean {
    return !this.retryable && this.code !== "" && this.code !== "read_only";
  }

  /** The first field that broke a rule, as a JSON Pointer: `/payload`. */
  get field(): string | undefined {
    return this.errors[0]?.pointer;
  }

  /** The place, from 0, of the first job with errors among those that were submitted together. */
  get place(): number | undefined {
    const found = this.errors.map((one) => /^\/jobs\/(\d+)(?:\/|$)/.exec(one.pointer)?.[1]);
    const first = found.find((place) => place !== undefined);
    return first === undefined ? undefined : Number(first);
  }

  /** A proxy may have answered, in a shape of its own. */
  static read(status: number, text: string, retryAfter: string | null): Refused {
    const ms = /^\d{1,6}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : 0;
    try {
      return new Refused(status, JSON.parse(text) as Problem, ms);
    } catch {
      return new Refused(status, {}, ms);
    }
  }
}
