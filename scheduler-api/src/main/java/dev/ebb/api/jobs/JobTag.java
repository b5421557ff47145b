package dev.ebb.api.jobs;

import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Conditions;

/**
 * The strong entity tag of a job as one caller sees it: the version of its row, and a digest of the
 * answer.
 *
 * <p>To know the answer is to know all of it: what time alone changes, as when the job comes due,
 * and what a payload's mask hides. To mean the job is to name its version: nobody changed it since,
 * although time may have.
 */
public final class JobTag {
  private JobTag() {}

  /** The tag of a job at this version, whose answer has these bytes. */
  public static String of(int version, byte[] answer) {
    return '"' + version(version) + Answer.digest(answer) + '"';
  }

  /** Whether {@code If-Match} names the job at this version. */
  static boolean isMeant(Conditions conditions, int version) {
    return conditions.isMeant(version(version));
  }

  private static String version(int version) {
    return version + ".";
  }
}
