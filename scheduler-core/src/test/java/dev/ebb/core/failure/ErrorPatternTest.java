package dev.ebb.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.CpuTime;
import dev.ebb.core.job.Failure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule by which failures are alike. */
class ErrorPatternTest {
  /** What a payload may say. */
  private static final List<String> PAYLOAD =
      List.of(
          "Ada Lovelace",
          "ada.l@shop.example",
          "4242 4242 4242 4242",
          "DE89370400440532013000",
          "1815-12-10",
          "127.50",
          "ch_3MqL9Zf",
          "https://shop.example/orders/9981?key=s3cret");

  /** How handlers and receivers quote it. */
  private static final List<String> QUOTING =
      List.of(
          "no account of '%s' here",
          "unknown value \"%s\" of a field",
          "`%s` is refused",
          "{\"error\":{\"code\":\"no\",\"value\":\"%s\"}}",
          "cannot read \"%s");

  private static String pattern(String message) {
    return ErrorPattern.of("failed", message).text();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          the destination answered 500                 | the destination answered <number>
          no answer within 30s                         | no answer within <number>s
          took 1,234.5 ms                              | took <number> ms
          timeout PT30S after PT1M30S                  | timeout PT<number>S after <id>
          version v1.2.3 of shop42                     | version v<number> of shop<number>
          orders 9981, 9982 and 9983                   | orders <number> and <number>
          orders 1 2 3, 4                              | orders <number>
          Connect to shop42.example:443 refused        | Connect to <host> refused
          cannot look up merchant.example.             | cannot look up <host>.
          shop.example/10.0.0.7:443: refused           | <host>/<host>: refused
          [2001:db8::17]:443 and fe80::1               | [<host>]:<number> and <host>
          localhost:5432 is down, redis:6379 is up     | <host> is down, redis:<number> is up
          POST https://a.example/x/7?key=s3cret: 500   | POST <url>: <number>
          jdbc:postgresql://db/ebb(5)                  | <url>(<number>)
          see <http://a.example/b>                     | see <<url>>
          no account of ada.l@shop.example             | no account of <email>
          job 019f2b1e-7c00-7a10-8000-5d2b8f1c0e11 died | job <id> died
          commit 9f86d081884c7d65 of charge ch_3MqL9Zf | commit <id> of charge ch_<id>
          lock 0x1f at Lock@6d06d69c                   | lock <id> at Lock@<id>
          at 2027-01-31T08:00:00.5Z                    | at <time>
          at 2027-01-31 08:00:00,123                   | at <time>,<number>
          between 2027-01-31 and 08:15                 | between <time> and <time>
          no field "card" in 'x y'                     | no field <text> in <text>
          {"error":{"code":5,"m":"no"}}                | {<text>:{<text>:<number>,<text>:<text>}}
          it isn't the merchants' order                | it isn't the merchants' order
          can't read 'it's me' here                    | can't read <text> here
          unexpected "token that is cut                | unexpected <text>
          'tis cut                                     | 'tis cut
          java.net.ConnectException: refused           | java.net.ConnectException: refused
          HikariPool-1 - Connection is not available   | HikariPool-<number> - Connection is not available
          at Shop.java:17                              | at Shop.java:<number>
          GET /orders/9981/items                       | GET /orders/<number>/items
          e.g. a thing, i.e. this                      | e.g. a thing, i.e. this
          Größe 5 überschritten: 余额不足 42           | Größe <number> überschritten: 余额不足 <number>
          """)
  void what_differs_from_job_to_job_is_taken_out(String message, String pattern) {
    assertThat(pattern(message)).isEqualTo(pattern);
    assertThat(pattern(pattern(message))).as("of a pattern").isEqualTo(pattern);
  }

  @Test
  void blanks_and_control_characters_are_one_blank() {
    assertThat(pattern(" a\r\n\tb \u0000\u00a0 c  ")).isEqualTo("a b c");
  }

  @Test
  void a_reason_that_is_a_plain_word_stays() {
    assertThat(ErrorPattern.of(new Failure("http_503", "no")).reason()).isEqualTo("http_503");
    assertThat(ErrorPattern.of(new Failure("Order 9981", "no")).reason())
        .isEqualTo("Order <number>");
  }

  @Test
  void a_group_is_of_a_queue_a_kind_and_a_pattern() {
    ErrorPattern one = ErrorPattern.of(new Failure("http_500", "order 1 failed"));
    ErrorPattern same = ErrorPattern.of(new Failure("http_500", "order 2 failed"));
    ErrorPattern other = ErrorPattern.of(new Failure("http_502", "order 1 failed"));

    UUID group = one.group("q", "http");
    assertThat(group.toString()).isEqualTo("09487d24-54f4-8812-ab67-f790f68ad278");
    assertThat(same.group("q", "http")).isEqualTo(group);
    assertThat(other.group("q", "http")).isNotEqualTo(group);
    assertThat(one.group("q2", "http")).isNotEqualTo(group);
    assertThat(one.group("q", "https")).isNotEqualTo(group);
    assertThat(group.version()).isEqualTo(8);
    assertThat(group.variant()).isEqualTo(2);
  }

  @Test
  void a_pattern_is_cut_between_characters() {
    String pattern = pattern("x" + "\uD83D\uDE00 ".repeat(1000));

    assertThat(pattern).hasSizeBetween(299, ErrorPattern.MAX_LENGTH).endsWith("…");
    assertThat(pattern.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF)).isTrue();
    assertThat(pattern("a ".repeat(150))).hasSize(299).doesNotContain("…");
  }

  @Test
  void what_messages_quote_of_a_payload_is_in_no_pattern() {
    assertThat(keptOf(PAYLOAD, message -> ErrorPattern.of(message, message))).isEmpty();
  }

  @Test
  void control_messages_that_are_their_own_pattern_keep_all_of_a_payload() {
    assertThat(keptOf(PAYLOAD, message -> new ErrorPattern(message, message)))
        .containsExactlyElementsOf(PAYLOAD);
  }

  /** What the patterns of the messages that quote these values have left of them. */
  private static List<String> keptOf(List<String> values, Function<String, ErrorPattern> rule) {
    String patterns =
        QUOTING.stream()
            .flatMap(message -> values.stream().map(message::formatted))
            .map(message -> rule.apply(message).reason() + " " + rule.apply(message).text())
            .collect(Collectors.joining("\n"));
    return values.stream().filter(patterns::contains).toList();
  }

  /** Texts that a rule with backtracking or a look ahead at each character reads for minutes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "7",
        "a",
        "a1",
        "1:",
        "1.",
        "a.",
        "a@",
        "a@a.",
        "'a ",
        "' ",
        "\"",
        "'",
        "a:",
        "::",
        "http://",
        "-",
        "a-",
        "2027-01-31",
        "f",
        "é",
        "\uD83D\uDE00",
        " ",
        ",1",
        "1,",
        "``",
        "\"'",
        "«",
        "://"
      })
  void the_longest_hostile_text_is_read_at_once(String piece) {
    String text = piece.repeat(Math.ceilDiv(64 * 1024, piece.length()));

    Duration took =
        CpuTime.of(() ->
            assertThat(IntStream.range(0, 20).mapToObj(n -> pattern(text + n)))
                .allSatisfy(pattern ->
                    assertThat(pattern.length()).isLessThanOrEqualTo(ErrorPattern.MAX_LENGTH)));

    assertThat(took).isLessThan(Duration.ofSeconds(5));
  }
}
