package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** What is claimed of a queue with a limit, by the database's clock, beside what its curve says. */
public final class Grants {
  private static final String NOTE =
      """
      create table public.granted (at timestamptz, permits int);
      create function public.note_grant() returns trigger language plpgsql as $$
        begin
          insert into public.granted values (clock_timestamp(), cardinality(new.job_ids));
          return null;
        end
      $$;
      create trigger note_grant after insert on ebb.lease
      for each row
      """;

  private static final String GRANTED =
      """
      select at, permits from public.granted order by at
      """;

  private final DatabaseConfig config;
  private final RateLimit limit;

  /**
   * One claim.
   *
   * @param permits the jobs that it got
   */
  public record Granted(Instant at, int permits) {}

  private Grants(DatabaseConfig config, RateLimit limit) {
    this.config = config;
    this.limit = limit;
  }

  /** Notes what is claimed of a queue from now on. */
  public static Grants noted(DatabaseConfig config, String queue, RateLimit limit)
      throws SQLException {
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement()) {
      statement.execute(
          NOTE + "when (new.queue = '" + queue + "') execute function public.note_grant()");
    }
    return new Grants(config, limit);
  }

  /** The permits of a burst window, and the one that is due at once. */
  public static double burst(RateLimit limit) {
    return 1 + limit.permitsPerSecond() * WarmUpLimiter.BURST_MILLIS / 1_000.0;
  }

  /** What was claimed so far. */
  public List<Granted> soFar() throws SQLException {
    List<Granted> granted = new ArrayList<>();
    try (Connection connection = TestPostgres.connect(config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(GRANTED)) {
      while (row.next()) {
        Instant at = row.getObject("at", OffsetDateTime.class).toInstant();
        granted.add(new Granted(at, row.getInt("permits")));
      }
    }
    return granted;
  }

  /**
   * The sum of what was claimed is never more than the curve from cold by 2 % and a burst.
   *
   * @return the sum
   */
  public double assertNotAbove() throws SQLException {
    List<Granted> granted = soFar();
    WarmUpLimiter limiter = new WarmUpLimiter(limit);
    double sum = 0;
    for (Granted grant : granted) {
      sum += grant.permits();
      Duration at = Duration.between(granted.getFirst().at(), grant.at());
      assertThat(sum)
          .as("jobs claimed until %s", at)
          .isLessThan(1.02 * limiter.permitsFromCold(at) + burst(limit));
    }
    assertThat(sum).isPositive();
    return sum;
  }
}
