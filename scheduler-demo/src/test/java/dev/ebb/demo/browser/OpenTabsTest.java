package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Judged;
import dev.ebb.db.Meter;
import dev.ebb.db.Proof;
import dev.ebb.db.Sabotage;
import dev.ebb.demo.ToldStory;
import java.io.BufferedReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * What open tabs cost the server while the demo's story is told, by the CPU time of its process.
 */
@Proof
class OpenTabsTest {
  private static final int TABS = 100;
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final int TIMES = 2;
  private static final double MOST_OF_A_CORE = 0.1;

  /** What people keep open, each with the stream that it listens to. */
  private static final List<String> PAGES =
      List.of(
          "/ui", "/v1/events",
          "/ui/jobs", "/v1/events",
          "/ui/queues", "/v1/events",
          "/ui/queues/webhooks", "/v1/events?queue=webhooks",
          "/ui/dead", "/v1/events?state=dead_letter");

  /** The share of a core that this process takes for a while. */
  private static double share(Cluster cluster) throws Exception {
    Meter meter = Meter.start(cluster.config());
    long end = System.nanoTime() + WINDOW.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    Meter.Cost cost = meter.stop(1);
    return cost.clientMicros() * cost.perSecond() / 1e6;
  }

  /**
   * The same while tabs are open.
   *
   * @param patient whether they wait for as long as the server says
   */
  private static double shareWithTabs(Cluster cluster, boolean patient) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add(cluster.origin());
    arguments.add(Cluster.ADMIN);
    arguments.add(Boolean.toString(patient));
    arguments.add(Integer.toString(TABS));
    arguments.addAll(PAGES);
    Process tabs =
        new ProcessBuilder(Sabotage.java(Tabs.class, arguments.toArray(String[]::new)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = tabs.inputReader()) {
      assertThat(said.readLine()).isEqualTo("open");
      share(cluster);
      double share = share(cluster);
      tabs.getOutputStream().close();
      int pages = Integer.parseInt(said.readLine());
      System.out.printf("%s pages, patient: %s%n", pages, patient);
      assertThat(pages).isGreaterThan(TABS / 2);
      return share;
    } finally {
      tabs.destroy();
    }
  }

  @Test
  void a_hundred_open_tabs_cost_under_a_tenth_of_a_core() throws Exception {
    try (Cluster cluster = Cluster.started()) {
      Thread story =
          Thread.ofPlatform()
              .daemon()
              .start(() ->
                  ToldStory.tell(cluster.config(), cluster.merchant(), 600, Duration.ofSeconds(1)));
      cluster.await("select count(*) > 30 from ebb.history");
      Judged.holds("the cost of open tabs", cluster.config(), _ -> missed(cluster));
      assertThat(story.isAlive()).isTrue();
    }
  }

  /**
   * By turns, for the least of each: what else the process does comes and goes. Tabs that do not
   * wait are the control.
   */
  private static Optional<AssertionError> missed(Cluster cluster) throws Exception {
    double eager = shareWithTabs(cluster, false);
    double without = 1;
    double with = 1;
    for (int i = 0; i < TIMES; i++) {
      without = Math.min(without, share(cluster));
      with = Math.min(with, shareWithTabs(cluster, true));
    }
    double tabs = with - without;
    double unpaced = eager - without;
    System.out.printf(
        "%s tabs take %.3f of a core; every two seconds, they would take %.3f; the rest takes %.3f%n",
        TABS, tabs, unpaced, without);
    return Judged.missed(() -> {
      assertThat(tabs).isLessThan(MOST_OF_A_CORE);
      assertThat(unpaced).isGreaterThan(MOST_OF_A_CORE);
    });
  }
}
