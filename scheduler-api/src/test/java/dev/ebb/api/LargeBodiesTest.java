package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks for a thread by its name")
class LargeBodiesTest {
  private static final int MIB = 1024 * 1024;

  /** Hard to read for its size, and refused only at its end. */
  private static final String LARGE =
      "{\"jobs\":[" + ("[" + "[],".repeat(30_000) + "0],").repeat(40) + "0]}";

  @Test
  void large_bodies_are_read_off_the_carriers_of_virtual_threads_and_small_ones_go_on()
      throws Exception {
    assertThat(LARGE.length()).isBetween(3 * MIB, 4 * MIB);
    try (ApiServer api = ApiServer.start();
        ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> large = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        large.add(senders.submit(() -> api.post("/v1/jobs/batch", LARGE)));
      }

      Await.until("a thread of the operating system reads them", LargeBodiesTest::isSomeRead);
      int small = 0;
      do {
        small += api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":1}").status() == 201 ? 1 : 0;
      } while (!large.stream().allMatch(Future::isDone));

      assertThat(small).as("small bodies meanwhile").isPositive();
      for (Future<Reply> reply : large) {
        assertThat(reply.get().status()).isEqualTo(400);
      }
    }
  }

  /** Only threads of the operating system are listed. */
  private static boolean isSomeRead() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("ebb-large bodies"));
  }
}
