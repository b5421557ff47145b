package dev.ebb.api.jobs.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.api.http.Waits;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.view.JobReads;
import dev.ebb.db.view.JobView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JobWaitsTest {
  private static final UUID JOB = new UUID(1, 1);
  private static final InetAddress SENDER = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FailureLog failureLog = new FailureLog(meters);

  @Test
  void no_more_wait_than_there_are_places_and_no_sender_has_more_than_half() {
    try (Database database = TestPostgres.open(TestPostgres.shared().newDatabase())) {
      JobWaits waits = new JobWaits(new JobReads(database), failureLog);
      List<Waits<JobView>.Place> places = new ArrayList<>();
      for (int i = 0; i < Waits.MOST / 2; i++) {
        places.add(waits.enter(JOB, SENDER));
      }
      assertRefused(waits, SENDER);
      for (int i = 0; i < Waits.MOST / 2; i++) {
        waits.enter(JOB, OTHER);
      }
      assertRefused(waits, InetAddress.ofLiteral("192.0.2.3"));

      places.getFirst().close();
      waits.enter(JOB, SENDER).close();
    }
  }

  private static void assertRefused(JobWaits waits, InetAddress sender) {
    Refusal full = catchThrowableOfType(Refusal.class, () -> waits.enter(JOB, sender));
    assertThat(full.problem().code()).isEqualTo(ProblemCode.BUSY);
  }

  @Test
  void a_lost_database_is_counted_and_costs_a_wait_only_time() throws Exception {
    Database database = TestPostgres.open(TestPostgres.shared().newDatabase());
    JobWaits waits = new JobWaits(new JobReads(database), failureLog);
    waits.start();
    database.close();
    try (Waits<JobView>.Place place = waits.enter(JOB, SENDER)) {
      while (meters.counter("ebb.failures", "part", "job-waits").count() < 2) {
        place.await("a mark", Duration.ofMillis(10));
      }
    }
    waits.stop();
  }

  @Test
  void where_nothing_tells_of_changes_no_wait_begins() throws Exception {
    try (Database database = TestPostgres.open(TestPostgres.shared().newDatabase())) {
      JobWaits waits = new JobWaits(new JobReads(database), failureLog);
      try (Waits<JobView>.Place place = waits.enter(JOB, SENDER)) {
        place.await(place.mark(), Duration.ofHours(1));
      }

      waits.start();
      waits.stop();
      try (Waits<JobView>.Place place = waits.enter(JOB, SENDER)) {
        place.await("a mark", Duration.ofHours(1));
      }
      assertThat(waits.isRunning()).isFalse();
    }
  }
}
