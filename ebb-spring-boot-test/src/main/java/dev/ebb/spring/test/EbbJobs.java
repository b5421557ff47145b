package dev.ebb.spring.test;

import dev.ebb.client.EbbJson;
import dev.ebb.client.Outcome;
import dev.ebb.spring.EbbHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The jobs in the database of a test, and their runs. They are read in the transaction of the
 * thread, if there is one, and run in the thread that asks, without a server.
 *
 * <p>A job that has ended is still listed, is not drained again, and its unique key is free. An
 * attempt of a job that was not ready or was given back does not count.
 */
public final class EbbJobs {
  /** Of one drain: no test has more, but for a handler that has its job follow itself. */
  private static final int MOST_RUNS = 1_000;

  private static final String UNREADABLE = "unreadable_payload";
  private static final Set<String> LAST = Set.of("completed", "fatal", "cancelled");
  private static final Set<String> NOT_COUNTED = Set.of("not_ready", "given_back");

  private final StoredJobs stored;
  private final TestSchema schema;
  private final EbbHandlers handlers;
  private final EbbJson json;

  EbbJobs(DataSource source, EbbHandlers handlers, EbbJson json) {
    this.stored = new StoredJobs(source);
    this.schema = new TestSchema(source);
    this.handlers = handlers;
    this.json = json;
  }

  /**
   * All jobs.
   *
   * @return them in the order of their submits
   */
  public List<SubmittedJob> submitted() {
    return stored.all().stream().map(StoredJobs.Standing::job).toList();
  }

  /**
   * Those of a kind.
   *
   * @param kind as the job names it
   * @return them in the order of their submits
   */
  public List<SubmittedJob> submitted(String kind) {
    return submitted().stream().filter(job -> job.kind().equals(kind)).toList();
  }

  /**
   * The arguments of a job.
   *
   * @param <T> their type
   * @param job which
   * @param type what its handler takes
   * @return them, read from its payload
   */
  @SuppressWarnings("unchecked") // Of a primitive class, they are boxed.
  public <T> T args(SubmittedJob job, Class<T> type) {
    Object args = Objects.requireNonNull(json.decode(job.payload(), type), "the payload is null");
    return (T) args;
  }

  /**
   * Runs a job by its handler, whether it is due or not, and also if it has ended.
   *
   * @param id of the job
   * @return what the handler says
   * @throws Exception that the handler throws
   */
  public Outcome performOne(UUID id) throws Exception {
    schema.requireOwn();
    for (SubmittedJob job : submitted()) {
      if (job.id().equals(id)) {
        return perform(job);
      }
    }
    throw new IllegalArgumentException("no job " + id + " is stored");
  }

  /**
   * Runs the jobs of a queue that are due and have not ended, and those that they submit there,
   * each once, in the order of their submits. A handler that throws keeps none of the others from
   * running.
   *
   * @param queue its name
   * @return what the handlers say, in the order of the runs
   * @throws Exception the first that a handler throws, once all have run; it has the others as
   *     suppressed ones
   * @throws IllegalStateException after 1,000 runs: a handler has its job follow itself
   */
  public List<Outcome> drain(String queue) throws Exception {
    schema.requireOwn();
    List<Outcome> outcomes = new ArrayList<>();
    Set<UUID> run = new HashSet<>();
    Throwable thrown = null;
    for (SubmittedJob job = next(queue, run); job != null; job = nextAfter(thrown, queue, run)) {
      requireEnd(queue, run);
      run.add(job.id());
      try {
        outcomes.add(perform(job));
      } catch (Exception | Error e) {
        thrown = joined(thrown, e);
      }
    }
    if (thrown != null) {
      rethrow(thrown);
    }
    return outcomes;
  }

  /** What a handler threw may have ended the test's transaction, and nothing more is read in it. */
  private @Nullable SubmittedJob nextAfter(
      @Nullable Throwable thrown, String queue, Set<UUID> run) {
    try {
      return next(queue, run);
    } catch (RuntimeException unreadable) {
      if (thrown == null) {
        throw unreadable;
      }
      thrown.addSuppressed(unreadable);
      return null;
    }
  }

  private @Nullable SubmittedJob next(String queue, Set<UUID> run) {
    return stored.all().stream()
        .filter(one -> one.isDue() && !one.hasEnded())
        .map(StoredJobs.Standing::job)
        .filter(job -> job.queue().equals(queue) && !run.contains(job.id()))
        .findFirst()
        .orElse(null);
  }

  private static void requireEnd(String queue, Set<UUID> run) {
    if (run.size() == MOST_RUNS) {
      throw new IllegalStateException(
          "the queue "
              + queue
              + " is not empty after "
              + MOST_RUNS
              + " runs: a handler submits a job that follows itself at once");
    }
  }

  private static Throwable joined(@Nullable Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (!first.equals(next)) {
      first.addSuppressed(next);
    }
    return first;
  }

  private static void rethrow(Throwable thrown) throws Exception {
    if (thrown instanceof Error e) {
      throw e;
    }
    throw (Exception) thrown;
  }

  private Outcome perform(SubmittedJob job) throws Exception {
    Class<?> type = handlers.args(job.kind());
    int attempt = stored.begin(job.id());
    Outcome outcome;
    try {
      outcome = run(job, type, attempt);
    } catch (Exception | Error e) {
      try {
        endIfLast(job, attempt);
      } catch (RuntimeException unwritable) {
        e.addSuppressed(unwritable);
      }
      throw e;
    }
    note(job, attempt, outcome);
    return outcome;
  }

  /** Of what cannot be read the handler does not hear, as at a worker. */
  private <T> Outcome run(SubmittedJob job, Class<T> type, int attempt) throws Exception {
    Object args;
    try {
      args = json.decode(job.payload(), type);
    } catch (RuntimeException unreadable) {
      return Outcome.failed(UNREADABLE, String.valueOf(unreadable.getMessage()));
    }
    return args == null
        ? Outcome.fatal(UNREADABLE, "the payload is null")
        : handlers.run(new Performance<>(type.cast(args), job, attempt));
  }

  private void note(SubmittedJob job, int attempt, Outcome outcome) {
    if (LAST.contains(outcome.word())) {
      stored.end(job.id());
    } else if (NOT_COUNTED.contains(outcome.word())) {
      Optional<Duration> delay = outcome.delay();
      stored.takeBack(job.id(), delay.orElse(Duration.ZERO));
    } else {
      endIfLast(job, attempt);
    }
  }

  /** After its last attempt a job is a dead letter. */
  private void endIfLast(SubmittedJob job, int attempt) {
    if (attempt >= job.maxAttempts()) {
      stored.end(job.id());
    }
  }

  /**
   * Deletes all jobs, and forgets what has run. It is done before each test, unless {@link EbbTest}
   * says otherwise.
   *
   * @throws IllegalStateException if the database is not one of tests
   */
  public void clear() {
    schema.requireOwn();
    stored.clear();
  }
}
