package dev.ebb.ui.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a delivery sent and got, in short.
 *
 * @param request method and URL
 * @param sent the body of the request; {@code null} for none
 * @param status of the response; {@code null} where none came
 * @param got the body of the response; {@code null} for none
 * @param millis that it took; {@code null} where that is not known
 */
public record Exchange(
    String request,
    @Nullable String sent,
    @Nullable Integer status,
    @Nullable String got,
    @Nullable Long millis) {
  private static final int MOST = 1_000;

  /** The exchange that an attempt recorded; {@code null} if it was no delivery. */
  public static @Nullable Exchange of(@Nullable JsonNode detail) {
    if (detail == null || !detail.path("request").isObject()) {
      return null;
    }
    JsonNode request = detail.path("request");
    JsonNode response = detail.path("response");
    JsonNode total = detail.at("/millis/total");
    return new Exchange(
        (request.path("method").asString("") + " " + request.path("url").asString("")).strip(),
        body(request),
        response.path("status").isInt() ? response.path("status").asInt() : null,
        body(response),
        total.isIntegralNumber() ? total.asLong() : null);
  }

  private static @Nullable String body(JsonNode message) {
    String body = message.path("body").asString("");
    if (body.isEmpty()) {
      return null;
    }
    if (message.path("bodyBase64").asBoolean(false)) {
      return message.path("bodyBytes").asLong(0) + " bytes of binary data";
    }
    return shortened(body);
  }

  /** The beginning of a text, which does not end within a character. */
  public static String shortened(String text) {
    if (text.length() <= MOST) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(MOST - 1)) ? MOST - 1 : MOST;
    return text.substring(0, end) + "…";
  }
}
