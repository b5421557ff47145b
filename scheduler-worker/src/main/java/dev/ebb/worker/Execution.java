package dev.ebb.worker;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.claim.ClaimedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** One attempt while it runs: what its handler knows of it, and the one way to end it early. */
final class Execution implements JobContext {

  private static final int MAX_DETAIL = 64 * 1024;
  private static final String TOO_LONG =
      "{\"omitted\":\"the record was longer than 65536 characters\"}";

  /** Why an attempt is told to end before its handler returned. */
  enum End {
    TIMEOUT,
    CANCELLED,
    LEASE_LOST,
    SHUTDOWN
  }

  private final ClaimedJob claimed;
  private final Instant claimedAt;
  private final long claimedNanos;
  private final Duration timeout;
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile long startedNanos;
  private volatile @Nullable Thread thread;
  private volatile @Nullable End end;
  private volatile long endNanos;
  private volatile @Nullable String detail;
  private final AttemptSpan span = new AttemptSpan();
  private final AtomicReference<@Nullable String> progress = new AtomicReference<>();

  /**
   * @param claimedAt the database's clock at the claim
   * @param claimedNanos this node's monotonic clock at the claim
   */
  Execution(ClaimedJob claimed, Instant claimedAt, long claimedNanos, Duration timeout) {
    this.claimed = claimed;
    this.claimedAt = claimedAt;
    this.claimedNanos = claimedNanos;
    this.timeout = timeout;
    this.startedNanos = claimedNanos;
  }

  /** Runs the handler on this thread, unless it is too late, and answers the outcome. */
  Outcome run(Handler handler) {
    startedNanos = System.nanoTime();
    thread = Thread.currentThread();
    if (end != null) {
      Thread.currentThread().interrupt();
    }
    try {
      Optional<Outcome> tooLate = Settlement.tooLate(job(), databaseNow());
      return tooLate.isPresent() ? tooLate.get() : uninvited(complete(handler.run(this)));
    } catch (Throwable thrown) {
      return outcomeOf(thrown);
    } finally {
      release();
    }
  }

  /**
   * If the attempt was told to end, the reason is the outcome; otherwise the exception is a
   * failure.
   */
  private Outcome outcomeOf(Throwable thrown) {
    End told = end;
    return told == null ? new Outcome.Failed(failure(thrown)) : outcomeOf(told);
  }

  /** An outcome whose parts are null could not be settled. */
  private static Outcome complete(@Nullable Outcome outcome) {
    switch (requireNonNull(outcome, "the handler returned null")) {
      case Outcome.Failed failed -> requireNonNull(failed.failure(), "failed without a failure");
      case Outcome.Fatal fatal -> requireNonNull(fatal.failure(), "fatal without a failure");
      case Outcome.Throttled throttled ->
          requireNonNull(throttled.failure(), "throttled without a failure");
      case Outcome.Completed _, Outcome.NotReady _, Outcome.Cancelled _, Outcome.GivenBack _ -> {}
    }
    return outcome;
  }

  /** Only a shutdown gives a job back at no cost: a handler could do so for ever. */
  private static Outcome uninvited(Outcome outcome) {
    return outcome instanceof Outcome.GivenBack
        ? new Outcome.NotReady(Settlement.MIN_SNOOZE)
        : outcome;
  }

  /** An exception whose message cannot be read must not leave its job unsettled. */
  private static Failure failure(Throwable thrown) {
    try {
      return Failure.of(thrown);
    } catch (RuntimeException e) {
      return new Failure(Failure.EXCEPTION, thrown.getClass().getName());
    }
  }

  /** The outcome of an attempt that was told to end, and did not end well. */
  Outcome outcomeOf(End told) {
    return switch (told) {
      case TIMEOUT ->
          Outcome.failed(
              Failure.TIMEOUT, "ran longer than its timeout of " + Failure.seconds(timeout));
      case CANCELLED -> new Outcome.Cancelled();
      // As a rescue would settle it: a job that stalls its node until the lease is gone uses up its
      // attempts, too.
      case LEASE_LOST ->
          Outcome.failed(Failure.WORKER_LOST, "worker lost: the lease expired while it ran");
      case SHUTDOWN -> new Outcome.GivenBack();
    };
  }

  AttemptSpan span() {
    return span;
  }

  private synchronized void release() {
    thread = null;
  }

  /** Interrupts the handler, once; the first reason counts. */
  synchronized void end(End reason) {
    if (end != null) {
      return;
    }
    end = reason;
    endNanos = System.nanoTime();
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  /** Why it was told to end; {@code null} if it was not. */
  @Nullable End end() {
    return end;
  }

  /** Whether it was told to end so long ago that its handler seems to ignore it. */
  boolean ignoresItsEnd(long nowNanos, Duration patience) {
    return end != null && nowNanos - endNanos > patience.toNanos();
  }

  /** Whether its time ran out. */
  boolean isOverdue(long nowNanos) {
    return nowNanos - startedNanos > timeout.toNanos();
  }

  /** Takes the right to settle it; true for the first caller. */
  boolean takeSettlement() {
    return settled.compareAndSet(false, true);
  }

  /** Gives that right back. */
  void returnSettlement() {
    settled.set(false);
  }

  ClaimedJob claimed() {
    return claimed;
  }

  long startedNanos() {
    return startedNanos;
  }

  Duration sinceStart() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  /** The database's clock, by this node's monotonic clock since the claim was sent; not behind. */
  Instant databaseNow() {
    return claimedAt.plusNanos(System.nanoTime() - claimedNanos);
  }

  @Nullable String detail() {
    return detail;
  }

  /** What was reported since the last call, as JSON text. */
  @Nullable String takeProgress() {
    return progress.getAndSet(null);
  }

  @Override
  public Job job() {
    return claimed.job();
  }

  @Override
  public @Nullable String traceparent() {
    return claimed.traceparent();
  }

  @Override
  public long fencingToken() {
    return claimed.fencingToken();
  }

  @Override
  public Duration remaining() {
    Duration left = timeout.minus(sinceStart());
    return left.isNegative() || end != null ? Duration.ZERO : left;
  }

  @Override
  public boolean isCancelled() {
    return end != null;
  }

  @Override
  public void progress(int percent, String message) {
    progress.set(
        JsonNodeFactory.instance
            .objectNode()
            .put("percent", Math.clamp(percent, 0, 100))
            .put("message", new Failure("progress", message).message())
            .toString());
  }

  @Override
  public void record(String json) {
    detail = json.length() <= MAX_DETAIL ? json : TOO_LONG;
  }
}
