package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import java.util.Locale;
import java.util.Set;

/**
 * What the body of a response must say.
 *
 * @param part what of it
 * @param comparison how that is compared with the text
 * @param text at most {@value #MAX_TEXT} characters, or a regular expression as {@link Regex} has
 *     them
 * @param options none for a comparison of every character, in a body that came whole
 */
public record BodyTest(BodyPart part, Comparison comparison, String text, Set<Option> options) {
  public static final int MAX_TEXT = 500;

  /** How what is tested must be like the text. */
  public enum Comparison {
    EQUALS,
    CONTAINS,
    /** The text is a regular expression that matches all of it. */
    MATCHES;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What makes a test more lenient. */
  public enum Option {
    /** White space around what is tested does not count. */
    TRIM,
    /** Upper and lower case are the same. */
    IGNORE_CASE,
    /** A body that was cut, or broke off, is tested as far as it came. */
    PARTIAL
  }

  public BodyTest {
    options = Set.copyOf(options);
    if (comparison == Comparison.MATCHES) {
      Regex.require(text, comparison.word());
    } else {
      int least = comparison == Comparison.EQUALS ? 0 : 1;
      require(
          text.length() >= least && text.length() <= MAX_TEXT,
          comparison.word(),
          "must be " + least + " to " + MAX_TEXT + " characters");
    }
  }

  /** Whether what the test needs of the body did not come. */
  boolean lacksEnd(DeliveryResponse response) {
    return response.cut() && !options.contains(Option.PARTIAL);
  }

  /** Whether the body says so. */
  boolean holds(DeliveryResponse response, BodyPart.Reader json) {
    String body = response.body();
    if (body == null || lacksEnd(response)) {
      return false;
    }
    String tested = part.of(body, json);
    return tested != null && compares(options.contains(Option.TRIM) ? tested.strip() : tested);
  }

  private boolean compares(String tested) {
    return switch (comparison) {
      case EQUALS -> cased(tested).equals(cased(text));
      case CONTAINS -> cased(tested).contains(cased(text));
      case MATCHES -> Regex.matches(text, options.contains(Option.IGNORE_CASE), tested);
    };
  }

  private String cased(String any) {
    return options.contains(Option.IGNORE_CASE) ? any.toLowerCase(Locale.ROOT) : any;
  }
}
