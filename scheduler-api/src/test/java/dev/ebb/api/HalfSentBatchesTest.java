package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class HalfSentBatchesTest {
  private static final int CONNECTIONS = 96;
  private static final int BATCH = 4 * 1024 * 1024;
  private static final String JOB = "{\"kind\":\"a\",\"payload\":1}";

  @Test
  void ninety_six_batches_that_lack_a_byte_neither_end_an_api_nor_keep_another_sender_out()
      throws Exception {
    byte[] allButOne = new byte[BATCH - 1];
    Arrays.fill(allButOne, (byte) ' ');
    List<Sender> senders = new ArrayList<>();
    try (ApiProcess api = ApiProcess.start(TestPostgres.shared().newDatabase());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        senders.add(Sender.from("127.0.0.1", api.port()));
      }
      List<Future<?>> sent = new ArrayList<>();
      senders.forEach(sender -> sent.add(threads.submit(() -> sendMost(sender, allButOne))));
      for (Future<?> one : sent) {
        one.get();
      }

      try (Sender other = Sender.from("127.0.0.2", api.port())) {
        assertThat(other.begin("/v1/jobs", JOB.length()).send(JOB).answer())
            .startsWith("HTTP/1.1 201 ");
      }
      assertThat(api.isAlive()).isTrue();
    } finally {
      for (Sender sender : senders) {
        sender.close();
      }
    }
  }

  private static void sendMost(Sender sender, byte[] allButOne) {
    try {
      sender.begin("/v1/jobs/batch", BATCH).send(allButOne);
    } catch (IOException refused) {
      // The API closed the connection instead of taking more.
    }
  }
}
