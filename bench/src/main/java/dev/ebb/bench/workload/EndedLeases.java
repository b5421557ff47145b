package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import dev.ebb.bench.report.Stats;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Claims of single jobs by hand while a stranger holds a snapshot: do they take longer once there
 * are many leases that have ended?
 */
record EndedLeases() implements OfEbb {
  private static final int ENDED = 400_000;
  private static final int COMPARED = 300;

  /** The first claims prepare statements, and read all leases once. */
  private static final int UNCOUNTED = 20;

  private static final String ENDS = "delete from ebb.lease where node = 'other'";

  @Override
  public String id() {
    return "ended-leases";
  }

  @Override
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "Claims of one job each while another session holds an old snapshot: the mean of %s before"
            + " and of %s after %,d leases of one job have ended.",
        COMPARED,
        COMPARED,
        ENDED);
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    int times = UNCOUNTED + COMPARED;
    round.prepare(2 * times, 1, 0);
    round.fill(0, 2 * times, Duration.ZERO);
    round.rest();
    round.open();
    double first;
    double last;
    try (Connection stranger = round.connect()) {
      Sql.holdSnapshot(stranger);
      first = mean(round, times);
      round.execute(leases(round.scaled(ENDED)));
      round.execute(ENDS);
      last = mean(round, times);
    }
    round.leave();
    round.checkStored(0);
    round.checkTables(2 * times);
    return Figures.growth(first, last);
  }

  private static double mean(Round round, int times) throws Exception {
    List<Integer> micros = round.first().ask(new Request.Claims(0, times, 1, true)).samples();
    return Stats.mean(micros.subList(UNCOUNTED, times));
  }

  private static String leases(int count) {
    return """
    insert into ebb.lease (
      id, queue, node, claimed_at, expires_at, length_micros, job_ids, versions,
      first_priority, last_priority, last_run_at)
    select
      (extract(epoch from now()) * 1000000)::bigint * 1000 - 600 * 1000000000::bigint + i,
      'default', 'other', now(), now(), 1, array[gen_random_uuid()], '{0}', 5, 5, now()
    from generate_series(1, %s) i
    """
        .formatted(count);
  }
}
