package dev.ebb.bench.report;

/** A number that a measurement yields. */
public enum Figure {
  JOBS("jobs", 0),
  DUE("due", 0),
  RATE("jobs/s", 0),
  CPU("CPU µs/job", 1),
  CPU_POSTGRES("– PostgreSQL", 1),
  CPU_NODE("– node", 1),
  SLOWEST("slowest queue jobs/s", 1),
  P50("p50 ms", 2),
  P95("p95 ms", 2),
  P99("p99 ms", 2),
  FIRST("first ms", 2),
  LAST("last ms", 2),
  GROWTH("last/first", 2),
  WAL("WAL B/job", 0),
  WAL_LIFE("with its submit", 0),
  STATEMENTS("statements/job", 3),
  TRANSACTIONS("transactions/job", 3),
  DEAD("dead rows/job", 2),
  ATTEMPT_STATEMENTS("statements/attempt", 3),
  SECONDS("wall s", 2),
  IDLE_TRANSACTIONS("transactions/s", 2),
  IDLE_STATEMENTS("statements/s", 2),
  IDLE_BLOCKS("blocks/s", 0),
  IDLE_WAL("WAL B/s", 1),
  IDLE_CPU_POSTGRES("PostgreSQL CPU ms/s", 2),
  IDLE_CPU_NODE("node CPU ms/s", 2),
  FIRED("fires in the drain", 0),
  ALONE_P99("alone, p99 ms", 2),
  ALONE("alone jobs/s", 0),
  CPU_ALONE("alone CPU µs/job", 1),
  RATIO("among/alone", 2),
  RATIO_CPU("CPU among/alone", 2),
  CLAIM_NONE("claim, none in flight, ms", 2),
  CLAIM_OTHER("in another queue, ms", 2),
  CLAIM_SAME("in the same queue, ms", 2),
  CLAIM_NONE_P99("none, p99", 2),
  CLAIM_OTHER_P99("another, p99", 2),
  CLAIM_SAME_P99("same, p99", 2),
  OTHER_RATIO("other/none", 2),
  SAME_RATIO("same/none", 2),
  BATCH_RATE("in batches jobs/s", 0),
  BATCH_CPU_POSTGRES("in batches PostgreSQL µs/job", 1),
  BATCH_CPU_NODE("in batches node µs/job", 1),
  BATCH_WAL("in batches WAL B/job", 0),
  BATCH_STATEMENTS("in batches statements/job", 3),
  BATCH_TRANSACTIONS("in batches transactions/job", 3),
  BATCH_DEAD("in batches dead rows/job", 2),
  POLLS("polls", 0),
  POLL_CPU("CPU µs/poll", 1),
  POLL_CPU_POSTGRES("PostgreSQL µs/poll", 1),
  POLL_CPU_NODE("node µs/poll", 1),
  SESSIONS("sessions", 0),
  LISTS_P95("lists, p95 ms", 2),
  COUNTS_P95("counts, p95 ms", 2),
  GROUPS_P95("groups of dead letters, p95 ms", 2),
  STATS_P95("statistics, p95 ms", 2),
  PAGES_P95("pages of the dashboard, p95 ms", 2),
  HEAP("peak heap MB", 0),
  HEAP_HELD("heap in flight MB", 0),
  RESIDENT("resident in flight MB", 0);

  private final String title;
  private final int decimals;

  Figure(String title, int decimals) {
    this.title = title;
    this.decimals = decimals;
  }

  public String title() {
    return title;
  }

  public int decimals() {
    return decimals;
  }
}
