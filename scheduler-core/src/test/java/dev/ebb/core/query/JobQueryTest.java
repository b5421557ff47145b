package dev.ebb.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobQueryTest {
  private static final String LONG = "x".repeat(JobQuery.MAX_LENGTH + 1);

  private static JobFilter filter(String query) {
    return JobQuery.read(query, new FilterBuilder()).build();
  }

  private static InvalidQuery refused(String query) {
    InvalidQuery refusal = catchThrowableOfType(InvalidQuery.class, () -> filter(query));
    assertThat(refusal).as(query).isNotNull();
    return refusal;
  }

  private static void wants(Terms terms, String... wanted) {
    assertThat(terms.wanted()).containsExactlyInAnyOrder(wanted);
  }

  private static void refuses(Terms terms, String... unwanted) {
    assertThat(terms.unwanted()).containsExactlyInAnyOrder(unwanted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "  \t "})
  void no_token_lets_every_job_through(String query) {
    assertThat(filter(query)).isEqualTo(JobFilter.ALL);
  }

  @Test
  void a_state_is_one_of_those_that_commas_join() {
    assertThat(filter("state:dead,retrying").phases())
        .containsExactlyInAnyOrder(Phase.DEAD_LETTER, Phase.RETRYING);
    assertThat(filter("state:available").phases())
        .isEqualTo(
            EnumSet.of(Phase.DUE, Phase.HELD, Phase.BLOCKED, Phase.SCHEDULED, Phase.RETRYING));
    assertThat(filter("-state:available,dead_letter").phases())
        .containsExactlyInAnyOrder(Phase.RUNNING, Phase.COMPLETED, Phase.CANCELLED);
    assertThat(filter("state:available -state:due").phases())
        .isEqualTo(EnumSet.of(Phase.HELD, Phase.BLOCKED, Phase.SCHEDULED, Phase.RETRYING));
  }

  @Test
  void names_and_texts_are_read_by_their_fields() {
    JobFilter filter =
        filter(
            "queue:payments,refunds kind:http label:merchant=acme label:region=eu=1"
                + " error:timeout key:order-9981 payload:9.10 shop42");

    wants(filter.queues(), "payments", "refunds");
    wants(filter.kinds(), "http");
    wants(filter.labels(), "merchant=acme", "region=eu=1");
    wants(filter.errors(), "timeout");
    wants(filter.words(), "shop42");
    assertThat(filter.uniqueKey()).isEqualTo("order-9981");
    assertThat(filter.payload()).isEqualTo(new PayloadSearch("9.10", new TreeMap<>()));
  }

  @Test
  void a_path_behind_payload_names_a_field_of_it() {
    assertThat(filter("payload.body.order:\"a b\" payload.n=1").payload())
        .isEqualTo(new PayloadSearch(null, new TreeMap<>(Map.of("body.order", "a b", "n", "1"))));
  }

  @Test
  void a_name_that_is_no_field_and_a_value_are_a_label() {
    JobFilter filter = filter("merchant=acme -shop.id=\"a b\"");

    wants(filter.labels(), "merchant=acme");
    refuses(filter.labels(), "shop.id=a b");
  }

  @Test
  void a_minus_negates() {
    JobFilter filter =
        filter("-queue:a,b -kind:http -label:m=x -error:refused -word -\"two words\"");

    refuses(filter.queues(), "a", "b");
    refuses(filter.kinds(), "http");
    refuses(filter.labels(), "m=x");
    refuses(filter.errors(), "refused");
    refuses(filter.words(), "word", "two words");
  }

  @Test
  void quotes_keep_blanks_and_signs_and_a_backslash_keeps_a_quote() {
    wants(
        filter("\"two words\" \"a:b\" \"-c\" d\"e f\"").words(), "two words", "a:b", "-c", "de f");
    wants(filter("error:\"read timed out\"").errors(), "read timed out");
    wants(filter("\"say \\\"hi\\\" \\\\ there\"").words(), "say \"hi\" \\ there");
    wants(filter("label:name=\"Ada, the first\"").labels(), "name=Ada, the first");
    wants(filter("label:\"name=x y\"").labels(), "name=x y");
    wants(filter("a\\b,c").words(), "a\\b,c");
  }

  @ParameterizedTest
  @CsvSource({
    "attempts>3, 4, 2147483647",
    "attempts>=3, 3, 2147483647",
    "attempts<3, 0, 2",
    "attempts<=3, 0, 3",
    "attempts:3, 3, 3",
    "attempts=3, 3, 3",
    "attempts>1 attempts<5, 2, 4",
    "attempts<=9 attempts<=4 attempts>=2, 2, 4",
  })
  void attempts_are_compared(String query, int least, int most) {
    assertThat(filter(query).attempts()).isEqualTo(new JobFilter.Range(least, most));
  }

  @Test
  void ages_and_times_are_compared_and_the_narrowest_counts() {
    JobFilter.Period created =
        filter(
                "age>10m age>=30s age<1h30m age<=P1D created>=2027-01-31"
                    + " created>=2026-01-01 created<2027-02-01T08:00:00+08:00")
            .created();

    assertThat(created.leastAge()).isEqualTo(Duration.ofMinutes(10));
    assertThat(created.mostAge()).isEqualTo(Duration.ofMinutes(90));
    assertThat(created.from()).isEqualTo(Instant.parse("2027-01-31T00:00:00Z"));
    assertThat(created.before()).isEqualTo(Instant.parse("2027-02-01T00:00:00Z"));
    assertThat(filter("created>2027-01-31").created().from())
        .isEqualTo(Instant.parse("2027-01-31T00:00:00.000001Z"));
    assertThat(filter("created<=2027-01-31").created().before())
        .isEqualTo(Instant.parse("2027-01-31T00:00:00.000001Z"));
    assertThat(filter("age>7d").created().leastAge()).isEqualTo(Duration.ofDays(7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '§',
      textBlock =
          """
          state:daed                 | 1  | state:daed      | must be one of available
          state:daed                 | 1  | state:daed      | did you mean dead?
          queue:a  stat:dead         | 10 | stat:dead       | did you mean state?
          x http://example.com       | 3  | http://example.com | is not a field: fields are state
          x a>b                      | 3  | a>b             | Put a word with
          payload.body.*:1           | 1  | payload.body.*:1 | must name one field
          x payload.items[0].id:1    | 3  | payload.items[0].id:1 | such as payload.body.order
          payload.a..b:1             | 1  | payload.a..b:1  | must name one field
          payload.a>1                | 1  | payload.a>1     | takes only the comparison ':'
          -payload.a:1               | 1  | -payload.a:1    | must not be negated
          payload.a:1 payload.a:2    | 13 | payload.a:2     | must not be given twice
          x -                        | 3  | -               | must have a value
          state:                     | 1  | state:          | must have a value
          state:dead,                | 1  | state:dead,     | must have a value
          ""                         | 1  | ""              | must have a value
          queue:Payments             | 1  | queue:Payments  | must be a lower-case letter
          kind:1a                    | 1  | kind:1a         | must be a letter
          label:merchant             | 1  | label:merchant  | must have the form name=value
          label:=acme                | 1  | label:=acme     | must have the form name=value
          x "no end                  | 3  | "no end         | must have a closing quote
          x "no end\\"               | 3  | "no end\\"      | must have a closing quote
          group:9                    | 1  | group:9         | must be a UUID
          -group:9                   | 1  | -group:9        | must not be negated
          error:"a b                 | 1  | error:"a b      | must have a closing quote
          attempts>x                 | 1  | attempts>x      | must be a whole number
          attempts>99999             | 1  | attempts>99999  | must be a whole number
          attempts>-1                | 1  | attempts>-1     | must be a whole number
          -attempts>3                | 1  | -attempts>3     | must not be negated
          -age>3m                    | 1  | -age>3m         | must not be negated
          -key:a                     | 1  | -key:a          | must not be negated
          -payload:a                 | 1  | -payload:a      | must not be negated
          key:a key:b                | 7  | key:b           | must not be given twice
          payload:a payload:b        | 11 | payload:b       | must not be given twice
          age:10m                    | 1  | age:10m         | takes <, <=, > or >=
          created:2027-01-01         | 1  | created:2027-01-01 | takes <, <=, > or >=
          age>10                     | 1  | age>10          | must be a duration such as 30s
          age>1.5h                   | 1  | age>1.5h        | must be a duration such as 30s
          age>m10                    | 1  | age>m10         | must be a duration such as 30s
          age>PT                     | 1  | age>PT          | must be a duration such as 30s
          age>-10m                   | 1  | age>-10m        | must be a duration such as 30s
          age>9999d                  | 1  | age>9999d       | must be between PT0S and P3650D
          ended:1h                   | 1  | ended:1h        | takes <, <=, > or >=
          -ended<1h                  | 1  | -ended<1h       | must not be negated
          ended<1x                   | 1  | ended<1x        | must be a duration such as 30s
          due:1h                     | 1  | due:1h          | takes <, <=, > or >=
          -due<1h                    | 1  | -due<1h         | must not be negated
          due<1x                     | 1  | due<1x          | must be a duration such as 30s
          state:dead due<1h          | 12 | due<1h          | excludes everything
          due<1h state:running       | 8  | state:running   | excludes everything
          ended<2027-02-30           | 1  | ended<2027-02-30 | must be a day or an instant
          created>tomorrow           | 1  | created>tomorrow | must be a day or an instant
          created>2027-02-30         | 1  | created>2027-02-30 | must be a day or an instant
          created>2027-02-28T08:00Z  | 1  | created>2027-02-28T08:00Z | must be a day or an instant
          created>1999-01-01         | 1  | created>1999-01-01 | must lie in the years 2000 to 9999
          queue=a                    | 1  | queue=a         | takes only the comparison ':'
          error>a                    | 1  | error>a         | takes only the comparison ':'
          state>dead                 | 1  | state>dead      | takes only the comparison ':'
          queue:a queue:b            | 9  | queue:b         | excludes everything
          state:dead state:due       | 12 | state:due       | excludes everything
          attempts>3 attempts<3      | 12 | attempts<3      | excludes everything
          attempts<0                 | 1  | attempts<0      | excludes everything
          """)
  void a_token_that_breaks_a_rule_is_named_with_its_place(
      String query, int position, String token, String rule) {
    InvalidQuery refusal = refused(query);

    assertThat(refusal.position()).isEqualTo(position);
    assertThat(refusal.token()).isEqualTo(token);
    assertThat(refusal.rule())
        .startsWith("(position " + position + ", " + token + ") ")
        .contains(rule);
  }

  @Test
  void a_query_is_bounded_and_so_is_what_is_shown_of_a_token() {
    assertThat(refused(LONG).rule()).contains("1000 characters").hasSizeLessThan(200);
    assertThat(refused("a ".repeat(JobQuery.MAX_TOKENS + 1)).rule()).contains("at most 50 tokens");
    assertThat(filter("a ".repeat(JobQuery.MAX_TOKENS))).isNotNull();
    assertThat(refused("\0").rule()).contains("must not contain NUL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "state:retrying,dead_letter",
        "state:available,running ordering:ORDER-7",
        "queue:a,b -queue:c kind:http -kind:x",
        "state:dead_letter group:09487d24-54f4-8812-ab67-f790f68ad278",
        "label:m=acme -label:m=\"x y\" error:\"timed out\" -error:refused",
        "key:order-1 payload:\"a \\\"b\\\" \\\\ c\"",
        "payload:x payload.body.order:9981 payload.items.0.id:\"a b\"",
        "attempts>3 attempts<9",
        "attempts<=9999 attempts>9998",
        "ended>10m ended<7d ended>=2027-01-31 ended<2027-02-01T08:00:00.000001Z",
        "due>10m due<7d due>=2027-01-31 due<2027-02-01T08:00:00.000001Z",
        "age>10m age<7d created>=2027-01-31 created<2027-02-01T08:00:00.000001Z",
        "word -\"two words\" \"-minus\" \"a:b\" comma,comma",
      })
  void the_text_of_a_filter_is_a_query_that_reads_as_the_same(String query) {
    JobFilter filter = filter(query);

    assertThat(filter(QueryText.of(filter))).isEqualTo(filter);
  }

  @Test
  void a_due_time_asks_for_jobs_that_wait_and_lies_ahead_of_the_question() {
    Instant now = Instant.parse("2027-01-31T08:00:00Z");

    JobFilter filter = filter("due>10m due<1h");

    assertThat(QueryText.of(filter)).isEqualTo("state:available due<=PT1H due>=PT10M");
    assertThat(QueryText.of(filter.asOf(now)))
        .endsWith("due>=2027-01-31T08:10:00Z due<2027-01-31T09:00:00.000001Z");
    assertThat(QueryText.of(filter("due>10m").asOf(now))).endsWith(" due>=2027-01-31T08:10:00Z");
  }

  @Test
  void a_filter_has_one_text_whatever_the_order_of_its_tokens() {
    assertThat(QueryText.of(filter("b a state:dead,due queue:y,x")))
        .isEqualTo(QueryText.of(filter("queue:x,y a state:due,dead b")))
        .isEqualTo("state:due,dead_letter queue:x,y \"a\" \"b\"");
    assertThat(QueryText.of(JobFilter.ALL)).isEmpty();
  }

  @Test
  void conditions_from_elsewhere_narrow_the_same_filter() {
    FilterBuilder builder = new FilterBuilder().add(Condition.is("queue", List.of("a", "b")));

    Collection<String> queues = JobQuery.read("queue:b,c", builder).build().queues().wanted();

    assertThat(queues).containsExactly("b");
  }
}
