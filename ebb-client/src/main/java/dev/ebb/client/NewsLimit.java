package dev.ebb.client;

/**
 * How much one renewal tells, of how many jobs. A server that refuses it gets half the next time,
 * so that the one of many that it cannot take comes to stand alone.
 */
record NewsLimit(int bytes, int jobs) {
  /** Half of the body that a server takes unless it is set up otherwise. */
  static final NewsLimit USUAL = new NewsLimit(32 * 1024, Integer.MAX_VALUE);

  private static final int TOO_LARGE = 413;

  /** How large a body may be stays as it is; a wrong value of one job passes. */
  NewsLimit refused(int toldBytes, int toldJobs, int status) {
    return status == TOO_LARGE
        ? new NewsLimit(toldBytes / 2, jobs)
        : new NewsLimit(bytes, Math.max(1, toldJobs / 2));
  }

  NewsLimit taken() {
    return new NewsLimit(bytes, (int) Math.min(Integer.MAX_VALUE, jobs * 2L));
  }
}
