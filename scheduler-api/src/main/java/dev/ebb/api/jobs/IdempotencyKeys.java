package dev.ebb.api.jobs;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.IdempotencyKey;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the header {@code Idempotency-Key}. */
final class IdempotencyKeys {
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
  static @Nullable IdempotencyKey of(HttpServletRequest request, JsonObject body) {
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
        Objects.requireNonNullElse(request.getQueryString(), "") + "\n" + body.text());
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
