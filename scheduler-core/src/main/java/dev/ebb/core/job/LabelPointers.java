package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.require;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What jobs take from their payloads as labels when they are submitted: JSON Pointers (RFC 6901) by
 * the labels' names. Queues and kinds have some.
 */
public final class LabelPointers {
  private static final String FIELD = "labelsFrom";
  private static final Pattern POINTER = Pattern.compile("(/([^~/\\p{Cntrl}]|~[01])*){1,20}");
  private static final int MAX_POINTER = 200;

  private LabelPointers() {}

  /** The same by name; throws {@link dev.ebb.core.InvalidInput} where one breaks a rule. */
  public static Map<String, String> checked(Map<String, String> labelsFrom) {
    require(
        labelsFrom.size() <= NewJob.MAX_LABELS,
        FIELD,
        "must be at most " + NewJob.MAX_LABELS + " labels");
    labelsFrom.forEach((name, pointer) -> {
      NewJob.requireLabel(name, FIELD);
      require(
          pointer.length() <= MAX_POINTER && POINTER.matcher(pointer).matches(),
          FIELD + "." + name,
          "must be a JSON Pointer such as /body/order, of at most " + MAX_POINTER + " characters");
    });
    return Collections.unmodifiableMap(new TreeMap<>(labelsFrom));
  }
}
