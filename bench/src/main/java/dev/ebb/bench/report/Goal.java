package dev.ebb.bench.report;

import dev.ebb.bench.report.Medians.Case;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A figure that Ebb is held to.
 *
 * @param sentence what is compared
 * @param atLeast whether more is better
 * @param value what was reached in the rounds; empty where it was not measured
 * @param failed whether a round of what is compared failed
 */
record Goal(
    String sentence,
    boolean atLeast,
    double bound,
    int decimals,
    Optional<Range> value,
    boolean failed) {
  private static final String EBB = "ebb";
  private static final String FLOOR = "floor";

  boolean isReached() {
    return !failed
        && value
            .map(Range::median)
            .filter(median -> atLeast ? median >= bound : median <= bound)
            .isPresent();
  }

  /** Every goal, with what was reached of it. */
  static List<Goal> all(Medians medians) {
    Builder goal = new Builder(medians);
    return Stream.of(rates(goal), costs(goal), limits(goal), deliveries(goal), polls(goal))
        .flatMap(List::stream)
        .toList();
  }

  private static List<Goal> rates(Builder goal) {
    return List.of(
        goal.ratio("drain, against bare JDBC", 1, "drain", FLOOR, Figure.RATE),
        goal.cpu("CPU per job in the drain, against bare JDBC", 1.2),
        goal.ratio("drain, against db-scheduler", 10, "drain", "db-scheduler", Figure.RATE),
        goal.ratio("drain, against JobRunr", 45, "drain", "jobrunr", Figure.RATE),
        goal.ratio("drain, against Quartz", 200, "drain", "quartz", Figure.RATE),
        goal.nodes("two nodes against one, one queue", "drain-2", "drain"),
        goal.nodes("two nodes against one, four queues", "drain-4q-2", "drain-4q"),
        goal.ratio("submits one by one, against bare JDBC", 2, "submit-single", FLOOR, Figure.RATE),
        goal.ratio("submits in bulk, against bare JDBC", 0.85, "submit-bulk", FLOOR, Figure.RATE),
        goal.most("commit to handler at 100/s, p50, ms", 3, 2, "trickle", Figure.P50),
        goal.most("commit to handler at 100/s, p99, ms", 10, 2, "trickle", Figure.P99),
        goal.most("commit to handler at 1,000/s, p99, ms", 30, 2, "latency-1000", Figure.P99),
        goal.ratio(
            "retry storm with its 2 s of waiting, against bare JDBC",
            0.8,
            "retry-storm",
            FLOOR,
            Figure.RATE));
  }

  private static List<Goal> costs(Builder goal) {
    return List.of(
        goal.most("statements per attempt", 0.2, 3, "retry-storm", Figure.ATTEMPT_STATEMENTS),
        goal.most(
            "WAL per job, stored in bulk and drained, one queue, submit to history, bytes",
            850,
            0,
            "drain",
            Figure.WAL_LIFE),
        goal.most("the same on four queues, bytes", 850, 0, "drain-4q", Figure.WAL_LIFE),
        goal.most("dead rows per job", 2, 2, "drain", Figure.DEAD),
        goal.least(
            "10,000 due among 1,000,000 parked, against alone", 0.95, 2, "parked", Figure.RATIO),
        goal.most("last claims against first, old snapshot", 2, 2, "snapshot", Figure.GROWTH),
        goal.most(
            "claim beside 10,000 in flight elsewhere, against none",
            1.5,
            2,
            "in-flight",
            Figure.OTHER_RATIO));
  }

  private static List<Goal> deliveries(Builder goal) {
    return List.of(
        goal.least(
            "signed deliveries to 1,000 destinations, the receiver beside, per second",
            2_000,
            0,
            "destinations",
            Figure.RATE),
        goal.most(
            "10,000 answers awaited with -Xmx500m: heap left by a collection, MB",
            450,
            0,
            "slow-answers",
            Figure.HEAP_HELD));
  }

  private static List<Goal> polls(Builder goal) {
    return List.of(
        goal.most("CPU of a poll while nothing is due, µs", 300, 0, "polls", Figure.POLL_CPU),
        goal.most("submit to worker over HTTP at 100/s, p50, ms", 5, 2, "polls", Figure.P50));
  }

  private static List<Goal> limits(Builder goal) {
    return List.of(
        goal.least(
            "drain of one queue with a limit that does not bind, permits/s",
            20_000,
            0,
            "drain-limited",
            Figure.RATE),
        goal.least(
            "drain of one queue limited to 20,000 permits/s, jobs/s",
            19_600,
            0,
            "drain-20000",
            Figure.RATE),
        goal.least(
            "drain beside 2,000 schedules that fire, against alone",
            0.9,
            2,
            "schedules",
            Figure.RATIO),
        goal.most(
            "2,000 schedules that fire beside a drain: lateness, p99, ms",
            2_000,
            0,
            "schedules",
            Figure.P99),
        goal.most("idle node, transactions/s", 4, 2, "idle", Figure.IDLE_TRANSACTIONS),
        goal.most("idle node, WAL bytes/s", 0, 1, "idle", Figure.IDLE_WAL),
        goal.most(
            "a page of the dashboard beside 10,000,000 ended jobs, p95, ms",
            100,
            1,
            "reads",
            Figure.PAGES_P95),
        goal.most(
            "1,000,000 due drained with -Xmx256m: heap left by collections, MB",
            256,
            0,
            "memory",
            Figure.HEAP));
  }

  private record Builder(Medians medians) {

    Goal ratio(String sentence, double bound, String workload, String other, Figure figure) {
      return ratio(
          sentence, true, bound, new Case(workload, EBB), new Case(workload, other), figure);
    }

    Goal cpu(String sentence, double bound) {
      Case floor = new Case("drain", FLOOR);
      return ratio(sentence, false, bound, new Case("drain", EBB), floor, Figure.CPU);
    }

    Goal nodes(String sentence, String two, String one) {
      return ratio(sentence, true, 1, new Case(two, EBB), new Case(one, EBB), Figure.RATE);
    }

    private Goal ratio(
        String sentence, boolean atLeast, double bound, Case one, Case other, Figure figure) {
      boolean failed = medians.anyFailed(one) || medians.anyFailed(other);
      return new Goal(sentence, atLeast, bound, 2, medians.ratio(one, other, figure), failed);
    }

    Goal most(String sentence, double bound, int decimals, String workload, Figure figure) {
      return alone(sentence, false, bound, decimals, workload, figure);
    }

    Goal least(String sentence, double bound, int decimals, String workload, Figure figure) {
      return alone(sentence, true, bound, decimals, workload, figure);
    }

    private Goal alone(
        String sentence,
        boolean atLeast,
        double bound,
        int decimals,
        String workload,
        Figure figure) {
      boolean failed = medians.anyFailed(new Case(workload, EBB));
      return new Goal(
          sentence, atLeast, bound, decimals, medians.range(workload, EBB, figure), failed);
    }
  }
}
