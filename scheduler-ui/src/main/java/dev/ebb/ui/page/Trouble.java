package dev.ebb.ui.page;

/**
 * Something that is wrong now.
 *
 * @param level {@code bad} if jobs do not run because of it, {@code warn} otherwise
 * @param sentence what it is
 * @param advice what to do about it
 * @param link to where that can be done, named by {@code linkText}
 */
public record Trouble(String level, String sentence, String advice, String link, String linkText) {
  static Trouble bad(String sentence, String advice, String link, String linkText) {
    return new Trouble("bad", sentence, advice, link, linkText);
  }

  static Trouble warn(String sentence, String advice, String link, String linkText) {
    return new Trouble("warn", sentence, advice, link, linkText);
  }

  boolean isBad() {
    return level.equals("bad");
  }
}
