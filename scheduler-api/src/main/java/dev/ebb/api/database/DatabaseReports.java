package dev.ebb.api.database;

import dev.ebb.contract.DatabaseHealth.Claims;
import dev.ebb.core.health.Checkup;
import dev.ebb.core.health.Figure;
import dev.ebb.core.health.Figures;
import dev.ebb.core.health.Finding;
import dev.ebb.db.health.DatabaseHealth;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
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
  private @Nullable KeptReport kept;

  DatabaseReports(DatabaseHealth health, MeterRegistry meters) {
    this.health = health;
    this.meters = meters;
  }

  /** A reading that runs, or has ended; those who come meanwhile share it. */
  private record KeptReport(FutureTask<dev.ebb.contract.DatabaseHealth> task, long sinceNanos) {
    boolean isFresh() {
      boolean failed = task.state() == FutureTask.State.FAILED;
      return !failed && System.nanoTime() - sinceNanos < KEPT_NANOS;
    }
  }

  /** What is known, at most a few seconds old. */
  public dev.ebb.contract.DatabaseHealth latest() throws SQLException {
    FutureTask<dev.ebb.contract.DatabaseHealth> task = current();
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

  private synchronized FutureTask<dev.ebb.contract.DatabaseHealth> current() {
    KeptReport now = kept;
    if (now == null || !now.isFresh()) {
      now = new KeptReport(new FutureTask<>(this::read), System.nanoTime());
      kept = now;
    }
    return now.task();
  }

  private dev.ebb.contract.DatabaseHealth read() throws SQLException {
    Figures database = health.server().and(health.schema());
    Figures process = health.writes().and(claims());
    List<Finding> findings =
        Checkup.of(database.and(process)).stream()
            .sorted(Comparator.comparing(Finding::verdict).reversed())
            .toList();
    Instant asOf = database.orNull(Figure.NOW);
    return DatabaseResource.of(asOf == null ? Instant.now() : asOf, findings, database, process);
  }

  /** Those of this process, where it runs a worker too. */
  private Figures claims() {
    Timer timer = meters.find(Figure.CLAIMS_METER).timer();
    if (timer == null) {
      return Figures.NONE.without(Figure.CLAIMS, "this process runs no worker");
    }
    if (timer.count() == 0) {
      return Figures.NONE.without(Figure.CLAIMS, "this process has claimed nothing yet");
    }
    ValueAtPercentile[] values = timer.takeSnapshot().percentileValues();
    return Figures.NONE.with(
        Figure.CLAIMS,
        new Claims(timer.count(), length(values[0]), length(values[values.length - 1])));
  }

  private static Duration length(ValueAtPercentile value) {
    return Duration.ofNanos(Math.max(0, Math.round(value.value(TimeUnit.NANOSECONDS))));
  }
}
