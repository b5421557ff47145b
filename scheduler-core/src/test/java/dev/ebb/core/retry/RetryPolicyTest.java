package dev.ebb.core.retry;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ebb.core.Broken;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Samples;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryPolicyTest {
  private static final Backoff BACKOFF = new Backoff.None(Samples.GROWTH);

  @ParameterizedTest
  @CsvSource({
    "default,           16, PT29H22M30S",
    "ethernet,          16, PT0.3661312S",
    "sip,               11, PT31.5S",
    "alipay,             8, PT24H22M",
    "wechat,            16, PT24H4M",
    "wechat-partner,    10, PT3H4M",
    "adyen,            100, PT712H2M54S",
    "square,            78, PT72H3M",
    "payermax,           6, PT13H15M30S",
    "juspay,            17, PT24H1M",
    "circle,            12, PT36H16M41S",
    "standard-webhooks, 10, PT75H35M5S",
    "svix,               8, PT27H35M5S"
  })
  void a_preset_has_the_attempts_and_the_span_of_its_source(
      String name, int attempts, Duration span) {
    RetryPolicy policy = Presets.policy(name);
    assertThat(policy.maxAttempts()).isEqualTo(attempts);
    assertThat(PolicyPreview.of(policy, 5, attempts).giveUp().latest()).isEqualTo(span);
  }

  @Test
  void every_preset_is_listed() {
    assertThat(Presets.names())
        .containsExactly(
            "adyen",
            "alipay",
            "alipay-ask",
            "circle",
            "default",
            "ethernet",
            "imps-ask",
            "juspay",
            "payermax",
            "pix-ask",
            "sip",
            "square",
            "standard-webhooks",
            "svix",
            "wechat",
            "wechat-ask",
            "wechat-partner",
            "wechat-quick-ask");
  }

  @ParameterizedTest
  @CsvSource({
    "wechat-ask, 24, PT66M, 'PT10S PT20S PT30S PT40S PT50S PT60S PT80S PT100S PT2M PT4M PT6M PT8M"
        + " PT10M PT15M PT20M PT25M PT30M PT35M PT40M PT45M PT50M PT55M PT60M PT65M'",
    "wechat-quick-ask, 9, PT45S, 'PT5S PT10S PT15S PT20S PT25S PT30S PT35S PT40S PT45S'",
    "alipay-ask, 21, PT67S, 'PT5S PT8S PT11S PT14S PT17S PT20S PT23S PT26S PT29S PT32S PT35S"
        + " PT38S PT41S PT44S PT47S PT50S PT53S PT56S PT59S PT62S PT65S'"
  })
  void a_preset_asks_when_its_source_does_and_no_later_than_its_end(
      String name, int questions, Duration end, String instants) {
    RetryPolicy policy = Presets.policy(name);
    List<String> asked = new ArrayList<>();
    Duration at = Duration.ZERO;
    for (int n = 1; n <= questions; n++) {
      at = at.plus(policy.latest(5, n));
      if (at.compareTo(requireNonNull(policy.deadline())) <= 0) {
        asked.add(at.toString());
      }
    }

    assertThat(asked)
        .isEqualTo(
            Arrays.stream(instants.split(" ")).map(one -> Duration.parse(one).toString()).toList());
    assertThat(policy.deadline()).isEqualTo(end).isGreaterThanOrEqualTo(at);
    assertThat(at.plus(policy.latest(5, questions + 1))).isGreaterThan(end);
  }

  /** When a job asks that is always too early, if each answer takes so long. */
  private static List<Duration> asked(String name, Duration delay, Duration answer) {
    RetryPolicy policy = Presets.policy(name);
    Instant submitted = Instant.parse("2026-01-02T12:00:00Z");
    SplittableRandom random = new SplittableRandom(7);
    List<Duration> asked = new ArrayList<>();
    Instant now = submitted.plus(delay);
    Job job = asking(policy, submitted.plus(delay), 0);
    while (Settlement.tooLate(job, now).isEmpty()) {
      asked.add(Duration.between(submitted, now));
      now = now.plus(answer);
      Settlement next = Settlement.decide(job, new Outcome.NotReady(null, true), now, random);
      if (!(next instanceof Settlement.Snooze(Duration wait))) {
        return asked;
      }
      now = now.plus(wait);
      job = asking(policy, submitted.plus(delay), asked.size());
    }
    return asked;
  }

  private static Job asking(RetryPolicy policy, Instant from, int snoozes) {
    return new Job(
        new UUID(0, 1),
        "http",
        "bank",
        5,
        "{}",
        1,
        policy.maxAttempts(),
        snoozes,
        from,
        Duration.ZERO,
        policy,
        null,
        false,
        null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT0.2S", "PT2S", "PT3.4S"})
  void imps_asks_three_times_in_the_windows_that_npci_gives(Duration answer) {
    List<Duration> asked = asked("imps-ask", Duration.ofSeconds(58), answer);

    assertThat(asked).hasSize(3);
    for (int check = 0; check < 3; check++) {
      assertThat(asked.get(check))
          .isBetween(Duration.ofSeconds(56 + 10L * check), Duration.ofSeconds(65 + 10L * check));
    }
  }

  @Test
  void pix_asks_from_five_seconds_on_ever_more_rarely_until_the_code_expires() {
    List<Duration> asked = asked("pix-ask", Duration.ofSeconds(5), Duration.ZERO);

    List<Duration> gaps =
        IntStream.range(1, asked.size())
            .mapToObj(n -> asked.get(n).minus(asked.get(n - 1)))
            .toList();
    assertThat(asked.getFirst()).isEqualTo(Duration.ofSeconds(5));
    assertThat(gaps).isSorted().first().isEqualTo(Duration.ofSeconds(5));
    assertThat(gaps).last().isEqualTo(Duration.ofMinutes(5));
    assertThat(asked.getLast())
        .isBetween(Duration.ofHours(24).minusMinutes(5), Duration.ofHours(24).plusSeconds(5));
  }

  @Test
  void sip_doubles_from_t1_to_t2() {
    RetryPolicy sip = Presets.policy("sip");
    List<Duration> delays = IntStream.rangeClosed(1, 5).mapToObj(n -> sip.latest(5, n)).toList();
    assertThat(delays).isEqualTo(Samples.durations("PT0.5S", "PT1S", "PT2S", "PT4S", "PT4S"));
  }

  @Test
  void ethernet_waits_at_most_1023_slots() {
    RetryPolicy ethernet = Presets.policy("ethernet");
    assertThat(ethernet.latest(5, 1)).hasNanos(51_200);
    assertThat(ethernet.latest(5, 15)).isEqualTo(Duration.ofNanos(51_200 * 1023L));
  }

  @Test
  void an_unknown_preset_names_the_known_and_the_one_that_was_meant() {
    Broken.refuses("policy", () -> Presets.policy(""));
    Broken.refuses("policy", () -> Presets.policy("x".repeat(1_000_000)));
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> Presets.policy("wechatt"))
        .withMessageContaining("adyen, alipay, alipay-ask, circle, default, ethernet")
        .withMessageEndingWith("did you mean wechat?");
    assertThatExceptionOfType(InvalidInput.class)
        .isThrownBy(() -> Presets.policy("something else"))
        .withMessageEndingWith("wechat-quick-ask");
  }

  @Test
  void each_bad_field_is_named() {
    for (int attempts : new int[] {Integer.MIN_VALUE, 0, 1001, 1_000_000_000}) {
      Broken.refuses("maxAttempts", () -> RetryPolicy.of(BACKOFF, attempts));
    }
    for (Duration deadline : Samples.durations("PT-0.000000001S", "P3651D")) {
      Broken.refuses("deadline", () -> new RetryPolicy(BACKOFF, 1, deadline, Map.of()));
    }
    for (int priority : new int[] {-1, 10}) {
      Broken.refuses(
          "priorityScale", () -> new RetryPolicy(BACKOFF, 1, null, Map.of(priority, 1.0)));
    }
    for (double scale : new double[] {0, -1, 0.0099, 100.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      Broken.refuses("priorityScale.3", () -> new RetryPolicy(BACKOFF, 1, null, Map.of(3, scale)));
    }
  }

  @Test
  void a_policy_does_not_change_after_it_was_built() {
    Map<Integer, Double> scale = new HashMap<>(Map.of(0, 0.5));
    RetryPolicy policy = new RetryPolicy(BACKOFF, 1, null, scale);
    scale.put(1, 2.0);
    assertThat(policy.priorityScale()).containsExactly(Map.entry(0, 0.5)).isUnmodifiable();
  }
}
