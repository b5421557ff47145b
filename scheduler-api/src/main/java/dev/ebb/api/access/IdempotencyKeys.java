package dev.ebb.api.access;

import dev.ebb.api.http.Answer;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.IdempotencyKey;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the header {@code Idempotency-Key}, and refuses its wrong uses. */
public final class IdempotencyKeys {
  private static final String HEADER = "Idempotency-Key";
  private static final String RULE =
      "must be given once, as 1 to 255 visible ASCII characters without spaces, in double quotes or"
          + " without any around it";

  /** A string of RFC 9651, in which a quote and a backslash stand behind a backslash. */
  private static final Pattern QUOTED =
      Pattern.compile("\"((?:[!#-\\[\\]-~]|\\\\[\"\\\\]){1,255})\"");

  private static final Pattern BARE = Pattern.compile("[!#-~][!-~]{0,254}");
  private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

  private IdempotencyKeys() {}

  /** The key under which the caller may repeat this request; {@code null} if it gave none. */
  public static @Nullable IdempotencyKey of(HttpServletRequest request, JsonObject body) {
    return of(request, body.text());
  }

  /** The same, where this is all that the operation was told. */
  public static @Nullable IdempotencyKey of(HttpServletRequest request, String told) {
    List<String> given = Collections.list(request.getHeaders(HEADER));
    if (given.isEmpty()) {
      return null;
    }
    String key = given.size() == 1 ? text(given.getFirst()) : null;
    if (key == null) {
      throw Refusal.header(HEADER, RULE);
    }
    return IdempotencyKey.of(
        client(Caller.of(request)),
        request.getMethod() + " " + request.getServletPath(),
        key,
        Objects.requireNonNullElse(request.getQueryString(), "") + "\n" + told);
  }

  /** The refusal while the first request with the key is being served. */
  public static Refusal inFlight() {
    return Refusal.passing(
        ProblemCode.IDEMPOTENCY_KEY_IN_FLIGHT,
        "A request with this Idempotency-Key is in progress. Try again.",
        1);
  }

  /** The refusal of a key that was used for another request, which led to what is at the path. */
  public static Refusal reused(Instant firstUsedAt, String path) {
    return Refusal.existing(
        ProblemCode.IDEMPOTENCY_KEY_REUSED,
        "The Idempotency-Key was first used at "
            + firstUsedAt
            + ", with another body. Nothing was stored.",
        List.of(),
        path);
  }

  /**
   * The refusal of a key for a batch of which each job stands for itself: why one of them was
   * refused, such as a full queue, is not kept with the key, so a replay could not tell it.
   */
  public static Refusal notOfParts() {
    return Refusal.header(
        HEADER,
        "must not be given with \"atomic\": false, because the answer cannot be repeated; give"
            + " each job a uniqueKey");
  }

  /** The answer, which says so if it is that of an earlier request. */
  public static Answer told(Answer answer, boolean replayed) {
    return replayed ? answer.with("Idempotency-Replayed", "true") : answer;
  }

  /** What the header says, quoted or not; {@code null} if it breaks the rule. */
  private static @Nullable String text(String header) {
    Matcher quoted = QUOTED.matcher(header);
    if (quoted.matches()) {
      return ESCAPED.matcher(quoted.group(1)).replaceAll("$1");
    }
    return BARE.matcher(header).matches() ? header : null;
  }

  /** A token's name may be given again once it is revoked. */
  private static String client(Caller caller) {
    return caller.id() == null ? "name " + caller.name() : "id " + caller.id();
  }
}
