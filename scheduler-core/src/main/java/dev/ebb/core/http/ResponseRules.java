package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.JsonPointer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What responses to a delivery mean, where that is not the default.
 *
 * @param classes of responses that are no success, at most {@value #MAX_CLASSES}; the first that
 *     fits counts
 * @param result what is kept of the body of a success as the job's result: JSON Pointers (RFC 6901)
 *     by names, at most {@value #MAX_RESULT}
 */
public record ResponseRules(
    SuccessRule success, List<ResponseClass> classes, Map<String, String> result) {
  public static final int MAX_CLASSES = 10;
  public static final int MAX_RESULT = 16;

  /** A value of more characters is not kept: its beginning would look like all of it. */
  public static final int MAX_VALUE = 200;

  private static final String NULL = "null";

  public static final ResponseRules DEFAULT = new ResponseRules(SuccessRule.DEFAULT, List.of());

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,62}");

  public ResponseRules {
    classes = List.copyOf(classes);
    require(classes.size() <= MAX_CLASSES, "classes", "must be at most " + MAX_CLASSES);
    result = Map.copyOf(result);
    require(result.size() <= MAX_RESULT, "result", "must be at most " + MAX_RESULT);
    result.forEach((name, pointer) -> {
      require(
          NAME.matcher(name).matches(),
          "result",
          "must have names of a letter and at most 62 letters, digits, '_', '.' or '-'");
      JsonPointer.require(pointer, "result." + name);
    });
  }

  /** Rules that keep nothing of a body. */
  public ResponseRules(SuccessRule success, List<ResponseClass> classes) {
    this(success, classes, Map.of());
  }

  /**
   * What they keep of a body that came whole; what is no single value, null or long is left out.
   */
  Map<String, String> kept(DeliveryResponse response, BodyPart.Reader json) {
    Map<String, String> kept = new TreeMap<>();
    String body = response.cut() ? null : response.body();
    if (body != null) {
      result.forEach((name, pointer) -> {
        String value = json.at(body, pointer);
        if (value != null && !value.equals(NULL) && value.length() <= MAX_VALUE) {
          kept.put(name, value);
        }
      });
    }
    return kept;
  }

  /** Whether a response's body matters. */
  public boolean testsBody() {
    return !result.isEmpty()
        || Stream.concat(Stream.of(success.body()), classes.stream().map(ResponseClass::body))
            .anyMatch(Objects::nonNull);
  }
}
