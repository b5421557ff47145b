package dev.ebb.ui.page.operations;

import dev.ebb.contract.JobCount;
import dev.ebb.core.UuidText;
import dev.ebb.ui.words.Words;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The way from a search to all jobs that it finds, in words. */
public final class Bulk {
  private static final Pattern GROUP =
      Pattern.compile("(?:^|\\s)group:(" + UuidText.REGEX + ")(?!\\S)");

  private Bulk() {}

  /** The group of dead letters that the search names; {@code null} for none. */
  public static @Nullable String group(@Nullable String q) {
    Matcher group = GROUP.matcher(q == null ? "" : q);
    return group.find() ? group.group(1) : null;
  }

  /** What else narrows a search that names such a group; {@code null} if nothing does. */
  static @Nullable String besides(String q) {
    String rest = GROUP.matcher(q).replaceFirst(" ").strip();
    return rest.isEmpty() ? null : rest;
  }

  /**
   * What the way is called.
   *
   * @param count {@code null} while nobody has counted them
   */
  public static String words(@Nullable JobCount count) {
    if (count == null || count.count() == 0) {
      return "Act on all matching jobs…";
    }
    return count.count() == 1
        ? "Act on the matching job…"
        : "Act on all " + Words.number(count.count(), count.exact()) + " matching jobs…";
  }
}
