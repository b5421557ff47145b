package dev.ebb.db.view;

import dev.ebb.db.audit.AuditEntry;
import dev.ebb.db.audit.AuditFilter;
import dev.ebb.db.audit.AuditReads;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a job with what happened to it, in a transaction of the caller's. */
final class HistoryReads {
  /** Of attempts: as many as a job may have, unless some were given back or it was redriven. */
  static final int MOST_ATTEMPTS = 1_000;

  /** Of audit entries. */
  private static final int MOST_ENTRIES = 200;

  /** Pages of attempts, each of a mebibyte and its last record. */
  private static final int MOST_PAGES = 4;

  private static final String ONE_MOMENT =
      """
      set transaction isolation level repeatable read, read only
      """;

  private static final String WHEN_AND_WHERE =
      """
      select now() as at, (select origin from ebb.identity) as origin
      """;

  private HistoryReads() {}

  private record Moment(Instant at, @Nullable UUID origin) {}

  /** What is read of its attempts. */
  @FunctionalInterface
  private interface Attempts {
    AttemptPage read() throws SQLException;
  }

  static @Nullable JobHistory find(
      Connection connection, UUID id, AttemptPage.@Nullable Position after) throws SQLException {
    return find(connection, id, () -> attempts(connection, id, after));
  }

  static @Nullable JobHistory latest(Connection connection, UUID id, int limit)
      throws SQLException {
    return find(
        connection,
        id,
        () ->
            new AttemptPage(
                AttemptReads.latest(connection, id, limit).reversed(),
                null,
                AttemptReads.goneBefore(connection, id)));
  }

  private static @Nullable JobHistory find(Connection connection, UUID id, Attempts some)
      throws SQLException {
    Statements.run(connection, ONE_MOMENT, _ -> {});
    JobView job = OneJob.find(connection, id);
    if (job == null) {
      return null;
    }
    Moment moment =
        Statements.one(
            connection,
            WHEN_AND_WHERE,
            _ -> {},
            row -> new Moment(Rows.instant(row, "at"), row.getObject("origin", UUID.class)));
    return new JobHistory(
        moment.at(),
        moment.origin(),
        job,
        some.read(),
        AuditReads.list(connection, AuditFilter.of("job", id.toString(), null), MOST_ENTRIES),
        erasedAt(connection, id));
  }

  private static AttemptPage attempts(
      Connection connection, UUID id, AttemptPage.@Nullable Position after) throws SQLException {
    List<AttemptView> attempts = new ArrayList<>();
    AttemptPage read = AttemptReads.page(connection, id, after, MOST_ATTEMPTS);
    attempts.addAll(read.attempts());
    for (int page = 1; page < MOST_PAGES; page++) {
      if (read.next() == null || attempts.size() == MOST_ATTEMPTS) {
        break;
      }
      read = AttemptReads.page(connection, id, read.next(), MOST_ATTEMPTS - attempts.size());
      attempts.addAll(read.attempts());
    }
    return new AttemptPage(attempts, read.next(), read.goneBefore());
  }

  private static @Nullable Instant erasedAt(Connection connection, UUID id) throws SQLException {
    List<AuditEntry> erasures =
        AuditReads.list(connection, AuditFilter.of("job.erase", id.toString(), null), 1).entries();
    return erasures.isEmpty() ? null : erasures.getFirst().at();
  }
}
