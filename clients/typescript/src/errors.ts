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

/** No answer came; a submit may be stored all the same. */
export class Unreachable extends EbbError {
  override readonly name = "Unreachable";
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
      pointer: one.pointer ?? one.parameter ?? "",
      rule: one.rule ?? "",
    }));
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

  static read(status: number, text: string, retryAfter: string | null): Refused {
    let problem: unknown;
    try {
      problem = JSON.parse(text);
    } catch {
      problem = undefined;
    }
    const seconds = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : 0;
    return new Refused(status, isObject(problem) ? problem : {}, seconds * 1000);
  }
}

function isObject(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
