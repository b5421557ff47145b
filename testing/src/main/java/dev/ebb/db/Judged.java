package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Judges what only a machine that keeps up can show, such as a rate or a time of recovery. A run
 * that missed it while the machine stalled is repeated; what could not be judged in three runs is
 * written to {@code target/unjudged.txt}, which {@code .ci/run} counts and prints.
 *
 * <p>What has to hold on any machine must be asserted within the run: it fails the test at once.
 */
public final class Judged {
  private static final int RUNS = 3;
  private static final Path UNJUDGED = Path.of("target", "unjudged.txt");

  private Judged() {}

  /** A run of the scenario. */
  @FunctionalInterface
  public interface Run {
    /**
     * Runs it once, and throws if it breaks a rule that holds on any machine.
     *
     * @param number from 0
     * @return what it missed that a machine which keeps up would have reached; empty if nothing
     */
    Optional<AssertionError> missed(int number) throws Exception;
  }

  /** Something that may be missed. */
  @FunctionalInterface
  public interface Check {
    void run() throws Exception;
  }

  /**
   * Runs the scenario until it misses nothing.
   *
   * @param what is judged, for people
   * @param database whose commits are timed
   */
  public static void holds(String what, DatabaseConfig database, Run run) throws Exception {
    for (int number = 0; number < RUNS; number++) {
      StallMeter meter = StallMeter.start(database);
      Optional<AssertionError> missed;
      try (meter) {
        missed = run.missed(number);
      }
      if (isJudged(what, missed, meter.stalls())) {
        return;
      }
    }
    leaveUnjudged(what);
  }

  /** Whether the run missed nothing; throws what it missed unless the machine stalled. */
  static boolean isJudged(String what, Optional<AssertionError> missed, StallMeter.Stalls stalls) {
    if (missed.isEmpty()) {
      return true;
    }
    System.out.printf("%s: missed: %s; %s%n", what, missed.get().getMessage(), stalls);
    if (!stalls.areLong()) {
      throw missed.get();
    }
    return false;
  }

  /**
   * Judges that a call ends in time: one that does not, while the machine stalls, is made again.
   *
   * @param what is judged, for people
   * @param database whose commits are timed
   * @return what the last call answered
   */
  public static <T> T within(
      Duration atMost, String what, DatabaseConfig database, Callable<T> call) throws Exception {
    List<T> answers = new ArrayList<>();
    holds(
        what,
        database,
        _ -> {
          long start = System.nanoTime();
          answers.add(call.call());
          Duration took = Duration.ofNanos(System.nanoTime() - start);
          return missed(() -> assertThat(took).as(what).isLessThan(atMost));
        });
    return answers.getLast();
  }

  /** The error of a check that was missed. */
  public static Optional<AssertionError> missed(Check check) throws Exception {
    try {
      check.run();
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(e);
    }
  }

  private static void leaveUnjudged(String what) throws IOException {
    System.out.printf("UNJUDGED: %s: the machine stalled in each of %s runs%n", what, RUNS);
    Files.createDirectories(UNJUDGED.getParent());
    Files.writeString(UNJUDGED, what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
