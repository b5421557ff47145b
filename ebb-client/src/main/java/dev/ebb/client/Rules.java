package dev.ebb.client;

import static dev.ebb.client.InvalidJob.require;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The rules of a job's fields, in the server's words. They are checked before anything is sent,
 * because an error of SQL would end the caller's transaction.
 */
final class Rules {
  static final Duration LONGEST_DELAY = Duration.ofDays(3650);
  static final int MOST_ATTEMPTS = 1000;
  static final String QUEUE_RULE =
      "must be a lower-case letter or digit followed by at most 62 of those, '_', '.' or '-'";
  private static final int MOST_LABELS = 16;
  private static final int LONGEST_TEXT = 200;
  private static final int LARGEST_PAYLOAD = 64 * 1024;
  private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9_.:-]{0,62}");
  private static final Pattern QUEUE = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,62}");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,62}");
  private static final Pattern TRACEPARENT =
      Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
  private static final Instant FIRST_RUN_AT = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST_RUN_AT = Instant.parse("9999-12-31T23:59:59Z");

  private Rules() {}

  static void kind(String kind) {
    require(
        KIND.matcher(kind).matches(),
        "kind",
        "must be a letter followed by at most 62 letters, digits, '_', '.', ':' or '-'");
  }

  static void queue(String queue) {
    require(isQueue(queue), "queue", QUEUE_RULE);
  }

  static boolean isQueue(String queue) {
    return QUEUE.matcher(queue).matches();
  }

  static boolean isLabel(String name) {
    return LABEL.matcher(name).matches();
  }

  static void key(String key, String field) {
    require(
        !key.isEmpty() && key.length() <= LONGEST_TEXT && Text.isStorable(key),
        field,
        "must be 1 to 200 characters without NUL or lone surrogates");
  }

  static void traceparent(String text) {
    require(
        TRACEPARENT.matcher(text).matches(),
        "traceparent",
        "must be a traceparent of W3C Trace Context, version 00");
  }

  static void one(boolean holds) {
    require(holds, "delay", "must not be given together with runAt");
  }

  static void runAt(Instant runAt) {
    require(
        !runAt.isBefore(FIRST_RUN_AT) && !runAt.isAfter(LAST_RUN_AT),
        "runAt",
        "must lie in the years 2000 to 9999");
  }

  static void between(Duration given, Duration least, Duration most, String field) {
    require(
        given.compareTo(least) >= 0 && given.compareTo(most) <= 0,
        field,
        "must be between " + text(least) + " and " + text(most));
  }

  static void between(int given, int least, int most, String field) {
    require(given >= least && given <= most, field, "must be between " + least + " and " + most);
  }

  /** ISO-8601, and whole days as such. */
  private static String text(Duration duration) {
    long days = duration.toDays();
    boolean isDays = days > 0 && duration.equals(Duration.ofDays(days));
    return isDays ? "P" + days + "D" : duration.toString();
  }

  static void labels(Map<String, String> labels) {
    require(labels.size() <= MOST_LABELS, "labels", "must be at most 16 labels");
    labels.forEach((name, value) -> {
      require(
          isLabel(name),
          "labels",
          "must have names of a letter followed by at most 62 letters, digits, '_', '.' or '-'");
      require(
          value.length() <= LONGEST_TEXT && Text.isStorable(value),
          "labels." + name,
          "must be at most 200 characters without NUL or lone surrogates");
    });
  }

  static void payload(String kind, String payload) {
    require(!payload.isEmpty(), "payload", "must be JSON text");
    require(Text.isStorable(payload), "payload", "must not contain NUL or lone surrogates");
    require(
        payload.getBytes(StandardCharsets.UTF_8).length <= LARGEST_PAYLOAD,
        "payload",
        "must be at most 65536 bytes of UTF-8");
    Json read;
    try {
      read = JsonReader.parse(payload);
    } catch (IllegalArgumentException e) {
      throw new InvalidJob(
          "payload", "must be one JSON value without duplicate keys: " + e.getMessage());
    }
    require(!kind.equals("http") || read.isObject(), "payload", "must be an object");
  }
}
