package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.JsonPointer;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What jobs take from their payloads as labels when they are submitted: JSON Pointers (RFC 6901) by
 * the labels' names. Queues and kinds have some.
 */
public final class LabelPointers {
  private static final String FIELD = "labelsFrom";

  private LabelPointers() {}

  /** The same by name; throws {@link dev.ebb.core.InvalidInput} where one breaks a rule. */
  public static Map<String, String> checked(Map<String, String> labelsFrom) {
    require(
        labelsFrom.size() <= NewJob.MAX_LABELS,
        FIELD,
        "must be at most " + NewJob.MAX_LABELS + " labels");
    labelsFrom.forEach((name, pointer) -> {
      NewJob.requireLabel(name, FIELD);
      JsonPointer.require(pointer, FIELD + "." + name);
    });
    return Collections.unmodifiableMap(new TreeMap<>(labelsFrom));
  }
}
