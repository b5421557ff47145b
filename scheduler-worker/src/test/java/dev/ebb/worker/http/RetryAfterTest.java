package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | PT0S",
        "00 | PT0S",
        "1 | PT1S",
        " 30 | PT30S",
        "0000000000000000000000007 | PT7S",
        "86400 | PT24H",
        "86401 | PT24H",
        "1000000000000000000 | PT24H",
        "99999999999999999999999999999999 | PT24H",
        "+5 | PT5S",
        "2.0 | PT2S",
        "1.5 | PT2S",
        "0.001 | PT1S",
        "7. | PT7S",
        ".5 | PT1S",
        "2s | PT2S",
        "2 Seconds | PT2S",
        "'\"2\"' | PT2S",
        "999999999 | PT24H",
        "Sun, 01 Mar 2026 12:00:30 GMT | PT30S",
        "Sunday, 01-Mar-26 12:01:00 GMT | PT1M",
        "Sun Mar  1 12:00:30 2026 | PT30S",
        "Sun, 01 Mar 2026 11:59:00 GMT | PT0S",
        "Thu, 01 Jan 1970 00:00:00 GMT | PT0S",
        "Fri, 31 Dec 9999 23:59:59 GMT | PT24H",
        "Sun, 01 Mar 2026 12:00:30 +0000 | PT30S",
        "Sun, 01 Mar 2026 13:00:30 +01:00 | PT30S",
        "Sun, 01 Mar 2026 07:00:30 -0500 | PT30S",
        "Sun, 01 Mar 2026 12:00:30 GMT+0000 (Coordinated Universal Time) | PT30S",
        "Sun, 01 Mar 2026 12:00:30 UTC | PT30S",
        "Sun, 01 Mar 2026 12:00:30 Z | PT30S",
        "Sun, 01 Mar 2026 12:00:30 | PT30S",
        "sun, 01 mar 2026 12:00:30 gmt | PT30S",
        "Mon, 01 Mar 2026 12:00:30 GMT | PT30S",
        "Sun, 01-Mar-2026 12:00:30 GMT | PT30S",
        "1 March 2026 12:01 GMT | PT1M",
        "01 Mar 2026 12:00:30 GMT | PT30S",
        "Mar 1 12:00:30 2026 | PT30S",
        "2026-03-01T12:00:30Z | PT30S",
        "2026-03-01T12:00:30.250+00:00 | PT30S",
        "2026-03-01 13:00:30+01 | PT30S",
        "2026-03-02 | PT12H",
        "1772366430 | PT30S",
        "1772366430.2 | PT30S",
        "1772366430000 | PT30S",
        "1000000000 | PT0S"
      })
  void seconds_and_dates_are_understood_and_clamped(String value, Duration wait) {
    assertThat(of(value, null)).contains(wait);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2, 5 | PT5S",
        "5,2 | PT5S",
        "1,2 | PT2S",
        "soon, 3 | PT3S",
        "3, , | PT3S",
        "5, Sun, 01 Mar 2026 12:00:30 GMT | PT30S",
        "Sun, 01 Mar 2026 12:00:30 GMT, 50 | PT50S",
        "Sun, 01 Mar 2026 12:00:30 GMT, Sun, 01 Mar 2026 12:00:40 GMT | PT40S"
      })
  void of_several_waits_the_longest_counts(String values, Duration wait) {
    assertThat(of(values, null)).contains(wait);
    List<Header> lines = new ArrayList<>();
    for (String value : values.split("(?<![a-z]), ?", -1)) {
      lines.add(new BasicHeader("Retry-After", value));
    }
    assertThat(RetryAfter.of(response(lines), Deliveries.NOW)).as("in lines").contains(wait);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "-1000000000000000000",
        ".",
        "2.0.1",
        "2m",
        "1_000",
        "++2",
        "1e3",
        "0x10",
        "soon",
        "1 2",
        ",",
        "٣",
        "PT1H",
        "Sun, 01 Mar",
        "Sun, 99 Mar 2026 12:00:30 GMT",
        "Sun, 01 Foo 2026 12:00:30 GMT",
        "Sun, 01 anf 2026 12:00:30 GMT",
        "Sun, 01 Mar 2026 25:00:30 GMT",
        "Sun, 01 Mar 2026 12:00:30 +9900",
        "2026-13-01T12:00:30Z",
        "0000-00-00"
      })
  void what_is_neither_counts_as_absent(String value) {
    assertThat(of(value, null)).isEmpty();
  }

  @Test
  void a_date_counts_from_the_answers_own_date() {
    assertThat(of("Sat, 01 Jan 2000 00:00:40 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"))
        .contains(Duration.ofSeconds(40));
    assertThat(of("Sun, 01 Mar 2026 12:00:30 GMT", "nonsense")).contains(Duration.ofSeconds(30));
  }

  @Test
  void an_answer_without_it_asks_for_nothing() {
    assertThat(RetryAfter.of(response(List.of()), Deliveries.NOW)).isEmpty();
  }

  private static Optional<Duration> of(String value, @Nullable String date) {
    List<Header> headers = new ArrayList<>(List.of(new BasicHeader("Retry-After", value)));
    if (date != null) {
      headers.add(new BasicHeader("Date", date));
    }
    return RetryAfter.of(response(headers), Deliveries.NOW);
  }

  private static Response response(List<Header> headers) {
    return Response.head(503, headers, false);
  }
}
