package dev.ebb.api.problem;

/** JSON Pointers (RFC 6901). */
public final class Pointers {
  private static final String LABELS = "labels.";

  private Pointers() {}

  /** The pointer to a member of the value at {@code parent}. */
  public static String child(String parent, String name) {
    return parent + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  /** The pointer to a field as {@code core} names it: {@code policy.delays[2]}. */
  public static String of(String field) {
    if (field.startsWith(LABELS)) {
      // A label's own name may hold dots.
      return child("/labels", field.substring(LABELS.length()));
    }
    return "/" + field.replace("[", ".").replace("]", "").replace('.', '/');
  }
}
