package dev.ebb.worker.http;

import dev.ebb.core.Durations;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads how long an answer asks to wait (RFC 9110, section 10.2.3), also where it is written
 * otherwise than there:
 *
 * <pre>
 *   2, +2, 2s, "2", 2 seconds              two seconds
 *   2.0, 1.5                               rounded up to a whole second
 *   1795000000, 1795000000000              seconds, or milliseconds, since 1970: a date
 *   Sun, 01 Mar 2026 12:00:30 GMT          a date, in each spelling of {@link HttpDate}
 *   2, 5                                   of several, the longest
 * </pre>
 */
final class RetryAfter {
  private static final Pattern SECONDS =
      Pattern.compile(
          "\\+?([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)\\s*(?:s|secs?|seconds?)?",
          Pattern.CASE_INSENSITIVE);
  private static final Duration MAX = Duration.ofDays(1);

  /** As a number of seconds, more than 31 years; as a date, in 2001. */
  private static final BigDecimal FIRST_DATE = new BigDecimal(1_000_000_000L);

  /** As seconds since 1970, the year 5138; as milliseconds, 1973. */
  private static final BigDecimal FIRST_MILLIS = new BigDecimal(100_000_000_000L);

  private static final BigDecimal MOST = new BigDecimal(Long.MAX_VALUE);

  private RetryAfter() {}

  /**
   * The wait that the response asks for, zero to a day; empty if it asks for none or cannot be
   * understood. A date counts from the response's own {@code Date}, so that a clock that is wrong
   * on either side does no harm; from {@code now} if there is none.
   */
  static Optional<Duration> of(Response response, Instant now) {
    Instant from = response.header("date").flatMap(date -> HttpDate.parse(date, now)).orElse(now);
    return response
        .header("retry-after")
        .flatMap(values -> longest(values, from))
        .map(wait -> Durations.max(Duration.ZERO, Durations.min(wait, MAX)));
  }

  /** A date may have a comma within, and then its weekday is no value. */
  private static Optional<Duration> longest(String values, Instant from) {
    return wait(values, from)
        .or(() ->
            Stream.of(values.split(",", -1))
                .flatMap(value -> wait(value, from).stream())
                .max(Comparator.naturalOrder()));
  }

  private static Optional<Duration> wait(String value, Instant from) {
    String bare = value.replace('"', ' ').strip();
    Matcher number = SECONDS.matcher(bare);
    return number.matches()
        ? Optional.of(seconds(new BigDecimal(number.group(1)), from))
        : HttpDate.parse(bare, from).map(date -> Duration.between(from, date));
  }

  private static Duration seconds(BigDecimal number, Instant from) {
    if (number.compareTo(FIRST_DATE) < 0) {
      return Duration.ofSeconds(number.setScale(0, RoundingMode.CEILING).longValue());
    }
    long whole = number.min(MOST).longValue();
    Instant date =
        number.compareTo(FIRST_MILLIS) < 0
            ? Instant.ofEpochSecond(whole)
            : Instant.ofEpochMilli(whole);
    return Duration.between(from, date);
  }
}
