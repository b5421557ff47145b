package dev.ebb.client;

/**
 * Runs a job of a kind. It may run more than once for a job, and on several threads at a time.
 *
 * @param <T> the kind's arguments
 */
@FunctionalInterface
public interface Handler<T> {
  /**
   * Makes an attempt. Whatever it throws is a failed attempt with the reason {@code exception}. Its
   * thread is interrupted when it has to end early; {@link Run#mustStop} tells so, too.
   *
   * @param run the attempt
   * @return what the attempt came to
   * @throws Exception for a failed attempt
   */
  Outcome run(Run<T> run) throws Exception;
}
