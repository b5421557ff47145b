package dev.ebb.api.http;

import dev.ebb.core.NearMiss;
import java.util.List;

/** Says of an unknown name which known one it comes near. */
final class Names {
  private Names() {}

  static String unknown(String name, String... known) {
    return NearMiss.of(name, List.of(known))
        .map(near -> "is unknown; did you mean " + near + "?")
        .orElseGet(() ->
            known.length == 0
                ? "is unknown; nothing is allowed here"
                : "is unknown; allowed are " + String.join(", ", known));
  }
}
