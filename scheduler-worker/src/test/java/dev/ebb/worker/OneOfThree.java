package dev.ebb.worker;

import java.util.Optional;

/** What a machine that stalls can spoil: it has to hold in one of three runs. */
final class OneOfThree {
  private static final int RUNS = 3;

  private OneOfThree() {}

  /** A run, which throws what has to hold in each of them. */
  @FunctionalInterface
  interface Run {
    /**
     * Runs.
     *
     * @param number from 0
     * @return what it missed; empty if nothing
     */
    Optional<AssertionError> missed(int number) throws Exception;
  }

  /** Something that may be missed. */
  @FunctionalInterface
  interface Check {
    void run() throws Exception;
  }

  static void holds(Run run) throws Exception {
    Optional<AssertionError> missed = run.missed(0);
    for (int number = 1; number < RUNS && missed.isPresent(); number++) {
      missed = run.missed(number);
    }
    if (missed.isPresent()) {
      throw missed.get();
    }
  }

  static Optional<AssertionError> missed(Check check) throws Exception {
    try {
      check.run();
      return Optional.empty();
    } catch (AssertionError e) {
      System.out.println("missed: " + e.getMessage());
      return Optional.of(e);
    }
  }
}
