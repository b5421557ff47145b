package dev.ebb.api.http;

import dev.ebb.core.Sha256;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * A successful answer. It is complete before its first byte leaves, so that what cannot be written
 * becomes a problem and never half an answer.
 */
public final class Answer {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int TAG_BYTES = 16;

  private Answer() {}

  /** The answer 200; that of a page links to the next one. */
  public static ResponseEntity<byte[]> ok(Object body) {
    return json(ResponseEntity.ok().headers(headers -> NextLink.addTo(headers, body)), body);
  }

  public static ResponseEntity<byte[]> of(HttpStatus status, Object body) {
    return json(ResponseEntity.status(status), body);
  }

  /** The answer that the builder has begun, with the body as JSON. */
  public static ResponseEntity<byte[]> json(ResponseEntity.BodyBuilder begun, Object body) {
    return bytes(begun, bytes(body));
  }

  /** The body as JSON. */
  public static byte[] bytes(Object body) {
    return JSON.writeValueAsBytes(body);
  }

  /** The answer that the builder has begun, with a body that is JSON already. */
  public static ResponseEntity<byte[]> bytes(ResponseEntity.BodyBuilder begun, byte[] json) {
    return begun.contentType(MediaType.APPLICATION_JSON).body(json);
  }

  /** The answer to a GET, with its tag. */
  public static ResponseEntity<byte[]> tagged(Object body) {
    return json(ResponseEntity.ok().eTag(tag(body)), body);
  }

  /**
   * The strong entity tag of a resource that is answered so. It is a digest of the answer: whoever
   * writes the row, of whatever release, and whatever time alone changes, need not maintain it.
   */
  public static String tag(Object body) {
    return '"' + digest(bytes(body)) + '"';
  }

  /** What entity tags say of an answer that has these bytes. */
  public static String digest(byte[] json) {
    byte[] first = Arrays.copyOf(Sha256.of(json), TAG_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(first);
  }

  /**
   * Stored text as JSON to embed in an answer: itself if it is JSON, otherwise a string of it. What
   * came over REST is JSON; a payload submitted in Java, or what a handler recorded, may be none.
   */
  public static @Nullable String embeddable(@Nullable String text) {
    return text == null || JsonText.isJson(text) ? text : JSON.writeValueAsString(text);
  }

  /** The instant as answers show it: to the microsecond. */
  public static Instant shown(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  /** The same, {@code null} for none. */
  public static @Nullable Instant shownOrNull(@Nullable Instant instant) {
    return instant == null ? null : shown(instant);
  }
}
