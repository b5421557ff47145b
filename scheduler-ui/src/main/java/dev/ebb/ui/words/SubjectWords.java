package dev.ebb.ui.words;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What people call the subjects of jobs, by the label that they chose for them. */
public final class SubjectWords {
  private SubjectWords() {}

  /** One of them: {@code merchant}, {@code shop id}; without a label it is a destination. */
  public static String one(@Nullable String label) {
    if (label == null) {
      return "destination";
    }
    String words = label.replaceAll("(?<=[a-z0-9])(?=[A-Z])|[_./-]+", " ").strip();
    return words.isEmpty() ? label : words.toLowerCase(Locale.ROOT);
  }

  /** The same as a heading: {@code Merchant}. */
  public static String title(@Nullable String label) {
    String one = one(label);
    return one.substring(0, 1).toUpperCase(Locale.ROOT) + one.substring(1);
  }

  /** Several of them as a heading: {@code Merchants}. */
  public static String several(@Nullable String label) {
    String title = title(label);
    if (title.matches(".*[^aeiou]y")) {
      return title.substring(0, title.length() - 1) + "ies";
    }
    return title + (title.matches(".+(s|x|z|ch|sh)") ? "es" : "s");
  }
}
