// How far runs are, as one renewal tells it.
import type { Run } from "./run.js";

/**
 * Half of the body that a server takes unless it is set up otherwise; around each stand its job's
 * id, quotes, a colon and a comma.
 */
const MOST_NEWS = 32 * 1024;
const NEWS_OVERHEAD = 40;
const TOO_LARGE = 413;

/**
 * How much a renewal tells, of how many runs. A server that refuses it gets half the next time, so
 * that the one of many that it cannot take comes to stand alone.
 */
export class NewsLimit {
  constructor(
    readonly size = MOST_NEWS,
    readonly runs = Infinity,
  ) {}

  /** How large a body may be stays as it is; a wrong value of one run passes. */
  refused(news: ReadonlyMap<Run, string>, status: number): NewsLimit {
    const size = [...news.values()].reduce((sum, text) => sum + sizeOf(text), 0);
    return status === TOO_LARGE
      ? new NewsLimit(Math.floor(size / 2), this.runs)
      : new NewsLimit(this.size, Math.max(1, Math.floor(news.size / 2)));
  }

  taken(): NewsLimit {
    return new NewsLimit(this.size, this.runs * 2);
  }

  /**
   * What has changed since it was last heard, as much of it as a request may carry, and at least
   * that of one; those that were heard of longest ago come first, so that each has its turn.
   */
  news(runs: readonly Run[]): Map<Run, string> {
    const news = new Map<Run, string>();
    let size = 0;
    for (const run of [...runs].sort((one, other) => one.heardAt - other.heardAt)) {
      const text = run.unheard;
      if (text !== undefined) {
        size += sizeOf(text);
        if (news.size > 0 && (size > this.size || news.size === this.runs)) {
          break;
        }
        news.set(run, text);
      }
    }
    return news;
  }
}

function sizeOf(text: string): number {
  return NEWS_OVERHEAD + Buffer.byteLength(text);
}
