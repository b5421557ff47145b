package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Claims by hand beside many jobs whose handlers run on in the same process: none, many in another
 * queue, many in the same queue. A system whose slots cost a thread or a connection each cannot run
 * as many.
 */
record InFlight() implements OfEbb {
  private static final int JOBS = 10_000;
  private static final int BATCH = 100;
  private static final int QUEUES = 2;

  /** The first claims prepare statements, and run code that is not compiled yet. */
  private static final int UNCOUNTED = 100;

  /** How many times as many jobs are claimed by hand. */
  private static final int TIMES = 5;

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private static final String LAST_EXPIRY =
      """
      select coalesce(extract(epoch from max(expires_at)) * 1000000, 0)::bigint
      from ebb.lease
      """;

  private static final String FIRST_EXPIRY =
      """
      select coalesce(extract(epoch from min(expires_at)) * 1000000, 0)::bigint
      from ebb.lease
      """;

  private static final String HELD =
      """
      select coalesce(sum(cardinality(job_ids)), 0)
      from ebb.lease
      """;

  @Override
  public String id() {
    return "in-flight";
  }

  @Override
  public String sentence() {
    return "Claims of 100 by hand, each completed before the next, beside a node with 10,000 jobs"
        + " whose handlers do not end, after it has renewed them all.";
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int held = Math.max(4_000, round.scaled(JOBS));
    int filled = QUEUES * TIMES * held;
    round.prepare(2 * filled, QUEUES, 0);
    fill(round, 0, filled);
    List<Integer> none = claims(round, 1, TIMES * held);
    hold(round, held);
    fill(round, filled, 2 * filled);
    List<Integer> other = claims(round, 1, TIMES * held);
    List<Integer> same = claims(round, 0, TIMES * held);
    check(round, held);
    round.leave();
    return Figures.of(
        Map.of(
            Figure.CLAIM_NONE, Stats.median(none) / 1000,
            Figure.CLAIM_OTHER, Stats.median(other) / 1000,
            Figure.CLAIM_SAME, Stats.median(same) / 1000,
            Figure.OTHER_RATIO, Stats.median(other) / Stats.median(none),
            Figure.SAME_RATIO, Stats.median(same) / Stats.median(none),
            Figure.CLAIM_NONE_P99, Stats.percentile(none, 0.99) / 1000,
            Figure.CLAIM_OTHER_P99, Stats.percentile(other, 0.99) / 1000,
            Figure.CLAIM_SAME_P99, Stats.percentile(same, 0.99) / 1000));
  }

  /** Spreads the jobs over both queues. */
  private static void fill(Round round, int from, int to) throws Exception {
    round.fill(from, to, Duration.ZERO);
    round.vacuum();
  }

  private static List<Integer> claims(Round round, int queue, int jobs) throws Exception {
    Request request = new Request.Claims(queue, jobs / BATCH, BATCH, true);
    List<Integer> micros = round.first().ask(request).samples();
    return micros.subList(UNCOUNTED, micros.size());
  }

  /** Has a node run jobs of the first queue, and returns when it has renewed them all. */
  private static void hold(Round round, int jobs) throws Exception {
    var _ = round.first().ask(new Request.Hold(jobs));
    try (Connection eyes = round.connect()) {
      long last = Sql.number(eyes, LAST_EXPIRY);
      for (long end = System.nanoTime() + PATIENCE.toNanos(); ; ) {
        if (Sql.number(eyes, FIRST_EXPIRY) > last) {
          return;
        }
        if (System.nanoTime() > end) {
          throw new CheckFailed("the leases are not renewed");
        }
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
      }
    }
  }

  /** Throws unless each of the jobs still runs, for the first time, and nothing else does. */
  private static void check(Round round, int held) throws IOException, SQLException {
    List<Integer> runs = round.runs();
    if (runs.stream().anyMatch(times -> times > 1)
        || runs.stream().mapToInt(Integer::intValue).sum() != held) {
      throw new CheckFailed("not each of " + held + " jobs runs once");
    }
    try (Connection eyes = round.connect()) {
      long found = Sql.number(eyes, HELD);
      if (found != held) {
        throw new CheckFailed("the leases name " + found + " jobs, not " + held);
      }
    }
  }
}
