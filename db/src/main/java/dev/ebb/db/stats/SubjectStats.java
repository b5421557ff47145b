package dev.ebb.db.stats;

import dev.ebb.core.stats.SubjectCounts;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keeps what a process counted by subject, a row for each of its minutes. */
public final class SubjectStats {
  private static final String WRITE =
      """
      insert into ebb.subject_stat as s (at, writer, subjects, attempts, failed)
      values (coalesce(?, date_trunc('minute', statement_timestamp(), 'UTC')), ?, ?, ?, ?)
      on conflict (at, writer) do update
      set subjects = excluded.subjects, attempts = excluded.attempts, failed = excluded.failed
      returning
        s.at,
        (date_part('epoch', s.at + interval '1 minute' - clock_timestamp()) * 1000000)::bigint
          as left_micros
      """;

  private final Database database;

  public SubjectStats(Database database) {
    this.database = database;
  }

  /**
   * A minute by the database's clock.
   *
   * @param left until it ends; negative once it has ended
   */
  public record Minute(Instant at, Duration left) {
    private static Minute of(ResultSet row) throws SQLException {
      return new Minute(
          Rows.instant(row, "at"), Duration.of(row.getLong("left_micros"), ChronoUnit.MICROS));
    }
  }

  /**
   * Writes all that was counted in a minute, in place of what was written of it before.
   *
   * @param writer the process, which nobody else may be
   * @param at {@code null} for the present minute
   */
  public Minute write(UUID writer, @Nullable Instant at, List<SubjectCounts.Count> counts)
      throws SQLException {
    return database.inAutocommit(connection ->
        Statements.one(
            connection,
            WRITE,
            p ->
                p.time(at)
                    .id(writer)
                    .columns(counts)
                    .text(SubjectCounts.Count::subject)
                    .integer(count -> Math.toIntExact(count.attempts()))
                    .integer(count -> Math.toIntExact(count.failed())),
            Minute::of));
  }
}
