package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.health.Checkup;
import dev.ebb.core.health.Finding;
import dev.ebb.core.health.Verdict;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.JobQueue;
import dev.ebb.db.PostgresPair;
import dev.ebb.db.PostgresPair.Side;
import dev.ebb.db.Replication;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.Vital;
import dev.ebb.db.connection.Database;
import dev.ebb.db.health.DatabaseHealth;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.schema.Migrations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A failover to a standby that did not have the last commits. */
@Vital
class LostJobsTest {
  private static final int KEPT = 20;
  private static final int LOST = 15;

  private final MeterRegistry meters = new SimpleMeterRegistry();
  private PostgresPair pair;
  private Database database;
  private Acknowledgements acknowledgements;

  @BeforeEach
  void start() {
    pair = PostgresPair.start();
    Migrations.migrate(pair.both());
    database = TestPostgres.open(pair.both());
    acknowledgements = new Acknowledgements(database, meters, new FailureLog(meters));
  }

  @AfterEach
  void stop() {
    acknowledgements.close();
    database.close();
    pair.close();
  }

  @Test
  void each_job_that_was_acknowledged_and_lost_is_named_and_no_other() throws Exception {
    List<UUID> kept = acknowledge(KEPT, "kept");
    // Whatever people do to a job, it is not lost.
    new JobChanges(database).act(kept.getFirst(), new JobAction.Cancel(), Bench.ACT);
    Await.until("the standby has them", () -> pair.count(Side.B, "ebb.job") == KEPT - 1);
    new Replication(pair).cut(Side.B);
    // Who stored this one had no answer.
    new JobQueue(database).submit(List.of(unique("lost-0")));
    List<UUID> lost = acknowledge(LOST, "lost");

    pair.kill(Side.A);
    pair.promote(Side.B);

    LostJobs found = new LostJobs(database);
    Await.until("they are found", () -> meters.get("ebb.jobs.lost").counter().count() == LOST);
    assertThat(found.page(new UUID(0, 0), 100))
        .extracting(LostJob::id)
        .containsExactlyElementsOf(lost);
    assertThat(found.page(lost.getFirst(), 2))
        .extracting(LostJob::uniqueKey)
        .containsExactly("lost-1", "lost-2");
    database.look();
    assertThat(finding("lost_jobs").verdict()).isEqualTo(Verdict.BAD);
    assertThat(finding("lost_jobs").summary()).startsWith(LOST + " acknowledged jobs");
    assertThat(finding("promotion").verdict()).isEqualTo(Verdict.WARN);
  }

  /** The control, which also shows that a look finds nothing where nothing is lost. */
  @Test
  void a_restart_of_the_server_is_looked_at_and_loses_nothing() throws Exception {
    acknowledge(KEPT, "kept");
    pair.kill(Side.A);
    pair.start(Side.A);
    acknowledgements.look();
    Await.until("it has looked", () -> acknowledgements.lookUps() > 0);

    assertThat(new LostJobs(database).page(new UUID(0, 0), 100)).isEmpty();
    assertThat(meters.get("ebb.jobs.lost").counter().count()).isZero();
  }

  private static NewJob unique(String key) {
    return NewJob.builder("k", "{}").uniqueKey(key).build();
  }

  private List<UUID> acknowledge(int number, String key) throws SQLException {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      jobs.add(unique(key + "-" + i));
    }
    List<Submitted> submitted = new JobQueue(database).submit(jobs);
    acknowledgements.add(jobs, submitted);
    return submitted.stream().map(Submitted::id).toList();
  }

  private Finding finding(String code) throws SQLException {
    return Checkup.of(new DatabaseHealth(database).server()).stream()
        .filter(one -> one.code().equals(code))
        .findAny()
        .orElseThrow();
  }
}
