package dev.ebb.db.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.core.retry.Presets;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.claim.ClaimedJob;
import dev.ebb.db.view.JobView;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs of which people change what was said at their submit. */
class JobPatchTest {
  private static final Act ACT = new Act("ada", null, "127.0.0.1", null);
  private static final Instant LATER = Instant.parse("2099-01-31T08:00:00.123456Z");

  private Bench bench;
  private JobChanges changes;

  @BeforeEach
  void open() {
    bench = new Bench();
    changes = new JobChanges(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private JobView view(UUID id) throws SQLException {
    return bench.reads.find(id).orElseThrow();
  }

  private static NewJob.Builder job() {
    return NewJob.builder("echo", "{}").maxAttempts(5);
  }

  @Test
  void all_that_was_said_of_an_available_job_is_replaced() throws SQLException {
    UUID id = bench.submit(job().uniqueKey("k").build());
    NewJob other =
        NewJob.builder("echo", "[1.00]")
            .runAt(LATER)
            .priority(1)
            .maxAttempts(9)
            .policy(Presets.policy("sip"))
            .timeout(Duration.ofSeconds(3))
            .labels(Map.of("a", "b"))
            .build();

    assertThat(changes.patch(view(id), other, ACT)).isTrue();

    JobView now = view(id);
    assertThat(now.times().runAt()).isEqualTo(LATER);
    assertThat(now.priority()).isEqualTo(1);
    assertThat(now.maxAttempts()).isEqualTo(9);
    assertThat(now.policy()).isEqualTo(Presets.policy("sip"));
    assertThat(now.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(now.labels()).containsExactly(Map.entry("a", "b"));
    assertThat(now.payload()).isEqualTo("[1.00]");
    assertThat(now.uniqueKey()).isEqualTo("k");
    assertThat(now.version()).isOne();
    assertThat(bench.count("ebb.audit where action = 'job.patch'")).isOne();
  }

  @Test
  void a_job_without_a_run_at_is_due_now() throws SQLException {
    UUID id = bench.submit(job().runAt(LATER).build());

    changes.patch(view(id), job().build(), ACT);

    assertThat(bench.claimOne().job().id()).isEqualTo(id);
  }

  @Test
  void a_held_job_is_changed_and_stays_held() throws SQLException {
    UUID id = bench.submit(job().build());
    changes.act(id, new JobAction.Hold(null), ACT);

    assertThat(changes.patch(view(id), job().runAt(LATER).priority(0).build(), ACT)).isTrue();

    assertThat(view(id).hold()).isNotNull();
    assertThat(view(id).times().runAt()).isEqualTo(LATER);
    changes.act(id, new JobAction.Release(), ACT);
    assertThat(view(id).times().runAt()).isEqualTo(LATER);
  }

  @Test
  void a_job_that_was_claimed_since_it_was_seen_stays_as_it_is() throws SQLException {
    UUID id = bench.submit(job().build());
    JobView seen = view(id);
    ClaimedJob claimed = bench.claimOne();

    assertThat(changes.patch(seen, job().priority(0).build(), ACT)).isFalse();

    assertThat(view(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(view(id).priority()).isEqualTo(5);
    assertThat(bench.complete(claimed)).isTrue();
    assertThat(bench.count("ebb.audit")).isZero();
  }

  @Test
  void of_two_who_change_what_both_have_seen_the_second_changes_nothing() throws SQLException {
    UUID id = bench.submit(job().build());
    JobView seen = view(id);

    assertThat(changes.patch(seen, job().priority(1).build(), ACT)).isTrue();
    assertThat(changes.patch(seen, job().priority(2).build(), ACT)).isFalse();

    assertThat(view(id).priority()).isEqualTo(1);
  }

  @Test
  void control_without_the_version_the_second_writes_over_the_first() throws SQLException {
    UUID id = bench.submit(job().build());
    JobView seen = view(id);
    changes.patch(seen, job().priority(1).build(), ACT);
    NewJob other = job().priority(2).maxAttempts(3).build();
    String unguarded = PatchJobs.PATCH.replace("and j.version = t.version", "");

    try (Connection connection = TestPostgres.connect(bench.config)) {
      List<ActedJob> written =
          AvailableJobs.run(
              connection,
              unguarded,
              List.of(id),
              List.of(Bench.QUEUE),
              p -> PatchJobs.bind(p, new JobAction.Patch(other, seen.version(), 0)));
      assertThat(written).hasSize(1);
    }

    assertThat(view(id).priority()).isEqualTo(2);
  }

  @Test
  void a_changed_job_leaves_the_lease_of_its_old_version_behind() throws SQLException {
    UUID id = bench.submit(job().build());
    ClaimedJob stale = bench.claimOne();
    assertThat(bench.retryAtOnce(stale)).isTrue();

    assertThat(changes.patch(view(id), job().build(), ACT)).isTrue();

    assertThat(bench.complete(stale)).isFalse();
    assertThat(bench.claimOne().job().attempt()).isEqualTo(2);
  }

  @Test
  void the_attempts_that_were_made_leave_one_more_at_least() throws SQLException {
    UUID id = bench.submit(job().build());
    bench.retryAtOnce(bench.claimOne());
    JobView seen = view(id);

    assertThatThrownBy(() -> changes.patch(seen, job().maxAttempts(1).build(), ACT))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("maxAttempts");

    assertThat(changes.patch(seen, job().maxAttempts(2).build(), ACT)).isTrue();
  }
}
