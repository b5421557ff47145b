package dev.ebb.worker.http;

import static dev.ebb.worker.http.Deliveries.reason;
import static dev.ebb.worker.http.HttpHandlerTest.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that its server gave up between two deliveries costs none of them an attempt. */
class FreshConnectionTest {
  /** Of the four seconds for which an idle connection is kept. */
  private static final Duration ALMOST_IDLE = Duration.ofSeconds(2);

  private final Deliveries deliveries = new Deliveries();

  @AfterEach
  void close() {
    deliveries.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_used_connection_that_breaks_unanswered_is_replaced_at_once(boolean reset)
      throws Exception {
    promptly(() -> {
      try (Wire wire = new Wire((w, socket) -> answerOnce(w, socket, "", reset))) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(deliveries.record().path("request").has("resent")).isFalse();

        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(deliveries.record().path("request").path("resent").booleanValue()).isTrue();
        assertThat(wire.requests).hasSize(3);
        assertThat(wire.requests.get(2)).as("the same request").isEqualTo(wire.requests.get(1));
        assertThat(wire.connections()).isEqualTo(2);
      }
    });
  }

  @Test
  void the_new_connection_is_none_of_those_that_were_kept() throws Exception {
    promptly(() -> {
      CyclicBarrier both = new CyclicBarrier(2);
      try (Wire wire =
              new Wire((w, socket) -> {
                w.readRequest(socket);
                if (w.connections() <= 2) {
                  both.await();
                }
                Wire.send(socket, answer(200, ""));
                w.readRequest(socket);
              });
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        FakeContext context = new FakeContext(Deliveries.payload(wire.url()), 1, Deliveries.LONG);
        var other = threads.submit(() -> deliveries.run(context));
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(other.get()).isEqualTo(Outcome.completed());
        assertThat(wire.connections())
            .as("both are kept, and break when they are used")
            .isEqualTo(2);

        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(wire.requests).hasSize(4);
        assertThat(wire.connections()).isEqualTo(3);
      }
    });
  }

  @Test
  void no_more_are_kept_than_four_for_each_delivery_that_may_run() throws Exception {
    promptly(() -> {
      HttpHandlerConfig one =
          HttpHandlerConfig.defaults().withAllow("127.0.0.0/8").withConcurrency(1);
      try (Deliveries alone = new Deliveries(one);
          Wire wire = new Wire(new ServerSocket(0), FreshConnectionTest::answerAll)) {
        for (int host : List.of(1, 2, 3, 4, 5, 5)) {
          String url = "http://127.0.0." + host + ":" + wire.port() + "/";
          assertThat(alone.deliver(url)).isEqualTo(Outcome.completed());
        }
        assertThat(wire.connections()).as("the fifth is not used again").isEqualTo(6);
      }
    });
  }

  private interface Body {
    void run() throws Exception;
  }

  /** Once more where it took so long that an idle connection was not kept until its next use. */
  private static void promptly(Body body) throws Exception {
    for (int tries = 1; true; tries++) {
      long began = System.nanoTime();
      try {
        body.run();
        return;
      } catch (AssertionError | RuntimeException e) {
        if (tries == 5 || System.nanoTime() - began < ALMOST_IDLE.toNanos()) {
          throw e;
        }
      }
    }
  }

  private static void answerAll(Wire wire, Socket socket) throws IOException {
    while (wire.readRequest(socket)) {
      Wire.send(socket, answer(200, ""));
    }
  }

  @Test
  void a_byte_of_an_answer_is_an_answer() throws Exception {
    promptly(() -> {
      try (Wire wire = new Wire((w, socket) -> answerOnce(w, socket, "H", false))) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("connection_closed");
        assertThat(wire.requests).hasSize(2);
      }
    });
  }

  @Test
  void it_is_sent_again_only_once() throws Exception {
    promptly(() -> {
      try (Wire wire =
          new Wire((w, socket) -> {
            w.readRequest(socket);
            if (w.requests.size() == 1) {
              Wire.send(socket, answer(200, ""));
              w.readRequest(socket);
            }
          })) {
        assertThat(deliveries.deliver(wire.url())).isEqualTo(Outcome.completed());
        assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("connection_closed");
        assertThat(wire.requests).hasSize(3);
      }
    });
  }

  @Test
  void a_new_connection_that_breaks_is_a_failure() throws Exception {
    try (Wire wire = new Wire(Wire::readRequest)) {
      assertThat(reason(deliveries.deliver(wire.url()))).isEqualTo("connection_closed");
      assertThat(wire.requests).hasSize(1);
    }
  }

  /** Answers a first request, and of a second this much. */
  private static void answerOnce(Wire wire, Socket socket, String second, boolean reset)
      throws Exception {
    wire.readRequest(socket);
    Wire.send(socket, answer(200, ""));
    if (wire.readRequest(socket)) {
      Wire.send(socket, second);
      if (reset) {
        socket.setSoLinger(true, 0);
      }
    }
  }
}
