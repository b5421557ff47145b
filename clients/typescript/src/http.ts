// HTTP and JSON to one server.
import { EbbError, Refused, Unreachable } from "./errors.js";
import { CLIENT } from "./version.js";

const SHORTEST_MS = 200;
const LONGEST_MS = 10_000;
/** However long a proxy asks to be left alone. */
const MOST_ASKED_MS = 30_000;

/** What came back, of status 200 to 399. */
export interface Answer {
  readonly status: number;
  readonly held: string | null;
  readonly text: string;
  /** When its head was there, by this machine's clock. */
  readonly since: number;
}

/** What it says; an answer that cannot be read is as good as lost. */
export function read<T>({ text }: Answer, reader: (text: string) => T): T {
  try {
    return reader(text);
  } catch (error) {
    throw new Unreachable(`the answer cannot be read: ${String(error)}`, { cause: error });
  }
}

/** How a request is sent. */
export interface Sending {
  /** For the whole answer. */
  readonly timeoutMs?: number;
  /** Of these, for what follows the head of the answer. */
  readonly restMs?: number;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

function mayRepeat(error: unknown): error is Unreachable | Refused {
  return error instanceof Unreachable || (error instanceof Refused && error.retryable);
}

/**
 * How long to wait after so many failed tries: the first may have met a connection that had
 * ended.
 */
export function pauseMs(tries: number, error: EbbError): number {
  if (tries === 1 && error instanceof Unreachable) {
    return 0;
  }
  const asked = error instanceof Refused ? Math.min(MOST_ASKED_MS, error.retryAfterMs) : 0;
  return Math.max(asked, Math.random() * Math.min(LONGEST_MS, SHORTEST_MS * 2 ** tries));
}

/** Calls until there is an answer, another call would not help, or so long. */
export async function repeated<T>(once: () => Promise<T>, patienceMs: number): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    try {
      return await once();
    } catch (error) {
      const rest = mayRepeat(error) ? pauseMs(tries, error) : Infinity;
      if (performance.now() + rest > end) {
        throw error;
      }
      await new Promise((wake) => setTimeout(wake, rest));
    }
  }
}

/** Calls one server. */
export class Http {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #headers: Record<string, string>;

  constructor(url: string, token: string | undefined, timeoutMs: number) {
    if (!/^https?:$/.test(new URL(url).protocol)) {
      throw new TypeError(`url must be like https://ebb.example.com, and is ${url}`);
    }
    this.#url = url.replace(/\/+$/, "");
    this.#timeoutMs = timeoutMs;
    this.#headers = {
      "user-agent": CLIENT,
      accept: "application/json, application/problem+json",
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
  }

  /** Once; `Unreachable` or `Refused` if it was no success. */
  async post(path: string, body: string, sending: Sending = {}): Promise<Answer> {
    const { status, headers, text, since } = await this.#send(path, body, sending);
    if (status >= 400) {
      throw Refused.read(status, text, headers.get("retry-after"));
    }
    if (text !== "" && !headers.get("content-type")?.includes("json")) {
      throw new Unreachable(`what answered ${path} is not Ebb`);
    }
    return { status, held: headers.get("ebb-held"), text, since };
  }

  async #send(path: string, body: string, sending: Sending) {
    const ending = new AbortController();
    const end = () => ending.abort();
    const timers = [setTimeout(end, sending.timeoutMs ?? this.#timeoutMs)];
    sending.signal?.addEventListener("abort", end);
    try {
      const response = await fetch(this.#url + path, {
        method: "POST",
        headers: { ...this.#headers, ...sending.headers },
        body,
        signal: ending.signal,
      });
      const since = performance.now();
      if (sending.restMs !== undefined) {
        timers.push(setTimeout(end, sending.restMs));
      }
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, since };
    } catch (error) {
      throw new Unreachable(`no answer to ${path}: ${String(error)}`, { cause: error });
    } finally {
      timers.forEach((timer) => clearTimeout(timer));
      sending.signal?.removeEventListener("abort", end);
    }
  }
}
