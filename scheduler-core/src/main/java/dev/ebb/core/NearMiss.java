package dev.ebb.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a mistyped one most likely stands for. */
public final class NearMiss {
  /** A longer word is no slip of the keys, and comparing it would take long. */
  private static final int LONGEST = 40;

  private NearMiss() {}

  /**
   * The known word that is fewest edits away, whatever the case of its letters: at most a third of
   * the word's letters, rounded up.
   */
  public static Optional<String> of(String word, Collection<String> known) {
    if (word.length() > LONGEST) {
      return Optional.empty();
    }
    String meant = lower(word);
    return known.stream()
        .filter(candidate -> edits(meant, lower(candidate)) <= (word.length() + 2) / 3)
        .min(Comparator.comparingInt(candidate -> edits(meant, lower(candidate))));
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  /** The same as the end of a sentence: empty, or {@code " Did you mean X?"}. */
  public static String question(String word, Collection<String> known) {
    return of(word, known).map(near -> " Did you mean " + near + "?").orElse("");
  }

  /** Levenshtein's distance, by Wagner and Fischer's table of which two rows are kept. */
  static int edits(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(substituted, 1 + Math.min(row[j - 1], above[j]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
