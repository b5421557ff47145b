package dev.ebb.db.view;

import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import dev.ebb.db.stats.QueueTotals;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts what the counters know in place of what a sample guesses, where a filter names nothing but
 * queues and states. The guess still says how a known sum is split among phases.
 */
final class KnownCounts {
  private static final Set<Phase> LIVE = EnumSet.range(Phase.DUE, Phase.RUNNING);
  private static final Set<Phase> WAITING = EnumSet.range(Phase.DUE, Phase.RETRYING);

  private KnownCounts() {}

  /** Corrects the numbers, by phase; answers whether their sum is exact then. */
  static boolean put(Connection connection, JobFilter filter, Map<String, Long> phases)
      throws SQLException {
    if (!filter.namesOnlyQueues()) {
      return false;
    }
    QueueTotals totals = QueueTotals.of(connection, filter.queues().wanted());
    if (!totals.exact()) {
      return false;
    }
    set(phases, EnumSet.of(Phase.DEAD_LETTER), wants(filter, totals.deadLetters()));
    return putLive(filter, totals, phases) && !FilterSql.wantsEnded(filter);
  }

  private static long wants(JobFilter filter, long deadLetters) {
    return FilterSql.wantsDead(filter) ? deadLetters : 0;
  }

  private static boolean putLive(JobFilter filter, QueueTotals totals, Map<String, Long> phases) {
    Set<Phase> live = EnumSet.copyOf(LIVE);
    live.retainAll(filter.phases());
    if (live.equals(LIVE)) {
      set(phases, live, totals.jobs());
    } else if (live.equals(EnumSet.of(Phase.RUNNING))) {
      set(phases, live, totals.inFlight());
    } else if (live.equals(WAITING)) {
      set(phases, live, Math.max(0, totals.jobs() - totals.inFlight()));
    } else {
      return live.isEmpty();
    }
    return true;
  }

  /** Gives these phases their known sum, in the proportions that were guessed. */
  private static void set(Map<String, Long> phases, Set<Phase> known, long sum) {
    List<String> words = known.stream().map(Phase::word).toList();
    long guessed = words.stream().mapToLong(word -> phases.getOrDefault(word, 0L)).sum();
    String most =
        Collections.max(
            words, (a, b) -> Long.compare(phases.getOrDefault(a, 0L), phases.getOrDefault(b, 0L)));
    long left = sum;
    for (String word : words) {
      long part =
          guessed == 0 || word.equals(most)
              ? 0
              : (long) ((double) phases.getOrDefault(word, 0L) / guessed * sum);
      left -= part;
      phases.put(word, part);
    }
    phases.put(most, left);
    phases.keySet().removeIf(word -> words.contains(word) && phases.getOrDefault(word, 0L) == 0);
  }
}
