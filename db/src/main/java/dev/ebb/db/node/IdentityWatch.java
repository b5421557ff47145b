package dev.ebb.db.node;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Identity;
import dev.ebb.db.connection.Stranger;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds which of the URL's servers has the database: a standby may be promoted
 * while the old primary goes on.
 */
public final class IdentityWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Database database;
  private final Loop loop;
  private List<Stranger> told = List.of();
  private int timeline;

  /** A watch that has not begun. */
  public IdentityWatch(Database database, MeterRegistry registry, FailureLog failureLog) {
    this.database = database;
    this.loop = new Loop("identity", failureLog, this::step);
    Gauge.builder("ebb.database.timeline", database, IdentityWatch::timeline)
        .description("The timeline of the database: one more after each promotion of a standby.")
        .register(registry);
    Gauge.builder("ebb.database.strangers", database, known -> known.strangers().size())
        .description("Servers that take writes but are not the database: stop them.")
        .register(registry);
  }

  private static double timeline(Database database) {
    Identity known = database.identity();
    return known == null ? Double.NaN : known.timeline();
  }

  /** Begins to look. */
  public void start() {
    loop.start();
  }

  private Duration step() throws SQLException {
    try {
      database.look();
    } finally {
      tell(database.strangers());
    }
    tellTimeline();
    return EVERY;
  }

  private void tell(List<Stranger> strangers) {
    if (!strangers.equals(told)) {
      told = strangers;
      strangers.forEach(one ->
          LOG.error(
              "the server at {} takes writes and is not used, because {}: stop it",
              one.address(),
              one.why()));
    }
  }

  private void tellTimeline() {
    Identity known = database.identity();
    if (known != null && known.timeline() != timeline) {
      if (timeline != 0) {
        LOG.warn("the database is on timeline {} now: a standby was promoted", known.timeline());
      }
      timeline = known.timeline();
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
