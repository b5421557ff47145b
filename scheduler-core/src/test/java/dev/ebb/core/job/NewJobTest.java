package dev.ebb.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ebb.core.Broken;
import dev.ebb.core.retry.Presets;
import dev.ebb.core.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NewJobTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static final String LONE_SURROGATE = "\ud800";

  private static void refuses(String field, UnaryOperator<NewJob.Builder> change) {
    Broken.refuses(field, () -> change.apply(NewJob.builder("http", "{}")).build());
  }

  private static void accepts(UnaryOperator<NewJob.Builder> change) {
    assertThatCode(() -> change.apply(NewJob.builder("http", "{}")).build())
        .doesNotThrowAnyException();
  }

  private static Map<String, String> labels(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "l" + i, i -> "" + i));
  }

  @Test
  void a_job_of_a_kind_and_a_payload_has_the_defaults() {
    NewJob job = NewJob.of("http", "{}");
    assertThat(job.queue()).isEqualTo("default");
    assertThat(job.priority()).isEqualTo(5);
    assertThat(job.labels()).isEmpty();
    assertThat(job)
        .hasAllNullFieldsOrPropertiesExcept("kind", "payload", "queue", "priority", "labels");
  }

  @Test
  void a_builder_of_a_job_drops_none_of_its_fields() {
    Instant runAt = Instant.parse("2030-01-01T00:00:00Z");
    Duration minute = Duration.ofMinutes(1);
    RetryPolicy policy = Presets.policy("sip");
    Map<String, String> labels = labels(1);
    FollowUps then = FollowUps.of(new UUID(0, 7));
    NewJob late =
        new NewJob(
            "mail",
            "slow",
            "1",
            runAt,
            null,
            2,
            7,
            policy,
            "only",
            "merchant-7",
            minute,
            labels,
            then,
            TRACE);
    NewJob delayed =
        new NewJob(
            "mail",
            "slow",
            "1",
            null,
            minute,
            2,
            7,
            policy,
            "only",
            "merchant-7",
            minute,
            labels,
            then,
            TRACE);

    assertThat(late).hasNoNullFieldsOrPropertiesExcept("delay");
    assertThat(late.toBuilder().build()).isEqualTo(late);
    assertThat(delayed.toBuilder().build()).isEqualTo(delayed);
  }

  @Test
  void a_trace_that_breaks_the_rules_is_named() {
    for (String broken : List.of("", TRACE + "-more", TRACE.toUpperCase(Locale.ROOT))) {
      Broken.refuses("traceparent", () -> NewJob.builder("a", "1").traceparent(broken).build());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1http", "_http", "ht tp", "http\n", "hätte", "a/b", "a\0"})
  void a_bad_kind_is_named(String kind) {
    Broken.refuses("kind", () -> NewJob.of(kind, "{}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Default", "-a", ".a", "a b", "a\n", "ä", "a:b"})
  void a_bad_queue_is_named(String queue) {
    refuses("queue", job -> job.queue(queue));
  }

  @Test
  void names_end_at_63_characters() {
    assertThatCode(() -> NewJob.of("a".repeat(63), "{}")).doesNotThrowAnyException();
    Broken.refuses("kind", () -> NewJob.of("a".repeat(64), "{}"));
    accepts(job -> job.queue("0".repeat(63)));
    refuses("queue", job -> job.queue("0".repeat(64)));
  }

  @Test
  void a_payload_ends_at_64_kib_of_utf_8_and_is_text() {
    assertThatCode(() -> NewJob.of("http", "ä".repeat(32 * 1024))).doesNotThrowAnyException();
    Broken.refuses("payload", () -> NewJob.of("http", "ä".repeat(32 * 1024) + "a"));
    Broken.refuses("payload", () -> NewJob.of("http", "\"\0\""));
    Broken.refuses("payload", () -> NewJob.of("http", '"' + LONE_SURROGATE + '"'));
  }

  @Test
  void run_at_lies_in_the_years_2000_to_9999_and_excludes_delay() {
    accepts(job -> job.runAt(Instant.parse("2000-01-01T00:00:00Z")));
    accepts(job -> job.runAt(Instant.parse("9999-12-31T23:59:59Z")));
    refuses("runAt", job -> job.runAt(Instant.parse("1999-12-31T23:59:59.999Z")));
    refuses("runAt", job -> job.runAt(Instant.parse("+10000-01-01T00:00:00Z")));
    refuses("runAt", job -> job.runAt(Instant.MAX));
    refuses("delay", job -> job.runAt(Instant.parse("2030-01-01T00:00:00Z")).delay(Duration.ZERO));
  }

  @Test
  void a_delay_is_zero_to_ten_years() {
    accepts(job -> job.delay(Duration.ZERO));
    accepts(job -> job.delay(Duration.ofDays(3650)));
    refuses("delay", job -> job.delay(Duration.ofNanos(-1)));
    refuses("delay", job -> job.delay(Duration.ofSeconds(Long.MAX_VALUE)));
  }

  @Test
  void priority_and_max_attempts_have_ranges() {
    accepts(job -> job.priority(0).maxAttempts(1));
    accepts(job -> job.priority(9).maxAttempts(1000));
    refuses("priority", job -> job.priority(-1));
    refuses("priority", job -> job.priority(10));
    refuses("maxAttempts", job -> job.maxAttempts(0));
    refuses("maxAttempts", job -> job.maxAttempts(1_000_000_000));
  }

  @Test
  void a_unique_key_is_1_to_200_characters_of_text() {
    accepts(job -> job.uniqueKey("é".repeat(200)));
    refuses("uniqueKey", job -> job.uniqueKey(""));
    refuses("uniqueKey", job -> job.uniqueKey("k".repeat(201)));
    refuses("uniqueKey", job -> job.uniqueKey("k\0"));
    refuses("uniqueKey", job -> job.uniqueKey(LONE_SURROGATE));
  }

  @Test
  void a_timeout_is_a_millisecond_to_a_day() {
    accepts(job -> job.timeout(Duration.ofMillis(1)));
    accepts(job -> job.timeout(Duration.ofDays(1)));
    refuses("timeout", job -> job.timeout(Duration.ZERO));
    refuses("timeout", job -> job.timeout(Duration.ofNanos(999_999)));
    refuses("timeout", job -> job.timeout(Duration.ofDays(1).plusNanos(1)));
  }

  @Test
  void labels_are_at_most_16_of_at_most_200_characters() {
    accepts(job -> job.labels(labels(16)));
    accepts(job -> job.labels(Map.of("order", "v".repeat(200))));
    refuses("labels", job -> job.labels(labels(17)));
    refuses("labels", job -> job.labels(Map.of("", "v")));
    refuses("labels", job -> job.labels(Map.of("1a", "v")));
    refuses("labels.order", job -> job.labels(Map.of("order", "v".repeat(201))));
    refuses("labels.order", job -> job.labels(Map.of("order", "\0")));
  }

  @Test
  void labels_do_not_change_after_the_job_was_built() {
    Map<String, String> labels = new HashMap<>(Map.of("order", "1"));
    NewJob job = NewJob.builder("http", "{}").labels(labels).build();
    labels.put("order", "2");
    assertThat(job.labels()).containsExactly(Map.entry("order", "1")).isUnmodifiable();
  }
}
