package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes whose metrics somebody adds up. */
class QueueGaugesTest {
  private static final Duration SOON = Duration.ofMillis(100);

  private final List<ShowingNode> nodes = new ArrayList<>();
  private WorkerBench bench;

  /** A node that only shows figures. */
  private final class ShowingNode implements AutoCloseable {
    final MeterRegistry meters = new SimpleMeterRegistry();
    final Database database = TestPostgres.open(bench.config);
    final QueueGauges gauges;

    ShowingNode(String name, Duration lease) {
      this.gauges = new QueueGauges(database, name, meters, new FailureLog(meters), SOON, lease);
      nodes.add(this);
    }

    /** Whether it shows figures after one more step. */
    boolean showsNow() throws SQLException {
      gauges.step();
      return shows();
    }

    boolean shows() {
      return meters.find("ebb.queue.jobs").gauges().stream()
          .anyMatch(gauge -> !Double.isNaN(gauge.value()));
    }

    boolean hasRows() {
      return meters.find("ebb.queue.jobs").gauge() != null;
    }

    double jobs() {
      return meters.find("ebb.queue.jobs").gauges().stream().mapToDouble(Gauge::value).sum();
    }

    @Override
    public void close() {
      gauges.close();
      database.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    bench = new WorkerBench();
    bench.submit("1");
  }

  @AfterEach
  void close() {
    nodes.forEach(ShowingNode::close);
    bench.close();
  }

  @Test
  void one_node_shows_the_cluster_and_gives_it_over_at_its_end() throws Exception {
    Duration hour = Duration.ofHours(1);
    ShowingNode first = new ShowingNode("first", hour);
    ShowingNode second = new ShowingNode("second", hour);

    assertThat(first.showsNow()).isTrue();
    assertThat(second.showsNow()).isFalse();
    assertThat(first.jobs()).isOne();
    bench.submit("2");
    Await.until("the figures move", () -> first.showsNow() && first.jobs() == 2);
    assertThat(second.showsNow()).isFalse();

    first.close();

    assertThat(first.shows()).isFalse();
    assertThat(second.showsNow()).isTrue();
    assertThat(second.jobs()).isEqualTo(2);
  }

  @Test
  void a_node_without_its_database_shows_nothing_before_another_shows() throws Exception {
    Duration lease = Duration.ofSeconds(2);
    ShowingNode first = new ShowingNode("first", lease);
    first.gauges.start();
    Await.until("the first shows", first::shows);
    ShowingNode second = new ShowingNode("second", lease);
    second.gauges.start();

    first.database.close();

    Await.until(
        "the second shows",
        () -> {
          boolean isSecond = second.shows();
          // In this order: what the second shows, the first has ended to show.
          assertThat(isSecond && first.shows()).as("both show").isFalse();
          return isSecond;
        });
    // Not even as NaN, of which a sum would be NaN as well.
    Await.until("the first has no rows", () -> !first.hasRows());
  }
}
