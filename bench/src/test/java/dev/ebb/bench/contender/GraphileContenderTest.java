package dev.ebb.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.machine.Target;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** It needs npm and what that downloads. */
@Proof
class GraphileContenderTest {

  @Test
  void every_due_job_starts_once_and_no_other_does() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newBareDatabase();
    List<Integer> started = new CopyOnWriteArrayList<>();
    CountDownLatch left = new CountDownLatch(30);
    try (Contender peer =
            new GraphileContender(
                new Target(
                    config.url(),
                    Objects.requireNonNull(config.user()),
                    Objects.requireNonNull(config.password())));
        Connection connection = TestPostgres.connect(config)) {
      peer.install();
      peer.open();
      peer.fill(0, 20, Duration.ZERO);
      peer.fill(20, 25, Duration.ofDays(10));
      peer.start(
          number -> {
            started.add(number);
            left.countDown();
          },
          peer.bestConcurrency());
      for (int number = 25; number < 35; number++) {
        peer.submit(number);
      }

      assertThat(left.await(1, TimeUnit.MINUTES)).isTrue();
      peer.stop();

      assertThat(started)
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, 35).filter(i -> i < 20 || i >= 25).boxed().toList());
      assertThat(peer.unfinished(connection)).isEqualTo(5);
    }
  }
}
