package dev.ebb.api.http;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.ebb.core.Sha256;
import java.net.URI;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * A successful answer: what it tells, before it is written. A page of this process is given just
 * that; over HTTP it is complete before its first byte leaves, so that what cannot be written
 * becomes a problem and never half an answer.
 */
public final class Answer {
  /** What is null is left out. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(was -> was.withValueInclusion(Include.NON_NULL))
          .build();

  private static final int TAG_BYTES = 16;

  private final HttpStatus status;
  private final HttpHeaders headers = new HttpHeaders();
  private final @Nullable Object body;
  private @Nullable Function<byte[], String> tag;
  private byte @Nullable [] json;
  private @Nullable UnwrittenAnswer unwritten;

  /** Takes back what an answer gave that did not reach its caller. */
  @FunctionalInterface
  public interface UnwrittenAnswer {
    /** Does it. */
    void takeBack() throws SQLException;
  }

  private Answer(HttpStatus status, @Nullable Object body) {
    this.status = status;
    this.body = body;
  }

  /** The answer 200; that of a page links to the next one. */
  public static Answer ok(Object body) {
    return of(HttpStatus.OK, body);
  }

  public static Answer of(HttpStatus status, Object body) {
    return new Answer(status, body);
  }

  /** The answer 201 for what is at the path now. */
  public static Answer created(String path, Object body) {
    return of(HttpStatus.CREATED, body).at(path);
  }

  /** The answer 204. */
  public static Answer none() {
    return new Answer(HttpStatus.NO_CONTENT, null);
  }

  /** An answer that is no object. */
  public static Answer text(MediaType type, byte[] text) {
    Answer answer = ok(text);
    answer.headers.setContentType(type);
    return answer;
  }

  /** The answer with the path of what it tells of. */
  public Answer at(String path) {
    headers.setLocation(URI.create(path));
    return this;
  }

  /** The answer with another header. */
  public Answer with(String header, String value) {
    headers.set(header, value);
    return this;
  }

  /** The answer, with what to do if it cannot be written. */
  public Answer unlessWritten(UnwrittenAnswer unwritten) {
    this.unwritten = unwritten;
    return this;
  }

  /** It could not be written. */
  void isUnwritten() throws SQLException {
    if (unwritten != null) {
      unwritten.takeBack();
    }
  }

  /** The answer with the entity tag of its bytes. */
  public Answer tagged() {
    return tagged(Answer::strong);
  }

  /** The answer with an entity tag that is made of its bytes when somebody asks for it. */
  public Answer tagged(Function<byte[], String> tag) {
    this.tag = tag;
    return this;
  }

  /** What it tells; {@code null} where it says nothing. */
  public @Nullable Object body() {
    return body;
  }

  /** Its entity tag; {@code null} without one. */
  public @Nullable String tag() {
    return tag == null ? null : tag.apply(json());
  }

  /**
   * Whether the caller has just this answer.
   *
   * @param known whether it has that of a tag
   */
  public boolean isKnown(Predicate<String> known) {
    String now = tag();
    return now != null && known.test(now);
  }

  /** The answer, or 304 to a caller who has it. */
  public Answer unlessKnown(Predicate<String> known) {
    if (!isKnown(known)) {
      return this;
    }
    Answer unchanged = new Answer(HttpStatus.NOT_MODIFIED, null);
    unchanged.headers.setETag(tag());
    return unchanged;
  }

  private byte[] json() {
    byte[] written = json;
    if (written == null) {
      written = bytes(Objects.requireNonNull(body));
      json = written;
    }
    return written;
  }

  /** The answer as it leaves over HTTP. */
  public ResponseEntity<byte[]> written() {
    ResponseEntity.BodyBuilder begun = ResponseEntity.status(status).headers(headers);
    if (body == null) {
      return begun.build();
    }
    if (body instanceof byte[] text) {
      return begun.body(text);
    }
    String now = tag();
    if (now != null) {
      begun.eTag(now);
    }
    begun.headers(more -> NextLink.addTo(more, body));
    return begun.contentType(MediaType.APPLICATION_JSON).body(json());
  }

  /** The body as JSON. */
  public static byte[] bytes(Object body) {
    return JSON.writeValueAsBytes(body);
  }

  /**
   * The strong entity tag of a resource that is answered so. It is a digest of the answer: whoever
   * writes the row, of whatever release, and whatever time alone changes, need not maintain it.
   */
  public static String tag(Object body) {
    return strong(bytes(body));
  }

  private static String strong(byte[] json) {
    return '"' + digest(json) + '"';
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
