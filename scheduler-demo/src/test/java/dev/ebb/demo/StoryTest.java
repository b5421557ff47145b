package dev.ebb.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoryTest {
  private static final int MOST_PER_SECOND = 5;

  private final Story story = new Story("http://127.0.0.1:8090");

  private List<NewJob> seconds(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(story::at).flatMap(List::stream).toList();
  }

  @Test
  void its_first_half_minute_has_every_queue_and_every_kind_of_merchant() {
    List<NewJob> jobs = seconds(1, 30);

    assertThat(jobs)
        .extracting(NewJob::queue)
        .contains(Story.DEMO, Story.NOTIFICATIONS, Story.SETTLEMENTS, Story.REFUNDS, Story.WEBHOOKS)
        .containsAll(DemoDestinations.names());
    String payloads = String.join("\n", jobs.stream().map(NewJob::payload).toList());
    assertThat(payloads).contains("/as/500/", "/as/slow/", "/as/close/", "/as/429/", "/as/mix/");
  }

  @Test
  void what_waits_for_a_later_time_is_spread_over_the_hour_that_follows() {
    List<Duration> delays =
        story.at(1).stream()
            .map(NewJob::delay)
            .filter(Objects::nonNull)
            .filter(Duration::isPositive)
            .toList();

    assertThat(delays).hasSize(Story.SCHEDULED).doesNotHaveDuplicates();
    assertThat(delays).allMatch(delay -> delay.compareTo(Duration.ofMinutes(62)) < 0);
  }

  @Test
  void it_is_a_trickle() {
    assertThat(seconds(2, Story.LENGTH).size()).isLessThan(MOST_PER_SECOND * Story.LENGTH);
    assertThat(IntStream.rangeClosed(2, Story.LENGTH))
        .allMatch(second -> story.at(second).size() <= MOST_PER_SECOND);
  }

  @Test
  void no_unique_key_comes_twice() {
    assertThat(seconds(1, Story.LENGTH).stream().map(NewJob::uniqueKey).filter(Objects::nonNull))
        .doesNotHaveDuplicates();
  }

  @Test
  void every_job_is_about_a_merchant() {
    assertThat(seconds(1, 100)).allMatch(job -> job.labels().containsKey(Story.SUBJECT));
  }

  @Test
  void the_jobs_of_every_queue_of_merchants_have_unique_keys() {
    assertThat(seconds(1, 100))
        .filteredOn(job -> !job.queue().equals(Story.DEMO))
        .allMatch(job -> job.uniqueKey() != null);
  }

  @Test
  void the_jobs_of_the_guides_queue_go_to_a_merchant_that_obeys() {
    assertThat(seconds(1, 100))
        .filteredOn(job -> job.queue().equals(Story.DEMO))
        .hasSize(100)
        .allMatch(job -> job.payload().contains("\"http://127.0.0.1:8090/notifications\""));
  }

  @Test
  void a_minutes_backlog_of_the_guides_queue_is_enough_to_see_its_full_rate() {
    List<Integer> starts = startsAfterAMinute(DemoQueues.DEMO_LIMIT);

    assertThat(starts.getFirst()).isLessThanOrEqualTo(3);
    assertThat(starts).filteredOn(each -> each >= 10).hasSizeGreaterThanOrEqualTo(2);
    // It is no matter of course: at twice the rate the minute's jobs are used up on the way.
    RateLimit twice = RateLimit.of(20, Duration.ofSeconds(10), 4);
    assertThat(startsAfterAMinute(twice)).allMatch(each -> each < 20);
  }

  /** In each second from cold, until the backlog of a minute is gone; a job a second comes anew. */
  private static List<Integer> startsAfterAMinute(RateLimit limit) {
    WarmUpLimiter limiter = new WarmUpLimiter(limit);
    Instant begin = Instant.EPOCH;
    LimiterState state = LimiterState.cold(begin);
    List<Integer> starts = new ArrayList<>();
    int backlog = 60;
    for (int second = 0; backlog > 0; second++) {
      backlog++;
      int started = 0;
      for (int millis = 0; millis < 1_000; millis += 10) {
        Instant now = begin.plusSeconds(second).plusMillis(millis);
        WarmUpLimiter.Grant grant = limiter.take(state, now, backlog);
        state = grant.state();
        started += grant.permits();
        backlog -= grant.permits();
      }
      starts.add(started);
    }
    return starts;
  }
}
