package dev.ebb.api.jobs.share;

import dev.ebb.core.CardNumbers;
import dev.ebb.core.http.Masking;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The beginning of what a receiver answered, for the receiver. Many echo what they got: an answer
 * that repeats a value of what was sent, or names a header whose value is masked, is left out.
 */
final class Excerpt {
  private static final int LONGEST = 500;

  /** Shorter values are in every text. */
  private static final int LEAST = 3;

  private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s&=<>,;:\"'\\[\\]{}]+");

  private Excerpt() {}

  /**
   * The excerpt; {@code null} for none.
   *
   * @param attempt its record
   */
  static @Nullable String of(JsonNode attempt) {
    JsonNode response = attempt.path("response");
    String body = response.path("body").asString("");
    if (body.isBlank() || response.path("bodyBase64").asBoolean(false)) {
      return null;
    }
    JsonNode request = attempt.path("request");
    boolean isKnown =
        !request.path("bodyCut").asBoolean(false) && !request.path("headersCut").asBoolean(false);
    if (!isKnown || repeats(body, request)) {
      return null;
    }
    String text = CardNumbers.masked(Masking.url(body));
    return text.codePointCount(0, text.length()) <= LONGEST
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…";
  }

  private static boolean repeats(String body, JsonNode request) {
    String text = body.toLowerCase(Locale.ROOT);
    Stream<String> masked =
        request
            .path("headers")
            .valueStream()
            .filter(one -> one.path("value").asString("").contains(Masking.MASK))
            .map(one -> one.path("name").asString(""));
    Stream<String> sent =
        Stream.concat(
            values(request.path("body").asString("")),
            request.path("headers").valueStream().map(one -> one.path("value").asString("")));
    return Stream.concat(masked, sent)
        .map(one -> one.toLowerCase(Locale.ROOT).strip())
        .anyMatch(one -> one.length() >= LEAST && text.contains(one));
  }

  /** The values of JSON, or the words of another text. */
  private static Stream<String> values(String body) {
    try {
      return leaves(JsonMapper.shared().readTree(body));
    } catch (JacksonException notJson) {
      return Arrays.stream(BETWEEN_WORDS.split(body));
    }
  }

  private static Stream<String> leaves(JsonNode node) {
    if (node.isContainer()) {
      return node.valueStream().flatMap(Excerpt::leaves);
    }
    // That something is true is no value by which to know it.
    return node.isString() || node.isNumber() ? Stream.of(node.asString("")) : Stream.empty();
  }
}
