package dev.ebb.worker.http;

import static org.apache.hc.client5.http.utils.DateUtils.FORMATTER_ASCTIME;
import static org.apache.hc.client5.http.utils.DateUtils.FORMATTER_RFC1036;
import static org.apache.hc.client5.http.utils.DateUtils.FORMATTER_RFC1123;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.utils.DateUtils;

/** Reads how long an answer asks to wait (RFC 9110, section 10.2.3). */
final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]+");
  private static final DateTimeFormatter ASCTIME = FORMATTER_ASCTIME.withZone(ZoneOffset.UTC);
  private static final Duration MAX = Duration.ofDays(1);
  private static final BigInteger MOST_SECONDS = BigInteger.valueOf(Long.MAX_VALUE);

  private RetryAfter() {}

  /**
   * The wait that the response asks for, zero to a day; empty if it asks for none or cannot be
   * understood. A date counts from the response's own {@code Date}, so that a clock that is wrong
   * on either side does no harm; from {@code now} if there is none.
   */
  static Optional<Duration> of(Response response, Instant now) {
    return response
        .header("retry-after")
        .flatMap(value -> wait(value.strip(), response, now))
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait.compareTo(MAX) > 0 ? MAX : wait);
  }

  private static Optional<Duration> wait(String value, Response response, Instant now) {
    if (SECONDS.matcher(value).matches()) {
      return Optional.of(Duration.ofSeconds(new BigInteger(value).min(MOST_SECONDS).longValue()));
    }
    Instant from = response.header("date").flatMap(RetryAfter::date).orElse(now);
    return date(value).map(date -> Duration.between(from, date));
  }

  private static Optional<Instant> date(String value) {
    // The asctime form pads the day with a second space and leaves the zone unsaid.
    String date = value.replaceAll(" +", " ");
    return Optional.ofNullable(
        DateUtils.parseDate(date, FORMATTER_RFC1123, FORMATTER_RFC1036, ASCTIME));
  }
}
