package dev.ebb.db.errors;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Counts of dead letters by group: the newest of each group exactly; of a larger one by a sample of
 * the table's blocks.
 */
final class GroupCounts {
  /** How many dead letters of a group are counted exactly, at most. */
  static final int EXACT = 1_000;

  /** How many blocks a sample reads, about. */
  static final int SAMPLED_BLOCKS = 300;

  /** The windows of dead letters {@code d} of a group {@code g}, and those since its mark. */
  static final String COLUMNS =
      """
      count(*) filter (where d.died_at > (select now() - interval '1 hour')) as n0,
      count(*) filter (where d.died_at > (select now() - interval '3 hours')) as n1,
      count(*) filter (where d.died_at > (select now() - interval '24 hours')) as n2,
      count(*) filter (where d.died_at > (select now() - interval '3 days')) as n3,
      count(*) filter (where d.died_at > (select now() - interval '7 days')) as n4,
      count(*) as n5,
      count(*) filter (where d.died_at > g.acknowledged_at) as n6
      """;

  /** Where among the numbers that of all is. */
  static final int ALL = 5;

  private static final int NUMBERS = 7;

  private static final String BLOCKS =
      """
      select pg_relation_size('ebb.dead_letter') / current_setting('block_size')::bigint as blocks
      """;

  private static final String SAMPLE =
      """
      select g.id, %1$s
      from ebb.dead_letter d tablesample system (?::real)
      join ebb.error_group g on g.id = d.error_group
      where d.error_group = any (?)
      group by g.id
      """
          .formatted(COLUMNS);

  /** Of the groups that are too large to be counted, by id; a group that is in no sample is not. */
  private final Map<UUID, List<Long>> estimates;

  private GroupCounts(Map<UUID, List<Long>> estimates) {
    this.estimates = estimates;
  }

  /** The numbers of {@link #COLUMNS} in a row. */
  static List<Long> read(ResultSet row) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < NUMBERS; i++) {
      numbers.add(row.getLong("n" + i));
    }
    return numbers;
  }

  /** Whether the numbers are of more dead letters than are counted. */
  static boolean isCut(List<Long> numbers) {
    return numbers.get(ALL) > EXACT;
  }

  /** Looks at a sample, if a group needs one. */
  static GroupCounts sampled(Connection connection, List<UUID> groups) throws SQLException {
    Map<UUID, List<Long>> estimates = new HashMap<>();
    if (!groups.isEmpty()) {
      long blocks = Statements.one(connection, BLOCKS, _ -> {}, row -> row.getLong(1));
      double percent = Math.min(100, 100.0 * SAMPLED_BLOCKS / Math.max(1, blocks));
      Statements.list(
              connection,
              SAMPLE,
              p -> p.real(percent).ids(groups),
              row -> Map.entry(row.getObject(1, UUID.class), read(row)))
          .forEach(found -> estimates.put(found.getKey(), scaled(found.getValue(), percent)));
    }
    return new GroupCounts(estimates);
  }

  private static List<Long> scaled(List<Long> sampled, double percent) {
    return sampled.stream().map(n -> Math.round(n * 100 / percent)).toList();
  }

  /** The counts of a group of whose newest dead letters these are the numbers. */
  ErrorGroupView.Counts of(UUID group, List<Long> newest) {
    List<Long> best = new ArrayList<>();
    List<Long> estimated = estimates.getOrDefault(group, newest);
    for (int i = 0; i < NUMBERS; i++) {
      long counted = newest.get(i);
      best.add(counted > EXACT ? Math.max(counted, estimated.get(i)) : counted);
    }
    return counts(best, !isCut(newest));
  }

  /** The numbers as people see them. */
  static ErrorGroupView.Counts counts(List<Long> numbers, boolean exact) {
    return new ErrorGroupView.Counts(numbers.subList(0, NUMBERS - 1), numbers.getLast(), exact);
  }
}
