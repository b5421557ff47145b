package dev.ebb.db.start;

import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.loop.Loop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

/** Knows, to within two seconds, whether the cluster's start is paused. */
public final class StartWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final String GAUGE = "ebb.start.paused";

  private final PausedStart start;
  private final Consumer<StartState> onNews;
  private final Loop loop;
  private volatile boolean isKnown;
  private volatile boolean isPaused = true;

  /**
   * A watch that has not begun.
   *
   * @param name of its loop
   * @param onNews told of the first state that is read, and of each that differs
   */
  public StartWatch(
      String name,
      Database database,
      MeterRegistry registry,
      FailureLog failureLog,
      Consumer<StartState> onNews) {
    this.start = new PausedStart(database);
    this.onNews = onNews;
    this.loop = new Loop(name, failureLog, this::step);
    // The parts of a process have a watch each.
    if (registry.find(GAUGE).gauge() == null) {
      Gauge.builder(GAUGE, this, StartWatch::gauge)
          .description("1 while nothing runs because the start is paused, else 0.")
          .register(registry);
    }
  }

  private double gauge() {
    return !isKnown ? Double.NaN : isPaused ? 1 : 0;
  }

  /** Begins to look. */
  public void start() {
    loop.start();
  }

  /** Has it look now, because somebody paused or resumed the start. */
  public void wake() {
    loop.wake();
  }

  /** Whether nothing may run: the start is paused, or nobody knows yet. */
  public boolean isPaused() {
    return isPaused;
  }

  /** Whether people are to resume the start. */
  public boolean isKnownToBePaused() {
    return isKnown && isPaused;
  }

  /** A step that is left out while nothing may run. */
  public Loop.Step unlessPaused(Loop.Step step) {
    return () -> isPaused ? EVERY : step.run();
  }

  private Duration step() throws SQLException {
    look();
    return EVERY;
  }

  /** Looks now. */
  public synchronized void look() throws SQLException {
    StartState state = start.read();
    boolean isNews = !isKnown || state.isPaused() != isPaused;
    isPaused = state.isPaused();
    isKnown = true;
    if (isNews) {
      onNews.accept(state);
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
