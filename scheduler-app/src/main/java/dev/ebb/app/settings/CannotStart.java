package dev.ebb.app.settings;

import java.io.Serial;

/** Why the program does not start: sentences for the person who called it, and no stack trace. */
public final class CannotStart extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** The exit code where the caller's words or settings are wrong. */
  public static final int WRONG_USE = 2;

  /** The exit code where the surroundings are: a port, a database, a file. */
  public static final int UNABLE = 1;

  private final int exitCode;

  private CannotStart(String sentence, int exitCode) {
    super(sentence);
    this.exitCode = exitCode;
  }

  /** The command or a setting is wrong. */
  public static CannotStart wrongUse(String sentence) {
    return new CannotStart(sentence, WRONG_USE);
  }

  /** The surroundings do not allow it; the sentence says how to mend that. */
  public static CannotStart unable(String sentence) {
    return new CannotStart(sentence, UNABLE);
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }

  public int exitCode() {
    return exitCode;
  }
}
