// HTTP and JSON to one server.
import { EbbError, Refused, Unreachable } from "./errors.js";
import { CLIENT } from "./version.js";

const SHORTEST_MS = 200;
const LONGEST_MS = 10_000;
/** However long a proxy asks to be left alone. */
const MOST_ASKED_MS = 30_000;

/** What came back, of status 200 to 299. */
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

/** What went wrong, in words: of itself, `fetch` says only that it failed. */
function words(error: unknown): string {
  const of = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { message, code } = of as { message?: string; code?: string };
  return message || code || String(of);
}

function checked(url: string): string {
  const { protocol, username, password } = new URL(url);
  if (username || password) {
    throw new TypeError("url must have no user and no password");
  }
  if (!/^https?:$/.test(protocol)) {
    throw new TypeError(`url must be like https://ebb.example.com, and is ${url}`);
  }
  return url.replace(/\/+$/, "");
}

function authorization(token = ""): Record<string, string> {
  const word = token.trim();
  if (!/^[!-~]*$/.test(word)) {
    throw new TypeError("a token has visible ASCII characters alone, and this one has others");
  }
  return word ? { authorization: `Bearer ${word}` } : {};
}

/** Calls one server. */
export class Http {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #headers: Record<string, string>;

  constructor(url: string, token: string | undefined, timeoutMs: number) {
    this.#url = checked(url);
    this.#timeoutMs = timeoutMs;
    this.#headers = {
      "user-agent": CLIENT,
      accept: "application/json, application/problem+json",
      "content-type": "application/json",
      ...authorization(token),
    };
  }

  /** Once; `Unreachable` or `Refused` if it was no success. */
  async post(path: string, body: string, sending: Sending = {}): Promise<Answer> {
    const { status, headers, text, since } = await this.#send(path, body, sending);
    if (status >= 400) {
      throw Refused.read(status, text, headers.get("retry-after"));
    }
    const foreign = text !== "" && !headers.get("content-type")?.includes("json");
    if (foreign || status >= 300) {
      throw new Unreachable(`what answered ${path} is not Ebb: status ${status}`);
    }
    return { status, held: headers.get("ebb-held"), text, since };
  }

  async #send(path: string, body: string, sending: Sending) {
    const ending = new AbortController();
    // Here, what is wrong with the request itself is thrown as it is: no repeat would help.
    const request = new Request(this.#url + path, {
      method: "POST",
      headers: { ...this.#headers, ...sending.headers },
      body,
      redirect: "manual",
      signal: ending.signal,
    });
    const endAfter = (ms: number) =>
      setTimeout(() => ending.abort(new Error(`not within ${ms} ms`)), ms);
    const timers = [endAfter(sending.timeoutMs ?? this.#timeoutMs)];
    const end = () => ending.abort(sending.signal?.reason);
    sending.signal?.addEventListener("abort", end);
    try {
      const response = await fetch(request);
      const since = performance.now();
      if (sending.restMs !== undefined) {
        timers.push(endAfter(sending.restMs));
      }
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, since };
    } catch (error) {
      throw new Unreachable(`no answer to ${path}: ${words(error)}`, { cause: error });
    } finally {
      timers.forEach((timer) => clearTimeout(timer));
      sending.signal?.removeEventListener("abort", end);
    }
  }
}
