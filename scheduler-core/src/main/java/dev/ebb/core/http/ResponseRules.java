package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What responses to a delivery mean, where that is not the default.
 *
 * @param classes of responses that are no success, at most {@value #MAX_CLASSES}; the first that
 *     fits counts
 */
public record ResponseRules(SuccessRule success, List<ResponseClass> classes) {
  public static final int MAX_CLASSES = 10;
  public static final ResponseRules DEFAULT = new ResponseRules(SuccessRule.DEFAULT, List.of());

  public ResponseRules {
    classes = List.copyOf(classes);
    require(classes.size() <= MAX_CLASSES, "classes", "must be at most " + MAX_CLASSES);
  }

  /** Whether a response's body matters. */
  public boolean testsBody() {
    return Stream.concat(Stream.of(success.body()), classes.stream().map(ResponseClass::body))
        .anyMatch(Objects::nonNull);
  }
}
