package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Polls that do not wait. */
class ShortPollsTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static ApiServer api;
  private String queue = "";

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  @BeforeEach
  void newName() {
    queue = "queue-" + NUMBER.incrementAndGet();
  }

  private String submit() {
    Reply stored =
        api.post("/v1/jobs", "{\"kind\":\"paid\",\"queue\":\"" + queue + "\",\"payload\":{}}");
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    return stored.field("id");
  }

  private Reply polled() {
    return api.post("/v1/leases", LeasesTest.poll("worker", queue, 1, "PT0S", ""));
  }

  private CompletableFuture<Reply> waiting() {
    return CompletableFuture.supplyAsync(this::polled);
  }

  @Test
  void a_poll_that_does_not_wait_gets_what_is_due() {
    String id = submit();

    Reply reply = polled();

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().path("jobs").path(0).path("id").asString()).isEqualTo(id);
    assertThat(polled().status()).isEqualTo(204);
  }

  @Test
  void a_poll_that_does_not_wait_gets_what_no_notification_told_of() throws Exception {
    assertThat(polled().status()).isEqualTo(204);
    try (Connection connection = api.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("select ebb.submit('paid', '{}', '" + queue + "')");
    }

    assertThat(polled().status()).isEqualTo(200);
  }

  @Test
  void polls_of_one_worker_that_come_together_are_all_answered() throws Exception {
    List<CompletableFuture<Reply>> together =
        IntStream.range(0, 20).mapToObj(_ -> waiting()).toList();

    for (CompletableFuture<Reply> poll : together) {
      assertThat(poll.get(1, TimeUnit.MINUTES).status()).isEqualTo(204);
    }
  }
}
