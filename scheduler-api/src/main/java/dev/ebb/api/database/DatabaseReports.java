package dev.ebb.api.database;

import dev.ebb.core.health.Checkup;
import dev.ebb.core.health.ClaimTimes;
import dev.ebb.core.health.Finding;
import dev.ebb.core.health.Part;
import dev.ebb.core.health.SchemaHealth;
import dev.ebb.core.health.ServerHealth;
import dev.ebb.db.health.DatabaseHealth;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads and judges the database, once in a while for all who ask at about the same time. */
public final class DatabaseReports {
  private static final long KEPT_NANOS = Duration.ofSeconds(5).toNanos();

  private final DatabaseHealth health;
  private final MeterRegistry meters;
  private @Nullable Kept kept;

  DatabaseReports(DatabaseHealth health, MeterRegistry meters) {
    this.health = health;
    this.meters = meters;
  }

  /** A reading that runs, or has ended; those who come meanwhile share it. */
  private record Kept(FutureTask<DatabaseReport> task, long sinceNanos) {
    boolean isFresh() {
      boolean failed = task.state() == FutureTask.State.FAILED;
      return !failed && System.nanoTime() - sinceNanos < KEPT_NANOS;
    }
  }

  /** What is known, at most a few seconds old. */
  DatabaseReport latest() throws SQLException {
    FutureTask<DatabaseReport> task = current();
    task.run(); // Does nothing where it runs, or ran.
    try {
      return task.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new IllegalStateException(failure.getCause());
    }
  }

  private synchronized FutureTask<DatabaseReport> current() {
    Kept now = kept;
    if (now == null || !now.isFresh()) {
      now = new Kept(new FutureTask<>(this::read), System.nanoTime());
      kept = now;
    }
    return now.task();
  }

  private DatabaseReport read() throws SQLException {
    ServerHealth server = health.server();
    SchemaHealth schema = health.schema();
    Part<ClaimTimes> claims = claims();
    Instant asOf = server.server().isRead() ? server.server().get().now() : Instant.now();
    List<Finding> findings = new ArrayList<>(Checkup.of(server));
    findings.addAll(Checkup.of(schema, asOf));
    findings.add(Checkup.of(claims));
    findings.add(Checkup.ofStoring(health.storing()));
    findings.sort(Comparator.comparing(Finding::verdict).reversed());
    return new DatabaseReport(asOf, List.copyOf(findings), server, schema, claims);
  }

  /** Those of this process, where it runs a worker too. */
  private Part<ClaimTimes> claims() {
    Timer timer = meters.find(ClaimTimes.METER).timer();
    if (timer == null) {
      return Part.unread("this process runs no worker");
    }
    if (timer.count() == 0) {
      return Part.unread("this process has claimed nothing yet");
    }
    ValueAtPercentile[] values = timer.takeSnapshot().percentileValues();
    return Part.of(
        new ClaimTimes(timer.count(), length(values[0]), length(values[values.length - 1])));
  }

  private static Duration length(ValueAtPercentile value) {
    return Duration.ofNanos(Math.max(0, Math.round(value.value(TimeUnit.NANOSECONDS))));
  }
}
