package dev.ebb.client;

import dev.ebb.contract.Lease;
import dev.ebb.contract.LeasedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a leased job. Whoever stops it says why, and the first reason stays; it tells one
 * outcome, and none once its lease is lost.
 */
final class Attempt<T> implements Run<T> {
  private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(1);
  private static final String UNREADABLE = "unreadable_payload";

  private final String lease;
  private final String queue;
  private final LeasedJob job;
  private final Supplier<@Nullable T> decoded;
  private final Handler<T> handler;
  private final long began = System.nanoTime();
  private final AtomicBoolean told = new AtomicBoolean();
  private @Nullable Thread thread;
  private @Nullable Stop stop;
  private @Nullable T args;
  private volatile @Nullable String progress;
  private volatile @Nullable String heard;
  private volatile long heardAt = began;

  Attempt(Lease lease, LeasedJob job, Supplier<@Nullable T> decoded, Handler<T> handler) {
    this.lease = lease.lease();
    this.queue = lease.queue();
    this.job = job;
    this.decoded = decoded;
    this.handler = handler;
  }

  String lease() {
    return lease;
  }

  String job() {
    return job.id();
  }

  Duration timeout() {
    Duration own = job.timeout();
    return own == null ? USUAL_TIMEOUT : own;
  }

  /** Runs the handler on this thread, and answers what is to be told. */
  Outcome perform() {
    if (!begin()) {
      return ended(new InterruptedException());
    }
    try {
      args = decoded.get();
    } catch (Throwable unreadable) {
      end();
      return unreadable(unreadable);
    }
    if (args == null) {
      end();
      return Outcome.fatal(UNREADABLE, "the payload is null");
    }
    try {
      return Objects.requireNonNull(handler.run(this), "a handler answered null");
    } catch (Throwable thrown) {
      return ended(thrown);
    } finally {
      end();
    }
  }

  /** Another process may read it, such as one of the version that submitted it. */
  private Outcome unreadable(Throwable why) {
    return mustStop() || !(why instanceof RuntimeException)
        ? ended(why)
        : Outcome.failed(UNREADABLE, String.valueOf(Outcome.words(why)));
  }

  private synchronized boolean begin() {
    thread = Thread.currentThread();
    return stop == null;
  }

  /** An interrupt that came late must not meet the thread's next job. */
  private synchronized void end() {
    thread = null;
    Thread.interrupted();
  }

  private synchronized Outcome ended(Throwable thrown) {
    if (stop == Stop.CANCELLED) {
      return Outcome.cancelled();
    }
    if (stop == Stop.TIMEOUT) {
      return Outcome.failed("timeout", "it took longer than " + timeout());
    }
    return stop == Stop.CLOSING ? Outcome.givenBack() : Outcome.failed(thrown);
  }

  /** Has it end, unless it was stopped before; loses its right to tell if the lease is lost. */
  synchronized void stop(Stop why) {
    if (why == Stop.LOST) {
      told.set(true);
    }
    if (stop == null) {
      stop = why;
      if (thread != null) {
        thread.interrupt();
      }
    }
  }

  /** Whether its outcome has still to be told; true once. */
  boolean tells() {
    return told.compareAndSet(false, true);
  }

  /** How far it is, as JSON text, unless the server has heard it; {@code null} for nothing new. */
  @Nullable String unheard() {
    String latest = progress;
    return Objects.equals(latest, heard) ? null : latest;
  }

  /** The server need not hear this again. */
  void heard(String told) {
    heard = told;
    heardAt = System.nanoTime();
  }

  long heardAt() {
    return heardAt;
  }

  Duration took() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Override
  public synchronized boolean mustStop() {
    return stop != null;
  }

  @Override
  public synchronized boolean isCancelled() {
    return stop == Stop.CANCELLED;
  }

  @Override
  public synchronized Optional<Stop> why() {
    return Optional.ofNullable(stop);
  }

  @Override
  public void progress(int percent, String message) {
    progress =
        new JsonWriter()
            .put("percent", Math.max(0, Math.min(100, percent)))
            .put("message", Text.storable(message))
            .end();
  }

  @Override
  public T args() {
    return Objects.requireNonNull(args);
  }

  @Override
  public UUID id() {
    return UUID.fromString(job.id());
  }

  @Override
  public String kind() {
    return job.kind();
  }

  @Override
  public String queue() {
    return queue;
  }

  @Override
  public int attempt() {
    return job.attempt();
  }

  @Override
  public int maxAttempts() {
    return job.maxAttempts();
  }

  @Override
  public Map<String, String> labels() {
    return job.labels();
  }

  @Override
  public Optional<String> traceparent() {
    return Optional.ofNullable(job.traceparent());
  }

  @Override
  public Instant runAt() {
    return job.runAt();
  }

  @Override
  public Instant createdAt() {
    return job.createdAt();
  }
}
