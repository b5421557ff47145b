package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.TestPostgres;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What clients hold open does not end a process. */
class HalfSentBodiesTest {
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

  @Test
  void three_thousand_bodies_that_have_just_begun_do_not_end_an_api() throws Exception {
    List<Sender> senders = new ArrayList<>();
    try (ApiProcess api = ApiProcess.start(TestPostgres.shared().newDatabase())) {
      for (int i = 0; i < 3000 && begins(senders, i, api.port()); i++) {
        // Until no more connections are taken.
      }

      try (Sender probe = Sender.from("127.0.0.1", api.healthPort())) {
        assertThat(probe.get("/livez")).startsWith("HTTP/1.1 200 ");
      }
      assertThat(api.isAlive()).isTrue();
    } finally {
      for (Sender sender : senders) {
        sender.close();
      }
    }
  }

  /** One more body from one of three addresses; false where nobody takes the connection. */
  private static boolean begins(List<Sender> senders, int number, int port) {
    try {
      Sender sender = Sender.from("127.0.0." + (1 + number % 3), port);
      senders.add(sender);
      sender.begin("/v1/jobs", 60_000).send("{");
      return true;
    } catch (SocketTimeoutException full) {
      return false;
    } catch (IOException refused) {
      return true;
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
