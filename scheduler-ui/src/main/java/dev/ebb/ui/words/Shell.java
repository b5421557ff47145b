package dev.ebb.ui.words;

/** Writes words of a command that people paste into a POSIX shell. */
public final class Shell {
  private Shell() {}

  /** The text as one word, in which nothing means anything to the shell. */
  public static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
