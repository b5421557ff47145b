package dev.ebb.api.http;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a request assumes of the resource that it changes: its headers {@code If-Match} and {@code
 * If-None-Match} (RFC 9110, 13.1).
 *
 * @param match {@code null} where the header is absent; a star stands for whatever there is
 */
public record Conditions(@Nullable Set<String> match, @Nullable Set<String> noneMatch) {
  private static final String ANY = "*";
  private static final String WEAK = "W/";
  private static final Pattern TAG =
      Pattern.compile("[ \\t]*((?:W/)?\"[\\x21\\x23-\\x7E\\x80-\\xFF]*\")?[ \\t]*(?:,|$)");

  public static Conditions of(HttpServletRequest request) {
    return new Conditions(tags(request, "If-Match"), tags(request, "If-None-Match"));
  }

  private static @Nullable Set<String> tags(HttpServletRequest request, String header) {
    List<String> lines = Collections.list(request.getHeaders(header));
    if (lines.isEmpty()) {
      return null;
    }
    String value = String.join(",", lines).strip();
    Set<String> tags = value.equals(ANY) ? Set.of(ANY) : list(value);
    if (tags.isEmpty()) {
      throw Refusal.of(
          ProblemCode.MALFORMED_REQUEST,
          "The header " + header + " must be * or a list of entity tags in quotes.");
    }
    return tags;
  }

  /** The tags of the list; none if it is not one. */
  private static Set<String> list(String value) {
    Set<String> tags = new LinkedHashSet<>();
    Matcher matcher = TAG.matcher(value);
    int end = 0;
    while (end < value.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        return Set.of();
      }
      if (matcher.group(1) != null) {
        tags.add(matcher.group(1));
      }
      end = matcher.end();
    }
    return tags;
  }

  /**
   * {@link #requireForPut} for a resource as it is under its lock, if it is there.
   *
   * @param shown how the resource is answered
   */
  public <T> Consumer<Optional<T>> forPut(Function<T, Object> shown) {
    return now -> requireForPut(tag(now, shown));
  }

  /** {@link #require} for the same. */
  public <T> Consumer<Optional<T>> forDelete(Function<T, Object> shown) {
    return now -> require(tag(now, shown));
  }

  private static <T> @Nullable String tag(Optional<T> now, Function<T, Object> shown) {
    return now.map(shown).map(Answer::tag).orElse(null);
  }

  /**
   * Refuses to create or replace a resource that is not as the request assumes, or to replace one
   * of which it assumes nothing.
   *
   * @param tag of the resource as it is; {@code null} if there is none
   */
  public void requireForPut(@Nullable String tag) {
    require(tag);
    if (tag != null && match == null) {
      throw Refusal.of(
          ProblemCode.PRECONDITION_REQUIRED,
          "The resource exists. To replace it, send If-Match with the ETag of a GET.");
    }
  }

  /** Refuses what is not as the request assumes, if it assumes anything. */
  public void require(@Nullable String tag) {
    boolean holds = match == null || (tag != null && (match.contains(ANY) || match.contains(tag)));
    if (!holds || (noneMatch != null && tag != null && isAmong(noneMatch, tag))) {
      throw Refusal.of(
          ProblemCode.PRECONDITION_FAILED,
          tag == null
              ? "The resource that If-Match names does not exist."
              : "The resource has changed. GET it again and use the new ETag.");
    }
  }

  /** Whether {@code If-None-Match} names the resource that has this tag. */
  public boolean isKnown(String tag) {
    return noneMatch != null && isAmong(noneMatch, tag);
  }

  /** Whether {@code If-Match} names a resource, whose tags all begin so behind their quote. */
  public boolean isMeant(String prefix) {
    return match != null
        && (match.contains(ANY) || match.stream().anyMatch(tag -> tag.startsWith('"' + prefix)));
  }

  /**
   * The tag by which {@code If-Match} names a resource, whose tags all begin so behind their quote;
   * one that it does not name if it names another.
   */
  public String meant(String prefix) {
    String begin = '"' + prefix;
    return Objects.requireNonNullElse(match, Set.<String>of()).stream()
        .filter(tag -> tag.startsWith(begin))
        .findFirst()
        .orElse(begin + '"');
  }

  /** The weak comparison. */
  private static boolean isAmong(Set<String> tags, String tag) {
    return tags.contains(ANY) || tags.contains(tag) || tags.contains(WEAK + tag);
  }
}
