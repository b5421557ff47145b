// Renews leases, and tells beside that how far their runs are.
import { Refused } from "./errors.js";
import { read, type Http } from "./http.js";
import { readRenewal, type Renewal } from "./leases.js";
import { NewsLimit } from "./news.js";
import type { Run } from "./run.js";

/** What a server says to a body that it cannot take. */
const REFUSED = [400, 413];

/** Of one worker. */
export class Renewing {
  #limit = new NewsLimit();

  constructor(
    private readonly http: Http,
    private readonly worker: string,
    private readonly timeoutMs: number,
    private readonly warn: (text: string) => void,
  ) {}

  /** Once. What the server does not take of the news must not cost a lease. */
  async renew(leases: readonly string[], runs: readonly Run[]): Promise<Renewal> {
    const news = this.#limit.news(runs);
    try {
      const renewal = await this.#send(leases, news);
      const renewed = new Set(renewal.renewed);
      [...news]
        .filter(([run]) => renewed.has(run.lease))
        .forEach(([run, text]) => run.heard(text));
      this.#limit = this.#limit.taken();
      return renewal;
    } catch (error) {
      if (news.size === 0 || !(error instanceof Refused) || !REFUSED.includes(error.status)) {
        throw error;
      }
      this.warn(`progress is refused: ${error.message}`);
      this.#refused(news, error.status);
      return this.#send(leases, new Map());
    }
  }

  async #send(leases: readonly string[], news: ReadonlyMap<Run, string>): Promise<Renewal> {
    const named = JSON.stringify({ worker: this.worker, leases });
    const progress = [...news].map(([run, text]) => `"${run.id}":${text}`).join();
    const body = progress ? `${named.slice(0, -1)},"progress":{${progress}}}` : named;
    const sending = { timeoutMs: this.timeoutMs };
    return read(await this.http.post("/v1/leases/renew", body, sending), readRenewal);
  }

  /** That of one run is not told again until it changes; of several, any may be at fault. */
  #refused(news: ReadonlyMap<Run, string>, status: number): void {
    if (news.size > 1) {
      this.#limit = this.#limit.refused(news, status);
    } else {
      news.forEach((text, run) => run.heard(text));
    }
  }
}
