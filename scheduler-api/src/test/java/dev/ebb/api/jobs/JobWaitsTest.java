package dev.ebb.api.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.view.JobReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JobWaitsTest {
  private static final UUID JOB = new UUID(1, 1);

  @Test
  void no_more_wait_than_there_are_places_and_a_place_is_given_back() {
    try (Database database = Database.open(TestPostgres.shared().newDatabase())) {
      JobWaits waits = new JobWaits(new JobReads(database));
      List<JobWaits.Place> places = new ArrayList<>();
      for (int i = 0; i < JobWaits.MOST; i++) {
        places.add(waits.enter(JOB));
      }

      Refusal full = catchThrowableOfType(Refusal.class, () -> waits.enter(JOB));
      assertThat(full.problem().code()).isEqualTo(ProblemCode.BUSY);

      places.getFirst().close();
      waits.enter(JOB).close();
    }
  }

  @Test
  void where_nothing_tells_of_changes_no_wait_begins() throws Exception {
    try (Database database = Database.open(TestPostgres.shared().newDatabase())) {
      JobWaits waits = new JobWaits(new JobReads(database));
      try (JobWaits.Place place = waits.enter(JOB)) {
        place.await(place.mark(), Duration.ofHours(1));
      }

      waits.start();
      waits.stop();
      try (JobWaits.Place place = waits.enter(JOB)) {
        place.await("a mark", Duration.ofHours(1));
      }
      assertThat(waits.isRunning()).isFalse();
    }
  }
}
