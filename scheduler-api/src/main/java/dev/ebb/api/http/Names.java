package dev.ebb.api.http;

import java.util.Locale;
import java.util.stream.Stream;

/** Says of an unknown name which known one it comes near. */
final class Names {
  private static final int NEAR = 2;
  private static final int LONGEST = 40;

  private Names() {}

  static String unknown(String name, String... known) {
    return Stream.of(known)
        .filter(candidate -> isNear(name, candidate))
        .findFirst()
        .map(near -> "is unknown; did you mean " + near + "?")
        .orElseGet(() ->
            known.length == 0
                ? "is unknown; nothing is allowed here"
                : "is unknown; allowed are " + String.join(", ", known));
  }

  private static boolean isNear(String name, String candidate) {
    return name.length() <= LONGEST
        && distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT)) <= NEAR
        && candidate.length() > NEAR;
  }

  /** Levenshtein's distance: the fewest characters to insert, delete or replace. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
