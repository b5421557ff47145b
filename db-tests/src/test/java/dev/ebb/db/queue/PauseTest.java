package dev.ebb.db.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pauses, and those that end by themselves. */
class PauseTest {
  private static final Act ADA = new Act("ada", "abc", "127.0.0.1", "maintenance");
  private static final Instant LATER = Instant.parse("2099-01-31T08:00:00.123456Z");

  private Bench bench;
  private Queues queues;

  @BeforeEach
  void start() {
    bench = new Bench();
    queues = new Queues(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private QueueView queue() throws SQLException {
    return queues.find(Bench.QUEUE).orElseThrow();
  }

  private static QueueView.Pause pause(QueueView queue) {
    return requireNonNull(queue.pause());
  }

  /** As it is once the time has come: nobody writes the row then. */
  private void letPauseEnd() throws SQLException {
    bench.execute("update ebb.queue set paused_until = now() - interval '1 second'");
  }

  private List<String> found() throws SQLException {
    return bench.queuesWithWork("echo", null);
  }

  @Test
  void a_pause_tells_who_why_since_when_and_until_when() throws SQLException {
    QueueView paused = queues.pause(Bench.QUEUE, LATER, ADA);

    assertThat(paused.settings().paused()).isTrue();
    assertThat(pause(paused).by()).isEqualTo("ada");
    assertThat(pause(paused).reason()).isEqualTo("maintenance");
    assertThat(pause(paused).until()).isEqualTo(LATER);
    assertThat(pause(paused).since()).isEqualTo(paused.createdAt());
    assertThat(queue()).isEqualTo(paused);
    assertThat(queues.page(null, 9).queues()).containsExactly(paused);
  }

  @Test
  void a_paused_queue_that_is_paused_again_is_so_since_then_as_the_later_pause_says()
      throws SQLException {
    Instant since = pause(queues.pause(Bench.QUEUE, null, ADA)).since();

    QueueView again = queues.pause(Bench.QUEUE, LATER, Bench.ACT);

    assertThat(again.pause()).isEqualTo(new QueueView.Pause(since, "test", null, LATER));
  }

  @Test
  void a_pause_that_would_be_over_is_refused_and_changes_nothing() throws SQLException {
    queues.put(Bench.QUEUE, QueueSettings.of(false, null), true, ADA);

    assertThatThrownBy(() -> queues.pause(Bench.QUEUE, Instant.now().minusSeconds(5), ADA))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("until");

    assertThat(queue().pause()).isNull();
    assertThat(bench.count("ebb.audit where action = 'queue.pause'")).isZero();
  }

  @Test
  void a_pause_ends_by_itself_for_claims_polls_and_people() throws SQLException {
    bench.submitOne();
    queues.pause(Bench.QUEUE, LATER, ADA);
    assertThat(bench.tryClaim(1)).isEmpty();
    assertThat(found()).isEmpty();

    letPauseEnd();

    assertThat(queue().settings().paused()).isFalse();
    assertThat(queue().pause()).isNull();
    assertThat(found()).containsExactly(Bench.QUEUE);
    assertThat(bench.queuesWithWork("echo", List.of(Bench.QUEUE))).containsExactly(Bench.QUEUE);
    assertThat(bench.tryClaim(1)).isPresent();
  }

  @Test
  void settings_that_stay_paused_keep_the_pause_and_others_end_it() throws SQLException {
    QueueView paused = queues.pause(Bench.QUEUE, LATER, ADA);

    queues.put(Bench.QUEUE, new QueueSettings(true, null, null, 5), true, Bench.ACT);
    assertThat(queue().pause()).isEqualTo(paused.pause());
    queues.put(Bench.QUEUE, QueueSettings.of(false, null), true, Bench.ACT);
    assertThat(queue().pause()).isNull();
    queues.put(Bench.QUEUE, QueueSettings.of(true, null), true, ADA);
    assertThat(pause(queue()).by()).isEqualTo("ada");
    assertThat(pause(queue()).until()).as("a new pause").isNull();
    assertThat(queues.resume(Bench.QUEUE, true, ADA).orElseThrow().pause()).isNull();
  }

  @Test
  void settings_that_pause_after_a_pause_has_ended_pause_anew() throws SQLException {
    queues.pause(Bench.QUEUE, LATER, ADA);
    letPauseEnd();

    queues.put(Bench.QUEUE, QueueSettings.of(true, null), true, Bench.ACT);

    assertThat(pause(queue()).by()).isEqualTo("test");
    assertThat(pause(queue()).until()).isNull();
    assertThat(pause(queue()).since()).isAfter(queue().createdAt());
  }

  private static final RateLimit RAMP = RateLimit.of(100, Duration.ofHours(1), 3);

  private double coldness() throws SQLException {
    return new Limiters(bench.database).find(Bench.QUEUE).orElseThrow().state().coldness();
  }

  private void makeWarm() throws SQLException {
    bench.execute(
        "insert into ebb.limiter (queue, coldness, next_free_at) values ('default', 0, now())"
            + " on conflict (queue) do update set coldness = 0, next_free_at = now()");
  }

  @Test
  void the_warm_up_restarts_when_a_pause_has_ended_and_then_goes_on() throws SQLException {
    queues.put(Bench.QUEUE, new QueueSettings(false, null, RAMP, null), true, ADA);
    makeWarm();
    queues.pause(Bench.QUEUE, LATER, ADA);
    assertThat(coldness()).isLessThan(0.1);

    bench.execute("update ebb.queue set paused_until = clock_timestamp()");

    assertThat(coldness()).isEqualTo(1);
    makeWarm();
    assertThat(coldness()).as("permits were granted since").isLessThan(0.1);
  }

  @Test
  void other_settings_after_a_pause_that_ended_find_the_limiter_cold() throws SQLException {
    queues.put(Bench.QUEUE, new QueueSettings(false, null, RAMP, null), true, ADA);
    makeWarm();
    queues.pause(Bench.QUEUE, LATER, ADA);
    bench.execute("update ebb.queue set paused_until = clock_timestamp()");

    queues.put(Bench.QUEUE, new QueueSettings(false, null, RAMP, 9), false, ADA);

    assertThat(coldness()).isEqualTo(1);
  }
}
