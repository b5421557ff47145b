package dev.ebb.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Sends a request until it is answered, for a bounded time. */
final class Repeats {
  /** The header under which the server stores a request once. */
  static final String KEY = "Idempotency-Key";

  private final Transport transport;
  private final Patience once;
  private final Duration patience;

  /**
   * @param timeout of one request
   * @param patience of all repeats
   */
  Repeats(Transport transport, Duration timeout, Duration patience) {
    this.transport = transport;
    this.once = Patience.of(timeout);
    this.patience = patience;
  }

  /** What the good answer says; an {@link EbbException} if none came. */
  <T> T post(String path, String body, Map<String, String> headers, Function<Json, T> reader) {
    Tries tries = new Tries(String.valueOf(headers.get(KEY)));
    // A key is one of its token: with another, a repeat would be a second job.
    Transport sending = transport.withOneToken();
    while (true) {
      try {
        Answer answer = sending.post(path, body, once, headers);
        if (answer.isGood()) {
          return answer.read(reader);
        }
        tries.refused(answer.refusal());
      } catch (IOException lost) {
        tries.lost(lost);
      } catch (InterruptedException e) {
        throw tries.interrupted(e);
      }
    }
  }

  /** What the tries at one request have come to. */
  private final class Tries {
    private final String key;
    private final long end = System.nanoTime() + patience.toNanos();
    private final Backoff backoff = new Backoff();
    private boolean mayBeStored;

    Tries(String key) {
      this.key = key;
    }

    /** Waits until the next; throws if there is to be none. */
    void refused(EbbProblem problem) {
      mayBeStored |= problem.leavesItOpen();
      boolean isOpen = mayBeStored && !problem.showsNothingWasStored();
      EbbException failure =
          isOpen ? unreachable("the last answer was " + problem.getMessage(), problem) : problem;
      await(failure, problem.isRetryable(), backoff.next(problem.retryAfter()));
    }

    void lost(IOException lost) {
      mayBeStored = true;
      EbbException failure = unreachable("no usable answer from the server: " + lost, lost);
      await(failure, true, backoff.next(Duration.ZERO));
    }

    private void await(EbbException failure, boolean isRetryable, Duration pause) {
      if (!isRetryable || System.nanoTime() + pause.toNanos() > end) {
        throw failure;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure.addSuppressed(e);
        throw failure;
      }
    }

    EbbUnreachable interrupted(InterruptedException e) {
      Thread.currentThread().interrupt();
      return unreachable("interrupted while it waited for an answer", e);
    }

    private EbbUnreachable unreachable(String why, Exception cause) {
      return new EbbUnreachable("the job may be stored or not: " + why, key, cause);
    }
  }
}
