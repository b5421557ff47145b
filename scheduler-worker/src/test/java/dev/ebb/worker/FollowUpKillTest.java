package dev.ebb.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.core.job.FollowUp;
import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that is killed while it ends a job that another follows. */
class FollowUpKillTest {
  /** An end stops here, behind the submit of what follows, until the test lets it go on. */
  private static final String STOP_AT_THE_END =
      """
      create function public.stop() returns trigger language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(77);
          return new;
        end
      $$;
      create trigger stop before insert on ebb.history
      for each row execute function public.stop();
      """;

  private static final String STOPPED =
      """
      pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'
      """;

  private final AtomicInteger calls = new AtomicInteger();

  private HttpServer merchant() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext(
        "/",
        exchange -> {
          calls.incrementAndGet();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static UUID ask(WorkerBench bench) throws SQLException {
    NewJob next = NewJob.builder("nobody", "{}").queue("next").build();
    FollowUps then = new FollowUps(new FollowUp.Planned(next, "/asked"), null, null);
    return bench.submit(
        NewJob.builder(WorkerBench.KIND, "{}").policy(WorkerBench.QUICK).then(then).build());
  }

  /**
   * The database may still commit what a dead process sent, or not.
   *
   * @param broken whether its session ends with the process: then the question is asked again
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_follows_a_job_whose_node_is_killed_at_its_end_is_there_once(boolean broken)
      throws Exception {
    HttpServer merchant = merchant();
    String url = "http://127.0.0.1:" + merchant.getAddress().getPort() + "/";
    try (WorkerBench bench = new WorkerBench();
        Connection lock = TestPostgres.connect(bench.config);
        Cluster cluster =
            new Cluster(bench.config, url, Duration.ofSeconds(3), Cluster.Guards.ALL)) {
      bench.execute(STOP_AT_THE_END);
      run(lock, "select pg_advisory_lock(77)");
      UUID question = ask(bench);

      Cluster.Member victim = cluster.start();
      Await.until("it is about to end the job", () -> bench.count(STOPPED) == 1);
      assertThat(bench.count("ebb.job where queue = 'next'")).as("before the end").isZero();
      cluster.kill(victim);
      if (broken) {
        run(lock, "select pg_terminate_backend(pid) from " + STOPPED);
        Await.until("its session has ended", () -> bench.count(STOPPED) == 0);
      }
      run(lock, "select pg_advisory_unlock(77)");

      cluster.start();
      bench.awaitState(question, JobState.COMPLETED);
      assertThat(calls.get()).isBetween(broken ? 2 : 1, 2);
      assertThat(bench.count("ebb.job where queue = 'next'")).isOne();
      FollowUps then = requireNonNull(bench.view(question).then());
      assertThat(then.completed()).isInstanceOf(FollowUp.Submitted.class);
    } finally {
      merchant.stop(0);
    }
  }
}
