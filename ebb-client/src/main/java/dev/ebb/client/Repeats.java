package dev.ebb.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Sends a request until it is answered, for a bounded time. */
final class Repeats {
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
    long end = System.nanoTime() + patience.toNanos();
    Backoff backoff = new Backoff();
    while (true) {
      EbbException failure;
      Duration asked = Duration.ZERO;
      try {
        Answer answer = transport.post(path, body, once, headers);
        if (answer.isGood()) {
          return answer.read(reader);
        }
        EbbProblem problem = answer.refusal();
        asked = problem.retryAfter();
        failure = problem;
      } catch (IOException lost) {
        failure = unreachable(lost);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
      await(failure, backoff.next(asked), end);
    }
  }

  private static void await(EbbException failure, Duration pause, long end) {
    if (!failure.isRetryable() || System.nanoTime() + pause.toNanos() > end) {
      throw failure;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      failure.addSuppressed(interrupted(e));
      throw failure;
    }
  }

  private static EbbUnreachable unreachable(IOException lost) {
    return new EbbUnreachable("no usable answer from the server: " + lost, lost);
  }

  private static EbbUnreachable interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new EbbUnreachable("interrupted while it waited for an answer", e);
  }
}
