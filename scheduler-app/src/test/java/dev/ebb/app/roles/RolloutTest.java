package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.db.Proof;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A process is told to stop by SIGTERM, as by an orchestrator. The delay of an hour never passes:
 * what is seen before the second signal is seen within it.
 */
class RolloutTest {
  private static final Map<String, String> AN_HOUR =
      Map.of("EBB_SHUTDOWN_DELAY", "1h", "EBB_DRAIN", "1h", "EBB_DELIVERY_TIMEOUT", "1h");
  private static final Map<String, String> NO_DELAY =
      Map.of("EBB_SHUTDOWN_DELAY", "0s", "EBB_DRAIN", "1h", "EBB_DELIVERY_TIMEOUT", "1h");

  private final DatabaseConfig database = TestPostgres.shared().newDatabase();

  @Test
  void a_node_that_stops_is_not_ready_at_once_and_serves_requests_until_the_delay_is_over()
      throws Exception {
    try (NodeProcess node = NodeProcess.start("server", database, AN_HOUR)) {
      assertThat(node.get("/v1/jobs").headers().firstValue("connection")).isEmpty();

      node.terminate();

      node.await("it is not ready", () -> node.health("/readyz").statusCode() == 503);
      assertThat(node.health("/readyz").body()).contains("\"code\":\"stopping\"");
      assertThat(node.health("/livez").statusCode()).isEqualTo(200);
      assertThat(node.health("/metrics").statusCode()).isEqualTo(200);
      HttpResponse<String> submitted = node.submit("{\"kind\":\"report\",\"payload\":1}");
      assertThat(submitted.statusCode()).isEqualTo(201);
      assertThat(submitted.headers().firstValue("connection")).hasValue("close");
      assertThat(node.log())
          .contains("drain begins: /readyz answers 503, requests are served for 3600 s more")
          .doesNotContain("drain ended: no more requests are taken");

      node.terminate();

      assertThat(node.exitCode()).isZero();
      assertThat(node.log())
          .contains("told to stop again")
          .contains("drain ended: no more requests are taken");
    }
    assertThat(number("select count(*) from ebb.job")).isOne();
  }

  @Test
  @Proof
  void a_node_ends_by_itself_once_the_delay_is_over() throws Exception {
    try (NodeProcess node =
        NodeProcess.start("api", database, Map.of("EBB_SHUTDOWN_DELAY", "1s"))) {
      node.terminate();

      assertThat(node.exitCode()).isZero();
      assertThat(node.log()).contains("served for 1 s more", "drain ended: no more requests");
    }
  }

  @Test
  @Proof
  void the_port_closes_while_jobs_still_run_and_the_port_of_probes_stays() throws Exception {
    try (Receiver receiver = new Receiver();
        NodeProcess node = NodeProcess.start("server", database, NO_DELAY)) {
      assertThat(node.submit(delivery(receiver)).statusCode()).isEqualTo(201);
      node.await("a delivery runs", () -> receiver.calls.get() > 0);

      node.terminate();

      node.await("the port is closed", node::isPortClosed);
      assertThat(node.isAlive()).isTrue();
      assertThat(node.health("/readyz").statusCode()).isEqualTo(503);
      assertThat(node.health("/metrics").body()).contains("ebb_jobs_running 1.0");

      node.terminate();

      assertThat(node.exitCode()).isZero();
      assertThat(node.log()).contains("claims no more, 1 jobs run").contains("1 jobs given back");
    }
    assertThat(number("select attempt from ebb.job")).isZero();
    assertThat(number("select count(*) from ebb.lease")).isZero();
  }

  @Test
  @Proof
  void a_worker_that_stops_is_not_ready_claims_no_more_and_lets_running_jobs_end()
      throws Exception {
    try (Receiver receiver = new Receiver();
        NodeProcess node = NodeProcess.start("worker", database, AN_HOUR);
        NodeProcess api = NodeProcess.start("api", database, Map.of("EBB_SHUTDOWN_DELAY", "0s"))) {
      api.submit(delivery(receiver));
      node.await("a delivery runs", () -> receiver.calls.get() > 0);

      node.terminate();

      node.await("it is not ready", () -> node.health("/readyz").statusCode() == 503);
      assertThat(node.health("/readyz").body()).isEqualTo("stopping\n");
      node.await("it claims no more", () -> node.log().contains("claims no more"));
      api.submit(delivery(receiver));
      receiver.released.countDown();
      assertThat(node.exitCode()).isZero();
      assertThat(node.log()).contains("drain ended").contains("0 jobs given back");
      assertThat(receiver.calls.get()).isOne();
    }
    assertThat(number("select count(*) from ebb.history where not cancelled")).isOne();
    assertThat(number("select count(*) from ebb.job")).isOne();
  }

  private static String delivery(Receiver receiver) {
    return """
    {"kind": "http", "timeout": "PT1H", "payload": {"url": "http://127.0.0.1:%s/", "body": 1}}
    """
        .formatted(receiver.server.getAddress().getPort());
  }

  /** Answers no delivery before it is released. */
  private static final class Receiver implements AutoCloseable {
    final AtomicInteger calls = new AtomicInteger();
    final CountDownLatch released = new CountDownLatch(1);
    final HttpServer server;

    Receiver() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Thread::startVirtualThread);
      server.createContext(
          "/",
          exchange -> {
            calls.incrementAndGet();
            try (exchange) {
              released.await();
              exchange.sendResponseHeaders(204, -1);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      server.start();
    }

    @Override
    public void close() {
      released.countDown();
      server.stop(0);
    }
  }

  private long number(String sql) throws Exception {
    try (Connection connection = TestPostgres.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
