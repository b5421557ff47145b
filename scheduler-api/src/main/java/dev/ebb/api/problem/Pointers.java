package dev.ebb.api.problem;

import java.util.Map;

/** JSON Pointers (RFC 6901). */
public final class Pointers {
  /** Objects whose members the sender names, and the pointers to them. */
  private static final Map<String, String> OPEN =
      Map.of("labels.", "/labels", "payload.headers.", "/payload/headers");

  private Pointers() {}

  /** The pointer to a member of the value at {@code parent}. */
  public static String child(String parent, String name) {
    return parent + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  /** The pointer to a field as {@code core} names it: {@code policy.delays[2]}. */
  public static String of(String field) {
    for (Map.Entry<String, String> open : OPEN.entrySet()) {
      if (field.startsWith(open.getKey())) {
        // Such a name may hold dots.
        return child(open.getValue(), field.substring(open.getKey().length()));
      }
    }
    return "/" + field.replace("[", ".").replace("]", "").replace('.', '/');
  }
}
